#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rpy_break.h"
#include "rpy_io.h"
#include "rpy_os.h"
#include "rpy_gil.h"

typedef struct {
    Signed length;
    Char items[];
} char_array;

static Signed result_or_error(Signed result)
{
    return result < 0 ? -rpy_errno() : result;
}

/* Not by way of rpy_errno(): other threads run meanwhile. */
Signed rpy_io_read(Signed fd, Char *piece, Signed count)
{
    ssize_t result;
    do
        result = read((int)fd, piece, (size_t)count);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return result < 0 ? -(Signed)errno : result;
}

static Signed write_some(Signed fd, const Char *items, Signed count)
{
    ssize_t result;
    do
        result = write((int)fd, items, (size_t)count);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return result < 0 ? -(Signed)errno : result;
}

Signed rpy_io_write(Signed fd, void *chars, Signed count)
{
    Char *items = ((char_array *)chars)->items, *copy;
    Signed result;
    if (rpy_the_lock == NULL)
        return write_some(fd, items, count);
    copy = malloc((Unsigned)count + 1); /* other threads may move the array */
    if (copy == NULL)
        return -ENOMEM;
    memcpy(copy, items, (Unsigned)count);
    rpy_lock_release();
    result = write_some(fd, copy, count);
    rpy_lock_take();
    free(copy);
    return result;
}

Signed rpy_io_open(Char *path, Signed flags, Signed mode)
{
    int result;
    do
        result = open((const char *)path, (int)flags | O_CLOEXEC, (mode_t)mode);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return result < 0 ? -(Signed)errno : result;
}

Signed rpy_io_close(Signed fd)
{
    return result_or_error(rpy_os_close(fd));
}

Char *rpy_io_strerror(Signed number)
{
    return (Char *)rpy_strerror(number);
}
