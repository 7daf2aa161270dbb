/* Reports an uncaught exception as CPython does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_source.h"

static int same_place(const rpy_location *a, const rpy_location *b)
{
    return a != NULL && b != NULL && a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

/* As CPython: outermost frame first, a place that repeats is shown three times. */
static void print_traceback(FILE *out)
{
    Signed index, repeated = 0, dropped = 0;
    const rpy_location *last = NULL;
    fputs("Traceback (most recent call last):\n", out);
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
                fprintf(out, "  [Previous line repeated %ld more time%s]\n", repeated - 2,
                        repeated == 3 ? "" : "s");
            if (dropped > 0)
                fprintf(out, "  [%ld more calls]\n", dropped);
            repeated = dropped = 0;
            last = where;
        }
        if (where != NULL) {
            fprintf(out, "  File \"%s\", line %d, in %s\n", where->file, where->line,
                    where->function);
            rpy_print_source_line(out, where);
        }
    }
}

void rpy_print_traceback(void *exc)
{
    if (rpy_look_at(exc) && rpy_traceback_size() > 0)
        print_traceback(stderr);
    rpy_look_at(NULL);
}

static void print_exception(FILE *out)
{
    Signed length = 0;
    const char *message, *name = rpy_exception_full_name(rpy_chain_exception());
    if (rpy_traceback_size() > 0)
        print_traceback(out);
    fputs(name, out);
    message = rpy_exception_message(rpy_chain_exception(), &length); /* may write */
    if (message != NULL && length > 0) {
        fputs(": ", out);
        fwrite(message, 1, (size_t)length, out);
    }
    fputc('\n', out);
    message = rpy_exception_note_lines(rpy_chain_exception(), &length);
    if (message != NULL && length > 0)
        fwrite(message, 1, (size_t)length, out);
}

static void print_chain(FILE *out, int length)
{
    int number;
    for (number = 0; number < length; number++) {
        rpy_before before = rpy_chain_look(number);
        if (before == RPY_CAUSE_BEFORE)
            fputs("\nThe above exception was the direct cause of the following exception:\n\n",
                  out);
        if (before == RPY_CONTEXT_BEFORE)
            fputs("\nDuring handling of the above exception, another exception occurred:\n\n",
                  out);
        print_exception(out);
    }
    rpy_chain_end();
}

void rpy_report_exception(void)
{
    int length = rpy_chain_start();
    rpy_exc = NULL;
    print_chain(stderr, length);
}

/* The last text that a program asked for; of each thread. */
char *rpy_reported;

static Signed report(int length, const char *nothing)
{
    size_t size = 0;
    FILE *out;
    free(rpy_reported);
    rpy_reported = NULL;
    out = open_memstream(&rpy_reported, &size);
    if (out == NULL)
        return -1;
    if (length > 0)
        print_chain(out, length);
    else
        fputs(nothing, out);
    return fclose(out) == 0 ? (Signed)size : -1;
}

Signed rpy_report_handled(void)
{
    return report(rpy_chain_start_handled(), "NoneType: None\n");
}

Signed rpy_report_of(void *exc)
{
    int length = rpy_chain_start_of(exc);
    return length > 0 ? report(length, "") : -1;
}

Signed rpy_report_byte(Signed index)
{
    return rpy_reported == NULL ? -1 : (unsigned char)rpy_reported[index];
}
