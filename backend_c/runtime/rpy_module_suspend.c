/* Native code that waits while Python runs, and what keeps others out of it meanwhile.
 *
 * Where native code calls Python, its globals (rpy_gil.h: the pending exception, the stack of roots)
 * go into a record on the C stack of the call, and whoever enters the module then, from this
 * thread or another one, begins with fresh ones.  So calls may end in any order.
 *
 * At a safe point, where Python's lock is given back for a moment, they stay: `rpm_inside` keeps
 * others out, who wait (rpm_wait) until the call of native code has ended or calls Python.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rpy_break.h"
#include "rpy_module_suspend.h"

/* Not every collector has them. */
extern __attribute__((weak)) int rpy_gc_thread_prepare(rpy_thread *thread);
extern __attribute__((weak)) void rpy_gc_thread_switch(rpy_thread *from, rpy_thread *to);

/* ---- calls of Python ---- */

#define STACK_SIZE ((Unsigned)64 << 20) /* of the C stack of a thread that Python has started */

static rpy_thread first;
static rpy_thread *current = &first; /* whose stack of roots native code uses */
static rpy_thread *spare;            /* those with empty ones */

static rpy_thread *take_spare(void)
{
    rpy_thread *fresh = spare;
    if (fresh != NULL) {
        spare = fresh->next;
        return fresh;
    }
    fresh = calloc(1, sizeof *fresh);
    if (fresh != NULL)
        fresh->stack_size = STACK_SIZE;
    if (fresh == NULL || (rpy_gc_thread_switch != NULL && !rpy_gc_thread_prepare(fresh)))
        rpy_fatal_error("no memory left for a call of Python");
    return fresh;
}

/* Globals are words or ints: each of these is an instruction then. */
static inline void copy(void *to, const void *from, Unsigned size)
{
    if (size == sizeof(Signed))
        memcpy(to, from, sizeof(Signed));
    else if (size == sizeof(int))
        memcpy(to, from, sizeof(int));
    else
        memcpy(to, from, size);
}

static inline void fill(void *to, int byte, Unsigned size)
{
    if (size == sizeof(Signed))
        memset(to, byte, sizeof(Signed));
    else if (size == sizeof(int))
        memset(to, byte, sizeof(int));
    else
        memset(to, byte, size);
}

void rpm_suspend(rpm_suspended *native)
{
    const rpy_thread_global *global;
    char *saved = native->saved;
    rpy_forget_last_exception(); /* not raised any more: Python may change it */
    native->thread = current;
    native->limit = rpy_running_stack_limit;
    current->saved = saved;
    for (global = rpy_thread_globals; global->place != NULL; global++) {
        if (saved + global->size > native->saved + sizeof native->saved)
            rpy_fatal_error("the state of a thread has grown");
        copy(saved, global->place, global->size);
        fill(global->place, global->fill, global->size);
        saved += global->size;
    }
    current = take_spare();
    if (rpy_gc_thread_switch != NULL)
        rpy_gc_thread_switch(native->thread, current);
    rpy_thread_link(native->thread);
}

void rpm_resume(rpm_suspended *native)
{
    const rpy_thread_global *global;
    const char *saved = native->saved;
    rpy_exc = NULL;
    rpy_thread_exceptions_end();
    for (global = rpy_thread_globals; global->place != NULL; global++) {
        copy(global->place, saved, global->size);
        saved += global->size;
    }
    rpy_thread_unlink(native->thread);
    if (rpy_gc_thread_switch != NULL)
        rpy_gc_thread_switch(current, native->thread);
    current->next = spare;
    spare = current;
    current = native->thread;
    if (native->limit == &rpy_stack_limit)
        rpy_running_stack_limit = native->limit;
}

/* ---- other threads ---- */

int rpm_inside;
static char **owner; /* whose native code keeps others out: the address is another for each thread */
static PyThreadState *released; /* of a thread that runs native code without Python's lock */

#define POLL_US 500

int rpm_wait(void)
{
    while (rpm_inside && owner != &rpy_stack_limit) {
        Py_BEGIN_ALLOW_THREADS
        usleep(POLL_US);
        Py_END_ALLOW_THREADS
        if (PyErr_CheckSignals() < 0)
            return 0;
    }
    return 1;
}

int rpm_keep_others_out(void)
{
    int before = rpm_inside;
    rpm_inside = 1;
    owner = &rpy_stack_limit;
    return before;
}

void rpm_let_others_in(int before)
{
    rpm_inside = before;
    if (!before && rpm_busy == 0)
        rpm_free_handles();
}

void rpm_yield(void)
{
    if (released != NULL)
        return;
    rpm_yields++;
    Py_BEGIN_ALLOW_THREADS
    Py_END_ALLOW_THREADS
}

void rpm_release_gil(void)
{
    rpm_keep_others_out();
    rpm_yields++;
    released = PyEval_SaveThread();
}

void rpm_take_gil(void)
{
    PyThreadState *thread = released;
    released = NULL;
    if (thread != NULL) /* no signal has ended it */
        PyEval_RestoreThread(thread);
    rpm_let_others_in(0);
}

int rpm_look_for_signals(void)
{
    PyThreadState *thread = released;
    int result;
    if (thread == NULL)
        return PyErr_CheckSignals();
    released = NULL;
    PyEval_RestoreThread(thread);
    result = PyErr_CheckSignals();
    if (result == 0)
        released = PyEval_SaveThread();
    return result;
}

/* ---- the clock ----
 *
 * A thread that asks for a safe point after each 5 ms in which the process has worked.  It sleeps
 * while the process does nothing, and waits longer where nobody comes to a safe point.  It is
 * started by the first call that may take long, and is not there while the process forks:
 * CPython warns those who fork with several threads.
 */

#define TURN_NS 5000000L /* CPython's switch interval */
#define LONGEST 8        /* turns */

static pthread_t ticker;
static int ticking;
static pthread_key_t ending; /* of threads that may be told */
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;

static void *tick(void *unused)
{
    long turns = 1;
    (void)unused;
    for (;;) {
        struct timespec t = { 0, turns * TURN_NS };
        clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &t, NULL);
        turns = !RPY_BREAK_ASKED() ? 1 : turns < LONGEST ? 2 * turns : LONGEST;
        pthread_mutex_lock(&telling);
        rpy_break_request();
        pthread_mutex_unlock(&telling);
    }
    return NULL;
}

void rpm_stop_ticking(void)
{
    if (ticking) {
        pthread_cancel(ticker); /* while it sleeps */
        pthread_join(ticker, NULL);
    }
    ticking = 0;
    rpy_running_stack_limit = NULL; /* rpm_long() will come to rpm_long_begin() */
}

static void after_fork(void)
{
    if (rpm_inside && owner != &rpy_stack_limit) /* that thread is no more */
        rpm_inside = rpm_running = rpm_busy = 0;
}

static void forget_thread(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&telling);
    if (rpy_running_stack_limit == &rpy_stack_limit)
        rpy_running_stack_limit = NULL;
    pthread_mutex_unlock(&telling);
}

void rpm_clock_start(void)
{
    pthread_key_create(&ending, forget_thread);
    pthread_atfork(rpm_stop_ticking, NULL, after_fork);
}

void rpm_long_begin(void)
{
    sigset_t all, before;
    pthread_setspecific(ending, &ending); /* anything */
    rpy_running_stack_limit = &rpy_stack_limit;
    if (ticking)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* they go to Python's threads */
    ticking = pthread_create(&ticker, NULL, tick, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
