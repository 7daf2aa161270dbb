/* Signals that set a flag, which the program asks for. */
#ifndef RPY_SIGNAL_H
#define RPY_SIGNAL_H

#include "rpy_base.h"

/* What to do when the signal comes: nothing, what the system does, set its flag. */
extern RPY_HIDDEN void rpy_signal_ignore(Signed number);
extern RPY_HIDDEN void rpy_signal_default(Signed number);
extern RPY_HIDDEN void rpy_signal_setflag(Signed number);
/* The least signal whose flag is set, which is cleared; -1 if there is none. */
extern RPY_HIDDEN Signed rpy_signal_poll(void);
/* Send SIGALRM in so many seconds, 0: never; what was left of the last one. */
extern RPY_HIDDEN Signed rpy_signal_alarm(Signed seconds);
/* Wait for a signal. */
extern RPY_HIDDEN void rpy_signal_pause(void);

#endif
