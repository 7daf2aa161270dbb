/* Safe points: how signals and other threads stop the program where it can be stopped. */
#ifndef RPY_BREAK_H
#define RPY_BREAK_H

#include "rpy_base.h"

/* Let the running thread call rpy_break at its next safe point.  May be called in a signal
 * handler and from any thread. */
extern RPY_HIDDEN void rpy_break_request(void);
/* The stack limit of the thread that runs: moving it up makes its next check of the stack a
 * safe point.  Whoever hands the program over to another thread sets it. */
extern RPY_HIDDEN char **volatile rpy_running_stack_limit;
/* What rpy_break calls besides looking for signals, when not NULL: lets another thread run. */
extern RPY_HIDDEN void (*rpy_break_hook)(void);

/* From now on SIGINT makes this thread raise KeyboardInterrupt, unless it is ignored. */
extern RPY_HIDDEN void rpy_interrupts_start(void);
/* Is there one for this thread, which its next safe point will raise? */
extern RPY_HIDDEN Bool rpy_interrupt_pending(void);
/* Die of SIGINT, as a program does that does not care about it. */
extern RPY_HIDDEN void rpy_interrupts_die(void);

#endif
