#include "rpy_io.h"
#include "rpy_os.h"

typedef struct {
    Signed length;
    Char items[];
} char_array;

static Signed result_or_error(Signed result)
{
    return result < 0 ? -rpy_errno() : result;
}

Signed rpy_io_read(Signed fd, void *chars, Signed count)
{
    return result_or_error(rpy_os_read(fd, ((char_array *)chars)->items, count));
}

Signed rpy_io_write(Signed fd, void *chars, Signed count)
{
    return result_or_error(rpy_os_write(fd, ((char_array *)chars)->items, count));
}

Signed rpy_io_open(Char *path, Signed flags, Signed mode)
{
    return result_or_error(rpy_os_open((const char *)path, flags, mode));
}

Signed rpy_io_close(Signed fd)
{
    return result_or_error(rpy_os_close(fd));
}

Char *rpy_io_strerror(Signed number)
{
    return (Char *)rpy_strerror(number);
}
