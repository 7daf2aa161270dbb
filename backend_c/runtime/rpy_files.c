#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rpy_files.h"
#include "rpy_os.h"

static Signed result_or_error(Signed result)
{
    return result < 0 ? -(Signed)errno : result;
}

Signed rpy_files_lseek(Signed fd, Signed offset, Signed whence)
{
    return result_or_error(lseek((int)fd, offset, (int)whence));
}

Signed rpy_files_ftruncate(Signed fd, Signed length)
{
    return result_or_error(ftruncate((int)fd, length));
}

Signed rpy_files_fsync(Signed fd)
{
    return result_or_error(fsync((int)fd));
}

Signed rpy_files_dup(Signed fd)
{
    return result_or_error(fcntl((int)fd, F_DUPFD_CLOEXEC, 0));
}

Signed rpy_files_isatty(Signed fd)
{
    return isatty((int)fd);
}

Signed rpy_files_unlink(Char *path)
{
    return result_or_error(unlink((const char *)path));
}

Signed rpy_files_rmdir(Char *path)
{
    return result_or_error(rmdir((const char *)path));
}

Signed rpy_files_mkdir(Char *path, Signed mode)
{
    return result_or_error(mkdir((const char *)path, (mode_t)mode));
}

Signed rpy_files_access(Char *path, Signed mode)
{
    return access((const char *)path, (int)mode) == 0;
}

Signed rpy_files_getcwd(Char *path, Signed size)
{
    return getcwd((char *)path, (size_t)size) == NULL ? -(Signed)errno : 0;
}

Signed rpy_files_kill(Signed process, Signed number)
{
    return result_or_error(kill((pid_t)process, (int)number));
}

Signed rpy_files_getpid(void)
{
    return getpid();
}

double rpy_files_time(void)
{
    return rpy_time_time();
}

double rpy_files_monotonic(void)
{
    return rpy_time_monotonic();
}

double rpy_files_process_time(void)
{
    return rpy_time_process();
}

void rpy_files_sleep(double seconds)
{
    rpy_time_sleep(seconds);
}
