/* Reports an uncaught exception as CPython does. */
#include <stdio.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_source.h"

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
            rpy_print_source_line(stderr, where);
        }
    }
}

void rpy_print_traceback(void *exc)
{
    if (rpy_look_at(exc) && rpy_traceback_size() > 0)
        print_traceback();
    rpy_look_at(NULL);
}

static void print_exception(void)
{
    Signed length = 0;
    const char *message, *name = rpy_exception_full_name(rpy_chain_exception());
    if (rpy_traceback_size() > 0)
        print_traceback();
    fputs(name, stderr);
    message = rpy_exception_message(rpy_chain_exception(), &length); /* may write */
    if (message != NULL && length > 0) {
        fputs(": ", stderr);
        fwrite(message, 1, (size_t)length, stderr);
    }
    fputc('\n', stderr);
    message = rpy_exception_note_lines(rpy_chain_exception(), &length);
    if (message != NULL && length > 0)
        fwrite(message, 1, (size_t)length, stderr);
}

static void print_chain(int length)
{
    int number;
    for (number = 0; number < length; number++) {
        rpy_before before = rpy_chain_look(number);
        if (before == RPY_CAUSE_BEFORE)
            fputs("\nThe above exception was the direct cause of the following exception:\n\n",
                  stderr);
        if (before == RPY_CONTEXT_BEFORE)
            fputs("\nDuring handling of the above exception, another exception occurred:\n\n",
                  stderr);
        print_exception();
    }
    rpy_chain_end();
}

void rpy_report_exception(void)
{
    int length = rpy_chain_start();
    rpy_exc = NULL;
    print_chain(length);
}

void rpy_print_handled(void)
{
    int length = rpy_chain_start_handled();
    if (length > 0)
        print_chain(length);
    else
        fputs("NoneType: None\n", stderr);
}
