/* The operating system: what os.read, os.write, os.open, os.close and time need. */
#ifndef RPY_OS_H
#define RPY_OS_H

#include "rpy_base.h"

/* Each returns -1 on failure; rpy_errno() then says why.  Interrupted calls are repeated. */
/* Find out which of the three standard streams the program was started without; for such a one,
 * writing does nothing. */
extern RPY_HIDDEN void rpy_os_start(void);
extern RPY_HIDDEN Signed rpy_os_lost(Signed fd);
extern RPY_HIDDEN Signed rpy_os_read(Signed fd, void *buf, Signed count);
extern RPY_HIDDEN Signed rpy_os_write(Signed fd, const void *buf, Signed count);
extern RPY_HIDDEN Signed rpy_os_open(const char *path, Signed flags, Signed mode);
extern RPY_HIDDEN Signed rpy_os_close(Signed fd);
/* Move to `offset` from the start (0), the position (1) or the end (2); the new position. */
extern RPY_HIDDEN Signed rpy_os_lseek(Signed fd, Signed offset, Signed whence);
extern RPY_HIDDEN Signed rpy_os_isatty(Signed fd);
/* Do standard input and output pass on bytes that are no UTF-8?  It depends on the locale. */
extern RPY_HIDDEN Signed rpy_os_escapes(void);
extern RPY_HIDDEN Signed rpy_errno(void);
/* The message of an errno value, NUL-terminated, valid until the next call. */
extern RPY_HIDDEN char *rpy_strerror(Signed number);
/* The value of an environment variable, NULL when it is not set. */
extern RPY_HIDDEN char *rpy_os_getenv(const char *name);
/* Leave at once, without flushing anything. */
extern RPY_HIDDEN void rpy_os_exit(Signed status);

/* Seconds: since the epoch, of a clock that never goes back, of processor time. */
extern RPY_HIDDEN double rpy_time_time(void);
extern RPY_HIDDEN double rpy_time_monotonic(void);
extern RPY_HIDDEN double rpy_time_process(void);
/* The same clocks in nanoseconds. */
extern RPY_HIDDEN Signed rpy_time_time_ns(void);
extern RPY_HIDDEN Signed rpy_time_monotonic_ns(void);
extern RPY_HIDDEN void rpy_time_sleep(double seconds);

#endif
