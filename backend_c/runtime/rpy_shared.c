#include "rpy_shared.h"
#include "rpy_args.h"
#include "rpy_core.h"

void *rpy_take_exception(void)
{
    void *exc = rpy_exc;
    rpy_exc = NULL;
    return exc;
}

const char *rpy_get_exception_name(void *exc)
{
    return rpy_exception_class_name(exc);
}

Signed rpy_get_exception_number(void *exc)
{
    return rpy_exception_class_number(exc);
}

const char *rpy_get_exception_message(void *exc, Signed *length)
{
    return rpy_exception_message(exc, length);
}

Signed rpy_get_traceback_size(void)
{
    return rpy_traceback_size();
}

int rpy_get_traceback_entry(Signed index, const char **file, int *line, const char **function)
{
    const rpy_location *where = rpy_traceback_entry(index);
    if (where == NULL)
        return 0;
    *file = where->file;
    *line = where->line;
    *function = where->function;
    return 1;
}

/* A library has no command line. */
Signed rpy_argc(void)
{
    return 0;
}

char *rpy_argv(Signed index)
{
    (void)index;
    return NULL;
}
