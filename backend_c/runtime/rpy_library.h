/* Around the calls that C makes of a shared library; the generated library.c uses it. */
#ifndef RPY_LIBRARY_H
#define RPY_LIBRARY_H

#include "rpy_base.h"

/* Before a call and after it, with what the former gave; one thread at a time calls, others
 * wait.  What the call raised is from then on the error of this thread, until its next call. */
extern RPY_HIDDEN int rpy_library_enter(void);
extern RPY_HIDDEN void rpy_library_leave(int entered);

/* The error of this thread: the name of its class, or NULL; its text; the lines that Python
 * prints for it. */
extern RPY_HIDDEN const char *rpy_library_error(void);
extern RPY_HIDDEN const char *rpy_library_error_message(void);
extern RPY_HIDDEN const char *rpy_library_error_traceback(void);

/* Make the library ready; call the finalizers that are left, and write out what it still holds.
 * What the second raises is the error of this thread, and 1 the result. */
extern RPY_HIDDEN int rpy_library_startup(void);
extern RPY_HIDDEN int rpy_library_teardown(void);

/* ---- defined by the generated library.c ---- */

extern RPY_HIDDEN void rpy_library_flush(void);
extern RPY_HIDDEN void rpy_library_finalize(void);

#endif
