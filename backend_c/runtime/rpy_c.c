/* See rpy_c.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpy_c.h"

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

void rpy_c_called_back(void)
{
    if (rpy_exc != NULL) {
        rpy_exc = NULL;
        fputs("From cffi callback: an exception\n", stderr);
    }
}
