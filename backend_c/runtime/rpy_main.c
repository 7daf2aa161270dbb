/* The executable's main: run the program, report an uncaught exception as CPython does. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "rpy_args.h"
#include "rpy_break.h"
#include "rpy_core.h"

#ifdef __has_feature
#define HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#endif
#if HAS_ASAN
/* AddressSanitizer does not look for leaks: it does not see what the collector's memory refers
 * to, and a program need not release anything at its end. */
__attribute__((used)) const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

static int args_count;
static char **args;

Signed rpy_argc(void)
{
    return args_count;
}

char *rpy_argv(Signed index)
{
    return args[index];
}

/* Print line `number` of the file, without its indentation; nothing if it is gone. */
static void print_source_line(const char *path, int number)
{
    char text[1024];
    int line = 1, fresh = 1;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return;
    while (fgets(text, sizeof text, file) != NULL) {
        size_t length = strlen(text);
        if (fresh && line == number) {
            const char *start = text + strspn(text, " \t\f");
            length = strcspn(start, "\r\n");
            if (length > 0)
                fprintf(stderr, "    %.*s\n", (int)length, start);
            break;
        }
        fresh = length > 0 && text[length - 1] == '\n';
        line += fresh;
    }
    fclose(file);
}

static int same_place(const rpy_location *a, const rpy_location *b)
{
    return a != NULL && b != NULL && a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

/* As CPython: outermost frame first, a place that repeats is shown three times. */
static void print_traceback(void)
{
    Signed index, repeated = 0, dropped = 0;
    const rpy_location *last = NULL;
    fputs("Traceback (most recent call last):\n", stderr);
    for (index = rpy_traceback_size() - 1; index >= -1; index--) {
        const rpy_location *where = index >= 0 ? rpy_traceback_entry(index) : NULL;
        if (index >= 0 && where == NULL) {
            dropped++;
            continue;
        }
        if (same_place(where, last)) {
            repeated += 1 + dropped; /* what was dropped in between is the same recursion */
            dropped = 0;
            if (repeated >= 3)
                continue;
        } else {
            if (repeated >= 3)
                fprintf(stderr, "  [Previous line repeated %ld more time%s]\n", repeated - 2,
                        repeated == 3 ? "" : "s");
            if (dropped > 0)
                fprintf(stderr, "  [%ld more calls]\n", dropped);
            repeated = dropped = 0;
            last = where;
        }
        if (where != NULL) {
            fprintf(stderr, "  File \"%s\", line %d, in %s\n", where->file, where->line,
                    where->function);
            print_source_line(where->file, where->line);
        }
    }
}

static void report_uncaught(void)
{
    void *exc = rpy_exc;
    Signed length = 0;
    const char *message, *name = rpy_exception_class_name(exc);
    rpy_exc = NULL;
    print_traceback();
    message = rpy_exception_message(exc, &length);
    fputs(name, stderr);
    if (message != NULL && length > 0) {
        fputs(": ", stderr);
        fwrite(message, 1, (size_t)length, stderr);
    }
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    Signed status;
    args_count = argc;
    args = argv;
    signal(SIGPIPE, SIG_IGN); /* as CPython: writing to a closed pipe is an error like others */
    rpy_interrupts_start();
    status = rpy_program_run();
    if (rpy_exc != NULL) {
        int is_interrupt = rpy_exception_is_interrupt(rpy_exc);
        rpy_exception_set_aside();
        rpy_program_flush();
        rpy_exception_put_back();
        report_uncaught();
        rpy_program_finalize();
        rpy_program_flush();
        if (is_interrupt)
            rpy_interrupts_die(); /* so that a shell knows and stops, too */
        return 1;
    }
    rpy_program_finalize();
    rpy_program_flush();
    if (rpy_exc != NULL) {
        report_uncaught();
        return 120; /* CPython's status when the final flush fails */
    }
    return (int)(status & 0xff);
}
