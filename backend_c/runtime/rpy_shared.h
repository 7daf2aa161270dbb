/* What a shared library offers its host besides the program's own exports. */
#ifndef RPY_SHARED_H
#define RPY_SHARED_H

#include "rpy_base.h"

/* Take the pending exception: returns the instance, NULL when there is none.  To be called
 * after every exported function that may raise. */
extern RPY_EXPORTED void *rpy_take_exception(void);
/* Its class: name, and the number (subclassrange_min) that identifies it. */
extern RPY_EXPORTED const char *rpy_get_exception_name(void *exc);
extern RPY_EXPORTED Signed rpy_get_exception_number(void *exc);
/* str(exc): `*length` bytes, or NULL. */
extern RPY_EXPORTED const char *rpy_get_exception_message(void *exc, Signed *length);
/* The traceback of the exception last raised, innermost frame first: entry `index` into
 * the three places, or 0 when there is none. */
extern RPY_EXPORTED Signed rpy_get_traceback_size(void);
extern RPY_EXPORTED int rpy_get_traceback_entry(Signed index, const char **file, int *line,
                                                const char **function);

#endif
