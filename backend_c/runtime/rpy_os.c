#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rpy_break.h"
#include "rpy_os.h"

/* Kept apart from errno: whatever runs between the failing call and rpy_errno() may
 * change errno. */
static int last_errno;

static Signed checked(Signed result)
{
    if (result < 0)
        last_errno = errno;
    return result;
}

static Bool lost[3];

void rpy_os_start(void)
{
    int fd;
    for (fd = 0; fd < 3; fd++)
        lost[fd] = fcntl(fd, F_GETFD) < 0;
}

Signed rpy_os_lost(Signed fd)
{
    return lost[fd];
}

Signed rpy_os_read(Signed fd, void *buf, Signed count)
{
    ssize_t result;
    do
        result = read((int)fd, buf, (size_t)count);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return checked(result);
}

Signed rpy_os_write(Signed fd, const void *buf, Signed count)
{
    ssize_t result;
    if (fd >= 0 && fd < 3 && lost[fd])
        return count; /* what has this number now, if anything, is another file */
    do
        result = write((int)fd, buf, (size_t)count);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return checked(result);
}

#ifdef RPY_HOST_O_DIRECTORY
/* A program built on another machine has that machine's numbers. */
static int flags_of_open(int flags)
{
    int all = RPY_HOST_O_DIRECTORY | RPY_HOST_O_NOFOLLOW | RPY_HOST_O_DIRECT;
    return (flags & ~all) | (flags & RPY_HOST_O_DIRECTORY ? O_DIRECTORY : 0) |
           (flags & RPY_HOST_O_NOFOLLOW ? O_NOFOLLOW : 0) |
           (flags & RPY_HOST_O_DIRECT ? O_DIRECT : 0);
}
#else
#define flags_of_open(flags) (flags)
#endif

Signed rpy_os_open(const char *path, Signed flags, Signed mode)
{
    int result;
    do
        result = open(path, flags_of_open((int)flags) | O_CLOEXEC, (mode_t)mode);
    while (result < 0 && errno == EINTR && !rpy_interrupt_pending());
    return checked(result);
}

Signed rpy_os_close(Signed fd)
{
    return checked(close((int)fd));
}

Signed rpy_os_lseek(Signed fd, Signed offset, Signed whence)
{
    return checked(lseek((int)fd, offset, (int)whence));
}

Signed rpy_os_isatty(Signed fd)
{
    return isatty((int)fd);
}

Signed rpy_os_escapes(void)
{
    static const char *const plain[] = { "C", "POSIX", "C.UTF-8", "C.utf8", "UTF-8" };
    static int known = -1;
    if (known < 0) {
        const char *name = setlocale(LC_CTYPE, "");
        size_t i;
        known = name == NULL;
        for (i = 0; name != NULL && i < sizeof plain / sizeof *plain; i++)
            known |= strcmp(name, plain[i]) == 0;
    }
    return known;
}

Signed rpy_errno(void)
{
    return last_errno;
}

char *rpy_strerror(Signed number)
{
    return strerror((int)number);
}

char *rpy_os_getenv(const char *name)
{
    return getenv(name);
}

void rpy_os_exit(Signed status)
{
    _exit((int)(status & 0xff));
}

static Signed clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

Signed rpy_time_time_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

Signed rpy_time_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

double rpy_time_time(void)
{
    return (double)rpy_time_time_ns() * 1e-9;
}

double rpy_time_monotonic(void)
{
    return (double)rpy_time_monotonic_ns() * 1e-9;
}

double rpy_time_process(void)
{
    return (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID) * 1e-9;
}

void rpy_time_sleep(double seconds)
{
    struct timespec left;
    if (!(seconds > 0.0))
        return;
    left.tv_sec = (time_t)seconds;
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (!rpy_interrupt_pending()) {
        /* at most a second, because a signal may come just before it */
        struct timespec piece = left, rest = { 0, 0 };
        if (piece.tv_sec >= 1) {
            piece.tv_sec = 1;
            piece.tv_nsec = 0;
        }
        nanosleep(&piece, &rest);
        left.tv_sec -= piece.tv_sec - rest.tv_sec;
        left.tv_nsec -= piece.tv_nsec - rest.tv_nsec;
        if (left.tv_nsec < 0) {
            left.tv_nsec += 1000000000L;
            left.tv_sec--;
        } else if (left.tv_nsec >= 1000000000L) {
            left.tv_nsec -= 1000000000L;
            left.tv_sec++;
        }
        if (left.tv_sec < 0 || (left.tv_sec == 0 && left.tv_nsec == 0))
            return;
    }
}
