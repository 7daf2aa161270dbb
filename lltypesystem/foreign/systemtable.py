"""The rows of ``lltypesystem.foreign.systemcalls``: functions of ``os`` and ``time`` that are
one call of the system, and the calls that ``rpython.rlib._system`` is made of.

Those that may fail and give a text give ``!`` and the number of the error then.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.foreign.systemcalls import PRELUDE, row
from rpython.lltypesystem.foreign.systemcalls import SYSTEM_CALLS as SYSTEM_CALLS

_FILES = ("rpy_files.h", "rpy_os.h")
"""The second because the first is built on it."""
_IO = ("rpy_io.h", "rpy_os.h")

# -- descriptors ------------------------------------------------------------------------------

row(os.open, "path:path flags:cint mode:cint=0o777", "int!", "rpy_io_open", headers=_IO,
    blocking=True)  # fmt: skip
row(os.close, "fd:fd", "none!", "rpy_io_close", headers=_IO)
row(os.lseek, "fd:fd position:int how:cint", "int!", "rpy_files_lseek", headers=_FILES)
row(os.ftruncate, "fd:fd length:int", "none!", "rpy_files_ftruncate", headers=_FILES)
row(os.fsync, "fd:fd", "none!", "rpy_files_fsync", headers=_FILES, blocking=True)
row(os.dup, "fd:fd", "int!", "rpy_files_dup", headers=_FILES)
row(os.dup2, "fd:fd fd2:fd inheritable:int=1", "int!",
    "a2 ? dup2((int)a0, (int)a1) : dup3((int)a0, (int)a1, O_CLOEXEC)")  # fmt: skip
row(os.isatty, "fd:fd", "bool", "rpy_files_isatty", headers=_FILES)

row(os.fdatasync, "fd:fd", "none!", "fdatasync((int)a0)", blocking=True)
row(os.fchmod, "fd:fd mode:cint", "none!", "fchmod((int)a0, (mode_t)a1)")
row(os.fchdir, "fd:fd", "none!", "fchdir((int)a0)")
row(os.sync, "", "none", "sync(); return 0;", blocking=True)
row(os.get_inheritable, "fd:fd", "bool!", """
    int flags = fcntl((int)a0, F_GETFD);
    return flags < 0 ? -(long)errno : !(flags & FD_CLOEXEC);
""")  # fmt: skip
row(os.get_blocking, "fd:fd", "bool!", """
    int flags = fcntl((int)a0, F_GETFL);
    return flags < 0 ? -(long)errno : !(flags & O_NONBLOCK);
""")  # fmt: skip
row(os.set_blocking, "fd:fd blocking:int", "none!", """
    int flags = fcntl((int)a0, F_GETFL), wanted = a1 ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
    return flags < 0 || fcntl((int)a0, F_SETFL, wanted) < 0 ? -(long)errno : 0;
""")  # fmt: skip
row(os.set_inheritable, "fd:fd inheritable:int", "none!",
    "fcntl((int)a0, F_SETFD, a1 ? 0 : FD_CLOEXEC)")  # fmt: skip

# -- paths ------------------------------------------------------------------------------------

row(os.unlink, "path:path", "none!", "rpy_files_unlink", headers=_FILES)
row(os.remove, "path:path", "none!", "rpy_files_unlink", headers=_FILES)
row(os.rmdir, "path:path", "none!", "rpy_files_rmdir", headers=_FILES)
row(os.mkdir, "path:path mode:cint=0o777", "none!", "rpy_files_mkdir", headers=_FILES)
row(os.access, "path:path mode:cint", "bool", "rpy_files_access", headers=_FILES)
row(os.rename, "src:path dst:path", "none!", "rename(a0, a1)")
row(os.replace, "src:path dst:path", "none!", "rename(a0, a1)")
row(os.link, "src:path dst:path", "none!", "link(a0, a1)")
row(os.symlink, "src:path dst:path", "none!", "symlink(a0, a1)")
row(os.truncate, "path:path length:int", "none!", "truncate(a0, a1)")
row(os.chmod, "path:path mode:cint", "none!", "chmod(a0, (mode_t)a1)")
row(os.chown, "path:path uid:uid gid:gid", "none!", "chown(a0, (uid_t)a1, (gid_t)a2)")
# (CPython names no path in the errors of these two)
row(os.mknod, "path:text mode:cint=0o600 device:device=0", "none!",
    "mknod(a0, (mode_t)a1, (dev_t)a2)")  # fmt: skip
row(os.mkfifo, "path:text mode:cint=0o666", "none!", "mkfifo(a0, (mode_t)a1)", blocking=True)
row(os.chdir, "path:path", "none!", "chdir(a0)")
row(os.chroot, "path:path", "none!", "chroot(a0)")
row(os.lchown, "path:path uid:uid gid:gid", "none!", "lchown(a0, (uid_t)a1, (gid_t)a2)")
row(os.major, "device:device", "int", "major((dev_t)a0)")
row(os.minor, "device:device", "int", "minor((dev_t)a0)")
row(os.makedev, "major:cint minor:cint", "int", "(long)makedev((unsigned)a0, (unsigned)a1)")

# -- processes --------------------------------------------------------------------------------

row(os.getpid, "", "int", "rpy_files_getpid", headers=_FILES)
row(os.getppid, "", "int", "getppid()")
row(os.getuid, "", "int", "getuid()")
row(os.geteuid, "", "int", "geteuid()")
row(os.getgid, "", "int", "getgid()")
row(os.getegid, "", "int", "getegid()")
row(os.getpgid, "pid:cint", "int!", "getpgid((pid_t)a0)")
row(os.getpgrp, "", "int", "getpgrp()")
row(os.killpg, "pgid:cint signal:cint", "none!", "killpg((pid_t)a0, (int)a1)")
row(os.getsid, "pid:cint", "int!", "getsid((pid_t)a0)")
row(os.setsid, "", "none!", "setsid()")
row(os.setpgid, "pid:cint pgrp:cint", "none!", "setpgid((pid_t)a0, (pid_t)a1)")
row(os.setpgrp, "", "none!", "setpgrp()")
row(os.tcgetpgrp, "fd:fd", "int!", "tcgetpgrp((int)a0)")
row(os.tcsetpgrp, "fd:fd pgid:cint", "none!", "tcsetpgrp((int)a0, (pid_t)a1)")


def _identity(function: Any, *parameters: str) -> None:
    """A call that sets ids of users or groups.  -1 leaves one as it is, where it may."""
    ids = ", ".join(f"(uid_t)a{i}" for i in range(len(parameters)))
    row(function, " ".join(f"{name}:{name[-3:]}" for name in parameters), "none!",
        f"{function.__name__}({ids})")  # fmt: skip


_identity(os.setuid, "uid")
_identity(os.setgid, "gid")
_identity(os.seteuid, "euid")
_identity(os.setegid, "egid")
_identity(os.setreuid, "ruid", "euid")
_identity(os.setregid, "rgid", "egid")
_identity(os.setresuid, "ruid", "euid", "suid")
_identity(os.setresgid, "rgid", "egid", "sgid")
row(os.umask, "mask:cint", "int", "umask((mode_t)a0)")
row(os.kill, "pid:cint signal:cint", "none!", "rpy_files_kill", headers=_FILES)
row(os.fork, "", "int!", "fork()")
row(os._exit, "status:cint", "none", "_exit((int)a0); return 0;")
row(os.abort, "", "none", "abort(); return 0;")
row(os.system, "command:text", "int", "system(a0)", blocking=True)
row(os.cpu_count, "", "int", "sysconf(_SC_NPROCESSORS_ONLN)")
row(os.strerror, "code:cint", "text", "strerror((int)a0)")

# -- clocks -----------------------------------------------------------------------------------

row(time.time, "", "float", "rpy_files_time", headers=_FILES)
row(time.monotonic, "", "float", "rpy_files_monotonic", headers=_FILES)
row(time.perf_counter, "", "float", "rpy_files_monotonic", headers=_FILES)
row(time.process_time, "", "float", "rpy_files_process_time", headers=_FILES)


def _nanoseconds(function: Any, clock: str) -> None:
    row(function, "", "int", f"""
        struct timespec t;
        clock_gettime({clock}, &t);
        return t.tv_sec * 1000000000L + t.tv_nsec;
    """)  # fmt: skip


_nanoseconds(time.thread_time_ns, "CLOCK_THREAD_CPUTIME_ID")
_nanoseconds(time.time_ns, "CLOCK_REALTIME")
_nanoseconds(time.monotonic_ns, "CLOCK_MONOTONIC")
_nanoseconds(time.perf_counter_ns, "CLOCK_MONOTONIC")
_nanoseconds(time.process_time_ns, "CLOCK_PROCESS_CPUTIME_ID")


# -- what rpython.rlib._system is made of -----------------------------------------------------


def _text_or_error(function: Callable[[], str]) -> str:
    try:
        return function()
    except OSError as error:
        return f"!{error.errno}"


def _status_text(found: os.stat_result) -> str:
    return " ".join(
        str(n) for n in (
            found.st_mode, found.st_ino, found.st_dev, found.st_nlink, found.st_uid, found.st_gid,
            found.st_size, found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns,
            found.st_blksize, found.st_blocks,
        )
    )  # fmt: skip


def path_status(path: str, follow: int) -> str:
    """The numbers of ``os.stat``."""
    return _text_or_error(lambda: _status_text(os.stat(path, follow_symlinks=bool(follow))))


def set_times(path: str, atime: int, accessed: int, mtime: int, modified: int) -> None:
    """``os.utime``: seconds and nanoseconds."""
    os.utime(path, ns=(atime * 10**9 + accessed, mtime * 10**9 + modified))


row(set_times, "path:text atime:int accessed:int mtime:int modified:int", "none!",
    "utimensat(AT_FDCWD, a0, (struct timespec[2]){{a1, a2}, {a3, a4}}, 0)")  # fmt: skip


def fd_status(fd: int) -> str:
    """The same for an open file."""
    return _text_or_error(lambda: _status_text(os.fstat(fd)))


_STATUS = """
    struct stat s;
    if (%s < 0)
        return rpy_failed();
    sprintf(rpy_need(400), "%%ld %%ld %%ld %%ld %%ld %%ld %%ld %%ld %%ld %%ld %%ld %%ld",
            (long)s.st_mode, (long)s.st_ino, (long)s.st_dev, (long)s.st_nlink, (long)s.st_uid,
            (long)s.st_gid, (long)s.st_size, s.st_atim.tv_sec * 1000000000L + s.st_atim.tv_nsec,
            s.st_mtim.tv_sec * 1000000000L + s.st_mtim.tv_nsec,
            s.st_ctim.tv_sec * 1000000000L + s.st_ctim.tv_nsec,
            (long)s.st_blksize, (long)s.st_blocks);
    return (unsigned char *)rpy_text;
"""
row(path_status, "path:path follow:int", "text", _STATUS % "(a1 ? stat(a0, &s) : lstat(a0, &s))")
row(fd_status, "fd:fd", "text", _STATUS % "fstat((int)a0, &s)")


def disk_status(path: str) -> str:
    """The numbers of ``os.statvfs``."""
    return _text_or_error(lambda: " ".join(map(str, os.statvfs(path))))


row(disk_status, "path:path", "text", """
    struct statvfs s;
    if (statvfs(a0, &s) < 0)
        return rpy_failed();
    sprintf(rpy_need(300), "%lu %lu %lu %lu %lu %lu %lu %lu %lu %lu", (unsigned long)s.f_bsize,
            (unsigned long)s.f_frsize, (unsigned long)s.f_blocks, (unsigned long)s.f_bfree,
            (unsigned long)s.f_bavail, (unsigned long)s.f_files, (unsigned long)s.f_ffree,
            (unsigned long)s.f_favail, (unsigned long)s.f_flag, (unsigned long)s.f_namemax);
    return (unsigned char *)rpy_text;
""", prelude=PRELUDE + "#include <sys/statvfs.h>\n")  # fmt: skip


_NUMBER = """
    errno = 0;
    long n = %s;
    if (n < 0 && errno)
        return rpy_failed();
    sprintf(rpy_need(32), "%%ld", n);
    return (unsigned char *)rpy_text;
"""


def system_limit(name: int) -> str:
    """``os.sysconf`` of a number."""
    return _text_or_error(lambda: str(os.sysconf(name)))


def path_limit(path: str, name: int) -> str:
    """``os.pathconf`` of a number."""
    return _text_or_error(lambda: str(os.pathconf(path, name)))


def fd_limit(fd: int, name: int) -> str:
    """``os.fpathconf`` of a number."""
    return _text_or_error(lambda: str(os.fpathconf(fd, name)))


def system_text(name: int) -> str:
    """``os.confstr`` of a number, with ``=`` before it; "" where there is none."""

    def given() -> str:
        found = os.confstr(name)
        return "" if found is None else "=" + found

    return _text_or_error(given)


row(system_limit, "name:cint", "text", _NUMBER % "sysconf((int)a0)")
row(path_limit, "path:path name:cint", "text", _NUMBER % "pathconf(a0, (int)a1)")
row(fd_limit, "fd:fd name:cint", "text", _NUMBER % "fpathconf((int)a0, (int)a1)")
row(system_text, "name:cint", "text", """
    errno = 0;
    size_t size = confstr((int)a0, NULL, 0);
    if (size == 0 && errno)
        return rpy_failed();
    rpy_need(size + 2)[0] = 0;
    if (size > 0) {
        rpy_text[0] = '=';
        confstr((int)a0, rpy_text + 1, size);
    }
    return (unsigned char *)rpy_text;
""")  # fmt: skip


def terminal_columns(fd: int) -> int:
    """``os.get_terminal_size(fd).columns``, 0 if that is no terminal."""
    try:
        return os.get_terminal_size(fd).columns
    except OSError:
        return 0


row(terminal_columns, "fd:fd", "int", """
    struct winsize size;
    return ioctl((int)a0, TIOCGWINSZ, &size) ? 0 : size.ws_col;
""", prelude=PRELUDE + "#include <sys/ioctl.h>\n")  # fmt: skip


def group_numbers() -> str:
    """The supplementary groups, a space after each."""
    return _text_or_error(lambda: "".join(f"{group} " for group in os.getgroups()))


row(group_numbers, "", "text", """
    int count = getgroups(0, NULL);
    gid_t *groups = count < 0 ? NULL : malloc((count + 1) * sizeof *groups);
    if (groups)
        count = getgroups(count, groups);
    if (count < 0 || !groups) {
        free(groups);
        return rpy_failed();
    }
    char *out = rpy_need(count * 12 + 1);
    *out = 0;
    for (int i = 0; i < count; i++)
        out += sprintf(out, "%lu ", (unsigned long)groups[i]);
    free(groups);
    return (unsigned char *)rpy_text;
""")  # fmt: skip


def set_group_numbers(numbers: str, count: int) -> None:
    """``os.setgroups`` of numbers, a space after each."""
    os.setgroups([int(number) for number in numbers.split()])


row(set_group_numbers, "numbers:text count:int", "none!", """
    gid_t *groups = malloc((a1 + 1) * sizeof *groups);
    char *next = (char *)a0;
    if (!groups)
        return -(long)errno;
    for (long i = 0; i < a1; i++)
        groups[i] = (gid_t)strtoul(next, &next, 10);
    int failed = setgroups((size_t)a1, groups) < 0 ? errno : 0;
    free(groups);
    return -(long)failed;
""")  # fmt: skip


def process_times() -> str:
    """The clock ticks that ``os.times`` gives, and how many are a second."""
    second = os.sysconf("SC_CLK_TCK")
    return " ".join(str(round(part * second)) for part in (*os.times(), 1))


row(process_times, "", "text", """
    struct tms t;
    clock_t elapsed = times(&t);
    if (elapsed == (clock_t)-1)
        return rpy_failed();
    sprintf(rpy_need(150), "%ld %ld %ld %ld %ld %ld", (long)t.tms_utime, (long)t.tms_stime,
            (long)t.tms_cutime, (long)t.tms_cstime, (long)elapsed, sysconf(_SC_CLK_TCK));
    return (unsigned char *)rpy_text;
""")  # fmt: skip


def directory_names(path: str) -> str:
    """The names in a directory, each with ``/`` before it."""
    return _text_or_error(lambda: "".join("/" + name for name in os.listdir(path)))


row(directory_names, "path:path", "text", """
    DIR *directory = opendir(a0);
    struct dirent *entry;
    size_t used = 0;
    if (!directory)
        return rpy_failed();
    rpy_need(1)[0] = 0;
    while (errno = 0, (entry = readdir(directory))) {
        size_t size = strlen(entry->d_name) + 1;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        rpy_need(used + size + 1)[used] = '/';
        memcpy(rpy_text + used + 1, entry->d_name, size);
        used += size;
    }
    int error = errno;
    closedir(directory);
    errno = error;
    return error ? rpy_failed() : (unsigned char *)rpy_text;
""")  # fmt: skip


def link_target(path: str) -> str:
    """Where a symbolic link leads, with ``=`` before it."""
    return _text_or_error(lambda: "=" + os.readlink(path))


row(link_target, "path:path", "text", """
    size_t room = 256;
    ssize_t size;
    for (;;) {
        size = readlink(a0, rpy_need(room + 2) + 1, room);
        if (size < 0)
            return rpy_failed();
        if ((size_t)size < room)
            break;
        room *= 2;
    }
    rpy_text[0] = '=';
    rpy_text[size + 1] = 0;
    return (unsigned char *)rpy_text;
""")  # fmt: skip


def current_directory() -> str:
    """The working directory."""
    return _text_or_error(os.getcwd)


row(current_directory, "", "text", """
    size_t room = 256;
    while (!getcwd(rpy_need(room), room)) {
        if (errno != ERANGE)
            return rpy_failed();
        room *= 2;
    }
    return (unsigned char *)rpy_text;
""")  # fmt: skip


def make_pipe() -> int:
    """Two descriptors: reading + 2**32 * writing."""
    reading, writing = os.pipe()
    return reading | writing << 32


row(make_pipe, "", "int!", """
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) < 0)
        return -(long)errno;
    return fds[0] | (long)fds[1] << 32;
""")  # fmt: skip


def wait_for(pid: int, options: int) -> int:
    """A process that ended and its status: status + 2**32 * process."""
    found, status = os.waitpid(pid, options)
    return status | found << 32


row(wait_for, "pid:cint options:cint", "int!", """
    int status = 0;
    pid_t found;
    do
        found = waitpid((pid_t)a0, &status, (int)a1);
    while (found < 0 && errno == EINTR && !rpy_interrupt_pending());
    if (found < 0)
        return -(long)errno;
    return (long)status | (long)found << 32;
""", blocking=True)  # fmt: skip


def _split(texts: str) -> list[str]:
    return [t.replace("\1\2", "\1") for t in texts.split("\1\1")] if texts else []


def run_program(path: str, arguments: str) -> int:
    """Become another program; what it gives is the number of an error."""
    os.execv(path, _split(arguments))
    return errno.ENOEXEC


def run_program_in(path: str, arguments: str, environment: str) -> int:
    """The same with other variables of the environment."""
    pairs = [variable.partition("=") for variable in _split(environment)]
    os.execve(path, _split(arguments), {name: value for name, _, value in pairs})
    return errno.ENOEXEC


row(run_program, "path:text arguments:text", "none!", "execv(a0, rpy_list(a1))")
row(run_program_in, "path:path arguments:text environment:text", "none!",
    "execve(a0, rpy_list(a1), rpy_list(a2))")  # fmt: skip


def variable_at(index: int) -> str | None:
    """A variable of the environment as ``name=value``; None after the last."""
    found = [f"{name}={value}" for name, value in os.environ.items()]
    return found[index] if index < len(found) else None


def set_variable(name: str, value: str) -> None:
    """Set a variable of the environment."""
    os.putenv(name, value)


def unset_variable(name: str) -> None:
    """Remove a variable of the environment."""
    os.unsetenv(name)


row(variable_at, "index:int", "text", "environ ? environ[a0] : 0")
row(set_variable, "name:text value:text", "none!", "setenv(a0, a1, 1)")
row(unset_variable, "name:text", "none!", "unsetenv(a0)")


def broken_time(seconds: int, local: int) -> str:
    """A point in time as its nine numbers."""

    def found() -> str:
        t = (time.localtime if local else time.gmtime)(seconds)
        return " ".join(map(str, t[:9]))

    return _text_or_error(found)


row(broken_time, "seconds:int local:int", "text", """
    time_t seconds = a0;
    struct tm t;
    memset(&t, 0, sizeof t);
    if (a1)
        tzset();
    if (!(a1 ? localtime_r(&seconds, &t) : gmtime_r(&seconds, &t))) {
        errno = EOVERFLOW;
        return rpy_failed();
    }
    sprintf(rpy_need(300), "%ld %d %d %d %d %d %d %d %d", t.tm_year + 1900L, t.tm_mon + 1,
            t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, (t.tm_wday + 6) % 7, t.tm_yday + 1,
            t.tm_isdst);
    return (unsigned char *)rpy_text;
""")  # fmt: skip

_TM = """
    struct tm t;
    memset(&t, 0, sizeof t);
    t.tm_year = (int)(a%d - 1900);
    t.tm_mon = (int)a%d - 1;
    t.tm_mday = (int)a%d;
    t.tm_hour = (int)a%d;
    t.tm_min = (int)a%d;
    t.tm_sec = (int)a%d;
    t.tm_wday = (int)(a%d + 1) %% 7;
    t.tm_yday = (int)a%d - 1;
    t.tm_isdst = (int)a%d;
"""
_NINE = "y:cint m:cint d:cint H:cint M:cint S:cint w:cint j:cint dst:cint"


def formatted_time(
    format: str, y: int, m: int, d: int, H: int, M: int, S: int, w: int, j: int, dst: int,
    zone: int,
) -> str:  # fmt: skip
    """``time.strftime``.  ``zone``: ``%z`` is that of no zone, of the local time (1), of UTC."""
    t: Any = (y, m, d, H, M, S, w, j, dst)
    if zone:
        known = time.localtime(time.mktime(t)) if zone == 1 else time.gmtime(0)
        t = time.struct_time((*t, known.tm_zone, known.tm_gmtoff))
    return time.strftime(os.fsdecode(format), t)


row(formatted_time, f"format:text {_NINE} zone:cint", "text", _TM % tuple(range(1, 10)) + """
    size_t room = 1024;
    if (a10) {
        struct tm known = t;
        time_t start = 0;
        tzset();
        if (a10 == 1)
            mktime(&known);
        else
            gmtime_r(&start, &known);
        t.tm_gmtoff = known.tm_gmtoff;
        t.tm_zone = known.tm_zone;
    }
    for (;;) {
        rpy_need(room)[0] = 0;
        if (strftime(rpy_text, room, a0, &t) || room > 256 * (strlen(a0) + 4))
            return (unsigned char *)rpy_text;
        room *= 2;
    }
""")  # fmt: skip


def made_time(y: int, m: int, d: int, H: int, M: int, S: int, w: int, j: int, dst: int) -> int:
    """``time.mktime``; the smallest int when there is no such time."""
    try:
        return int(time.mktime((y, m, d, H, M, S, w, j, dst)))
    except OverflowError:
        return -(2**63)


row(made_time, _NINE, "int", _TM % tuple(range(9)) + """
    t.tm_wday = -1;
    tzset();
    time_t made = mktime(&t);
    return made == (time_t)-1 && t.tm_wday == -1 ? -0x7fffffffffffffffL - 1 : made;
""")  # fmt: skip

