/* os.read, os.write, os.open and os.close: what they give or, when they fail, -errno.
 *
 * `chars` is an array of the program: its length, then its bytes; `piece` is in raw memory.
 */
#ifndef RPY_IO_H
#define RPY_IO_H

#include "rpy_base.h"

extern RPY_HIDDEN Signed rpy_io_read(Signed fd, Char *piece, Signed count);
extern RPY_HIDDEN Signed rpy_io_write(Signed fd, void *chars, Signed count);
extern RPY_HIDDEN Signed rpy_io_open(Char *path, Signed flags, Signed mode);
extern RPY_HIDDEN Signed rpy_io_close(Signed fd);
/* What the operating system calls an errno value; NUL-terminated. */
extern RPY_HIDDEN Char *rpy_io_strerror(Signed number);

#endif
