/* Threads: POSIX threads of which one at a time runs the program.
 *
 * The thread that holds the lock runs.  It gives the lock back around calls of the system that
 * may take long (rpy_gil.h: generated code does so around calls)
 * and, at a safe point (rpy_break.h), when another one has waited for some milliseconds.
 *
 * What the runtime keeps for the running thread is in ordinary globals: the pending exception,
 * its traceback, the stack of roots.  They are exchanged when another thread than the last one
 * gets the lock, so a program without threads pays nothing.
 */
#ifndef RPY_THREAD_H
#define RPY_THREAD_H

#include "rpy_base.h"

/* Start a thread: it calls run(number); when that raises, failed(number), which may print a
 * title, and the traceback is printed; then done(number).  The program waits at its end for those
 * that are not `daemon`.  Gives the identity of the thread, or a negative error number. */
extern RPY_HIDDEN Signed rpy_thread_start(void (*run)(Signed), void (*failed)(Signed),
                                          void (*done)(Signed), Signed number, Signed daemon);
/* The number of the running thread, 0 for the main thread, and its identity. */
extern RPY_HIDDEN Signed rpy_thread_number(void);
extern RPY_HIDDEN Signed rpy_thread_identity(void);
/* The identity by which the system knows it. */
extern RPY_HIDDEN Signed rpy_thread_native_identity(void);

/* Wait until another thread calls rpy_thread_wake(place), so many seconds at most unless that is
 * negative.  It may come back earlier: the caller looks whether what it waits for has happened. */
extern RPY_HIDDEN void rpy_thread_wait(Signed place, double seconds);
/* Wake one of those who wait at that place, the one that has waited longest. */
extern RPY_HIDDEN void rpy_thread_wake(Signed place);

/* How much stack threads get that start from now on, 0: what the system gives; the old value. */
extern RPY_HIDDEN Signed rpy_thread_set_stack_size(Signed size);

/* How often the program has forked: only the forking thread goes on in the child. */
extern RPY_HIDDEN Signed rpy_thread_forks(void);

#endif
