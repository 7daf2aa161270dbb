/* The command line of an executable. */
#ifndef RPY_ARGS_H
#define RPY_ARGS_H

#include "rpy_base.h"

/* Number of arguments, the program's name included. */
extern RPY_HIDDEN Signed rpy_argc(void);
/* Argument `index` (in range), NUL-terminated. */
extern RPY_HIDDEN char *rpy_argv(Signed index);

#endif
