/* What the runtime of every program knows of threads: that there may be several, one of which
 * runs.  See rpy_thread.h. */
#ifndef RPY_GIL_H
#define RPY_GIL_H

#include "rpy_base.h"

/* A thread; what is here is up to date while it does not run. */
typedef struct rpy_thread {
    struct rpy_thread *next, **previous;
    Signed number;
    char *saved; /* the values of rpy_thread_globals, one behind the other */
    void **roots, **roots_bottom; /* of a collector that moves objects: its stack of roots */
    Unsigned roots_size, stack_size; /* in bytes; the latter: of its C stack */
} rpy_thread;

/* The threads that do not run. */
extern RPY_HIDDEN rpy_thread *rpy_threads;
extern RPY_HIDDEN void rpy_thread_link(rpy_thread *thread);
extern RPY_HIDDEN void rpy_thread_unlink(rpy_thread *thread);

typedef struct {
    void *place;
    Unsigned size;
    int fill; /* every byte of the first value */
} rpy_thread_global;

/* The globals about exceptions, of which every thread has its own values, up to one at NULL. */
extern RPY_HIDDEN const rpy_thread_global rpy_thread_globals[];

/* The place where a thread that does not run keeps exception number 0, 1...; NULL: it has no
 * more places. */
extern RPY_HIDDEN void **rpy_thread_exception_root(rpy_thread *thread, int number);

/* At the end of the running thread: it does not need the memory behind these any more. */
extern RPY_HIDDEN void rpy_thread_exceptions_end(void);

/* What has to be done at the end of the program, if anything. */
extern RPY_HIDDEN void (*rpy_before_exit)(void);

/* The lock that the running thread has; NULL as long as there is one thread. */
typedef struct {
    void (*release)(void), (*take)(void);
    int (*enter)(void);
    int (*started_here)(void); /* is the calling thread one of the program's own? */
} rpy_lock;
extern RPY_HIDDEN const rpy_lock *rpy_the_lock;

/* Let other threads run, and wait until this one may go on.  Keeps errno. */
extern RPY_HIDDEN void rpy_lock_release(void);
extern RPY_HIDDEN void rpy_lock_take(void);
/* Around a function of the program that C calls: take the lock, unless this thread has it; give
 * it back if so. */
extern RPY_HIDDEN int rpy_lock_enter(void);
extern RPY_HIDDEN void rpy_lock_leave(int entered);

/* ---- what a collector may define to have threads ---- */

/* Before a thread is made (false when there is no memory for it), and when it is no more. */
extern RPY_HIDDEN int rpy_gc_thread_prepare(rpy_thread *thread);
extern RPY_HIDDEN void rpy_gc_thread_dispose(rpy_thread *thread);
/* In the new thread, before it runs and at its end. */
extern RPY_HIDDEN void rpy_gc_thread_begin(rpy_thread *thread);
extern RPY_HIDDEN void rpy_gc_thread_end(rpy_thread *thread);
/* In a host's thread that is to run the program, once rpy_gc_thread_prepare was called: did it not
 * know the thread, so that rpy_gc_thread_end is to be called there? */
extern RPY_HIDDEN int rpy_gc_host_thread(void);
/* The globals become those of `to`; their values belong to `from`, or (NULL) to nobody. */
extern RPY_HIDDEN void rpy_gc_thread_switch(rpy_thread *from, rpy_thread *to);

#endif
