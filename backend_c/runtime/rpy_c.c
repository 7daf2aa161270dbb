/* See rpy_c.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpy_c.h"
#include "rpy_core.h"

static __thread int saved_errno;

Signed rpy_c_alloc(Signed size)
{
    if (size < 0)
        return 0;
    return (Signed)calloc(size ? size : 1, 1);
}

void rpy_c_free(Signed address)
{
    free((void *)address);
}

Signed rpy_c_find_zero(Signed address, Signed limit)
{
    if (limit < 0)
        return strlen((const char *)address);
    return strnlen((const char *)address, limit);
}

Signed rpy_c_get_errno(void)
{
    return saved_errno;
}

void rpy_c_set_errno(Signed value)
{
    saved_errno = (int)value;
}

int rpy_c_raised(const char *function)
{
    void *exc = rpy_exc;
    const char *message;
    Signed length = 0, index;
    if (exc == NULL)
        return 0;
    rpy_exc = NULL;
    fprintf(stderr, "Exception ignored from cffi callback %s:\n", function);
    fputs("Traceback (most recent call last):\n", stderr);
    for (index = rpy_traceback_size() - 1; index >= 0; index--) {
        const rpy_location *where = rpy_traceback_entry(index);
        if (where != NULL)
            fprintf(stderr, "  File \"%s\", line %d, in %s\n", where->file, where->line,
                    where->function);
    }
    message = rpy_exception_message(exc, &length);
    fputs(rpy_exception_class_name(exc), stderr);
    if (message != NULL && length > 0)
        fprintf(stderr, ": %.*s", (int)length, message);
    fputc('\n', stderr);
    rpy_give_back(exc);
    return 1;
}
