/* Native code that waits while Python runs: rpy_module_suspend.c. */
#ifndef RPY_MODULE_SUSPEND_H
#define RPY_MODULE_SUSPEND_H

#include "rpy_gil.h"
#include "rpy_module.h"

/* Native code that has called Python. */
typedef struct {
    rpy_thread *thread;
    char **limit; /* see rpm_long */
    char saved[1024] __attribute__((aligned(16))); /* on the C stack, for conservative collectors */
} rpm_suspended;

/* Put the globals of native code away, so that whoever enters now begins with fresh ones; and take
 * them back, when no native code runs. */
extern RPY_HIDDEN void rpm_suspend(rpm_suspended *native);
extern RPY_HIDDEN void rpm_resume(rpm_suspended *native);

/* Between the two no other thread gets into native code; the result of the first is the argument
 * of the second. */
extern RPY_HIDDEN int rpm_keep_others_out(void);
extern RPY_HIDDEN void rpm_let_others_in(int before);
/* Let other threads run Python for a moment, at a safe point. */
extern RPY_HIDDEN void rpm_yield(void);
/* PyErr_CheckSignals, also where native code runs without Python's lock. */
extern RPY_HIDDEN int rpm_look_for_signals(void);

/* Be ready to start the clock; and stop it. */
extern RPY_HIDDEN void rpm_clock_start(void);
extern RPY_HIDDEN void rpm_stop_ticking(void);

#endif
