/* See rpy_thread.h. */
#define _GNU_SOURCE
#include <alloca.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rpy_break.h"
#include "rpy_core.h"
#include "rpy_thread.h"
#include "rpy_gil.h"
#include "rpy_sampler.h"

/* Room for the values of rpy_thread_globals. */
#define SAVED_ROOM 2048
#define TURN_NS 5000000L /* as CPython: how long others wait before the running thread is asked */

/* ---- what most collectors do for threads ---- */

__attribute__((weak)) int rpy_gc_thread_prepare(rpy_thread *thread)
{
    (void)thread;
    return 1;
}

__attribute__((weak)) void rpy_gc_thread_dispose(rpy_thread *thread)
{
    (void)thread;
}

__attribute__((weak)) void rpy_gc_thread_begin(rpy_thread *thread)
{
    (void)thread;
}

__attribute__((weak)) void rpy_gc_thread_end(rpy_thread *thread)
{
    (void)thread;
}

__attribute__((weak)) void rpy_gc_thread_switch(rpy_thread *from, rpy_thread *to)
{
    (void)from;
    (void)to;
}

/* ---- the threads ---- */

/* Whoever was not started here: the program's first thread, or a host's. */
static char main_saved[SAVED_ROOM] __attribute__((aligned(16)));
static rpy_thread main_thread = { .saved = main_saved };
static __thread rpy_thread *this_thread;
static sem_t the_others_ended;
static rpy_thread *owner = &main_thread; /* of the globals; NULL: it has ended */
static Unsigned saved_size;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static pthread_cond_t given, taken;
static rpy_thread *volatile holder = &main_thread; /* who has the lock */
static Unsigned turns; /* how often it was taken */
static int waiting;    /* how many wait for it */
static Signed non_daemons;
static int main_waits; /* for these to end */
static Signed stack_size, forks;

static rpy_thread *self(void)
{
    return this_thread != NULL ? this_thread : &main_thread;
}

/* ---- the lock ---- */

/* The globals become those of the thread, which has the lock. */
static void use_globals_of(rpy_thread *thread)
{
    const rpy_thread_global *global;
    rpy_thread *from = owner;
    Unsigned at = 0;
    if (from == thread)
        return;
    rpy_thread_unlink(thread);
    for (global = rpy_thread_globals; global->place != NULL; global++) {
        if (from != NULL)
            memcpy(from->saved + at, global->place, global->size);
        memcpy(global->place, thread->saved + at, global->size);
        at += global->size;
    }
    rpy_gc_thread_switch(from, thread);
    if (from != NULL)
        rpy_thread_link(from);
    owner = thread;
}

static void soon(struct timespec *t, clockid_t clock, long ns)
{
    clock_gettime(clock, t);
    t->tv_nsec += ns;
    t->tv_sec += t->tv_nsec / 1000000000L;
    t->tv_nsec %= 1000000000L;
}

/* Wait for the lock; `mutex` is held. */
static void take(rpy_thread *me)
{
    waiting++;
    while (holder != NULL) {
        struct timespec deadline;
        Unsigned before = turns;
        soon(&deadline, CLOCK_MONOTONIC, TURN_NS);
        if (pthread_cond_timedwait(&given, &mutex, &deadline) == ETIMEDOUT &&
            holder != NULL && turns == before)
            rpy_break_request();
    }
    waiting--;
    turns++;
    holder = me;
    rpy_running_stack_limit = &rpy_stack_limit;
    pthread_cond_broadcast(&taken);
}

/* Let another one have it; the same. */
static void give(void)
{
    holder = NULL;
    rpy_running_stack_limit = NULL;
    if (waiting)
        pthread_cond_signal(&given);
}

typedef struct sleeper {
    struct sleeper *next;
    sem_t wakeup;
    Signed place;
    int woken;
} sleeper;

/* Those that the running thread has woken: they are told when it gives the lock back, or at a safe
 * point some time later.  Told at once they would wake only to fall asleep again, waiting for the
 * lock. */
static sleeper *to_be_told, **last_to_be_told = &to_be_told;
static double to_be_told_at;
#define PATIENCE 50e-6 /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static sleeper *take_to_be_told(void)
{
    sleeper *first = to_be_told;
    to_be_told = NULL;
    last_to_be_told = &to_be_told;
    return first;
}

static void tell(sleeper *first)
{
    while (first != NULL) {
        sleeper *next = first->next; /* it is on the stack of one that goes on now */
        sem_post(&first->wakeup);
        first = next;
    }
}

static void release_lock(void)
{
    int error = errno;
    sleeper *woken = take_to_be_told();
    pthread_mutex_lock(&mutex);
    give();
    pthread_mutex_unlock(&mutex);
    tell(woken);
    errno = error;
}

static void take_lock(void)
{
    int error = errno;
    rpy_thread *me = self();
    pthread_mutex_lock(&mutex);
    take(me);
    pthread_mutex_unlock(&mutex);
    use_globals_of(me);
    errno = error;
}

/* What is called between two may have started the first thread. */
static void take_lock_again(void)
{
    if (holder != self())
        take_lock();
}

static int enter(void)
{
    if (holder == self())
        return 0;
    take_lock();
    return 1;
}

static int started_here(void)
{
    return this_thread != NULL;
}

/* At a safe point: let one that waits run first. */
static void take_turns(void)
{
    rpy_thread *me = self();
    Unsigned before;
    if (to_be_told != NULL) {
        if (now() >= to_be_told_at)
            tell(take_to_be_told());
        else
            rpy_break_request(); /* to come back */
    }
    pthread_mutex_lock(&mutex);
    if (waiting) {
        before = turns;
        give();
        while (waiting && turns == before)
            pthread_cond_wait(&taken, &mutex);
        take(me);
    }
    pthread_mutex_unlock(&mutex);
    use_globals_of(me);
}

/* ---- starting and ending ---- */

static void forget_sleepers(void);

static void init_conditions(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&given, &monotonic);
    pthread_cond_init(&taken, NULL);
}

/* In the child of a fork there is one thread, which has the lock. */
static void after_fork(void)
{
    forget_sleepers();
    pthread_mutex_init(&mutex, NULL);
    init_conditions();
    holder = owner = self();
    rpy_threads = NULL;
    waiting = 0;
    non_daemons = 0;
    forks++;
}

static void wait_for_the_others(void);

static void prepare(void)
{
    static const rpy_lock lock = { release_lock, take_lock_again, enter, started_here };
    const rpy_thread_global *global;
    for (global = rpy_thread_globals; global->place != NULL; global++)
        saved_size += global->size;
    if (saved_size > SAVED_ROOM)
        rpy_fatal_error("the state of a thread has grown");
    init_conditions();
    pthread_atfork(NULL, NULL, after_fork);
    rpy_break_hook = take_turns;
    rpy_before_exit = wait_for_the_others;
    rpy_the_lock = &lock;
}

typedef struct {
    rpy_thread thread;
    void (*run)(Signed), (*failed)(Signed), (*done)(Signed);
    Signed daemon;
} new_thread;

static void first_values(char *saved)
{
    const rpy_thread_global *global;
    for (global = rpy_thread_globals; global->place != NULL; global++) {
        memset(saved, global->fill, global->size);
        saved += global->size;
    }
}

static void *thread_body(void *argument)
{
    new_thread *new = argument;
    rpy_thread *me = &new->thread;
    sleeper *woken;
    me->saved = alloca(saved_size); /* a conservative collector looks at stacks */
    first_values(me->saved);
    this_thread = me;
    rpy_gc_thread_begin(me);
    pthread_mutex_lock(&mutex);
    take(me);
    pthread_mutex_unlock(&mutex);
    rpy_thread_link(me);
    use_globals_of(me);
    rpy_sampler_begin_thread();
    new->run(me->number);
    if (rpy_exc != NULL) {
        rpy_exception_set_aside();
        new->failed(me->number);
        rpy_exception_put_back();
        rpy_report_exception();
    }
    new->done(me->number);
    rpy_exc = NULL;
    rpy_thread_exceptions_end();
    owner = NULL;
    woken = take_to_be_told();
    pthread_mutex_lock(&mutex);
    give();
    if (!new->daemon && --non_daemons == 0 && main_waits)
        sem_post(&the_others_ended);
    pthread_mutex_unlock(&mutex);
    tell(woken);
    rpy_gc_thread_end(me);
    rpy_gc_thread_dispose(me);
    free(new);
    return NULL;
}

/* All but those about the thread itself, two of which are a collector's. */
static void block_signals(sigset_t *before)
{
    static const int own[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPWR, SIGXCPU };
    sigset_t set;
    Unsigned i;
    sigfillset(&set);
    for (i = 0; i < sizeof own / sizeof own[0]; i++)
        sigdelset(&set, own[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

Signed rpy_thread_start(void (*run)(Signed), void (*failed)(Signed), void (*done)(Signed),
                        Signed number, Signed daemon)
{
    pthread_attr_t attributes;
    sigset_t before;
    pthread_t thread;
    size_t size;
    int error;
    new_thread *new = calloc(1, sizeof *new);
    if (new == NULL)
        return -ENOMEM;
    if (rpy_the_lock == NULL)
        prepare();
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (stack_size != 0)
        pthread_attr_setstacksize(&attributes, (size_t)stack_size);
    pthread_attr_getstacksize(&attributes, &size);
    new->thread.stack_size = size;
    new->run = run;
    new->failed = failed;
    new->done = done;
    new->daemon = daemon;
    new->thread.number = number;
    if (!rpy_gc_thread_prepare(&new->thread)) {
        pthread_attr_destroy(&attributes);
        free(new);
        return -ENOMEM;
    }
    pthread_mutex_lock(&mutex);
    if (!daemon)
        non_daemons++;
    pthread_mutex_unlock(&mutex);
    block_signals(&before); /* they go to the main thread */
    error = pthread_create(&thread, &attributes, thread_body, new);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (error != 0) {
        pthread_mutex_lock(&mutex);
        if (!daemon)
            non_daemons--;
        pthread_mutex_unlock(&mutex);
        rpy_gc_thread_dispose(&new->thread);
        free(new);
        return -error;
    }
    return (Signed)thread;
}

/* At the end of the program.  A signal that the program looks for ends the waiting. */
static void wait_for_the_others(void)
{
    sem_init(&the_others_ended, 0, 0);
    release_lock();
    pthread_mutex_lock(&mutex);
    main_waits = 1;
    while (non_daemons > 0 && !rpy_interrupt_pending()) {
        pthread_mutex_unlock(&mutex);
        while (sem_wait(&the_others_ended) != 0 && errno == EINTR)
            if (rpy_interrupt_pending())
                break;
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    take_lock();
}

/* ---- who am I? ---- */

Signed rpy_thread_number(void)
{
    return self()->number;
}

Signed rpy_thread_identity(void)
{
    return (Signed)pthread_self();
}

Signed rpy_thread_native_identity(void)
{
    return syscall(SYS_gettid);
}

Signed rpy_thread_forks(void)
{
    return forks;
}

Signed rpy_thread_set_stack_size(Signed size)
{
    Signed before = stack_size;
    stack_size = size;
    return before;
}

/* ---- waiting for each other ---- */

/* Who waits, in the order in which they came.  A timeout ends without the lock of the program:
 * hence one for these. */
static pthread_mutex_t sleeping = PTHREAD_MUTEX_INITIALIZER;
static sleeper *sleepers, **last_sleeper = &sleepers;

static void forget_sleepers(void)
{
    pthread_mutex_init(&sleeping, NULL);
    sleepers = NULL;
    last_sleeper = &sleepers;
    take_to_be_told();
}

/* Until woken (or interrupted); false: the time is over. */
static int sleep_until(sem_t *wakeup, double end)
{
    for (;;) {
        int result;
        if (end < 0.0) {
            result = sem_wait(wakeup);
        } else {
            struct timespec t;
            double left = end - now();
            if (left <= 0.0)
                return 0;
            /* somebody may set this clock: look at the other one now and then */
            soon(&t, CLOCK_REALTIME, left > 0.9 ? 900000000L : (long)(left * 1e9));
            result = sem_timedwait(wakeup, &t);
        }
        if (result == 0)
            return 1;
        if (errno == EINTR && rpy_interrupt_pending())
            return 0;
    }
}

static void forget_sleeper(sleeper *which)
{
    sleeper **at = &sleepers;
    while (*at != which)
        at = &(*at)->next;
    *at = which->next;
    if (which->next == NULL)
        last_sleeper = at;
}

void rpy_thread_wait(Signed place, double seconds)
{
    sleeper me = { .place = place };
    double end = seconds < 0.0 ? -1.0 : now() + seconds;
    int posted;
    if (rpy_the_lock == NULL)
        prepare();
    sem_init(&me.wakeup, 0, 0);
    pthread_mutex_lock(&sleeping);
    *last_sleeper = &me;
    last_sleeper = &me.next;
    pthread_mutex_unlock(&sleeping);
    release_lock();
    posted = sleep_until(&me.wakeup, end);
    pthread_mutex_lock(&sleeping);
    if (!me.woken)
        forget_sleeper(&me);
    pthread_mutex_unlock(&sleeping);
    if (me.woken && !posted)
        while (sem_wait(&me.wakeup) != 0)
            continue; /* it comes soon: at the latest with the lock, which this one needs */
    sem_destroy(&me.wakeup);
    take_lock();
}

void rpy_thread_wake(Signed place)
{
    sleeper *found;
    pthread_mutex_lock(&sleeping);
    for (found = sleepers; found != NULL && found->place != place; found = found->next)
        continue;
    if (found != NULL) {
        forget_sleeper(found);
        found->next = NULL;
        found->woken = 1;
    }
    pthread_mutex_unlock(&sleeping);
    if (found != NULL) {
        if (to_be_told == NULL)
            to_be_told_at = now() + PATIENCE;
        *last_to_be_told = found;
        last_to_be_told = &found->next;
        rpy_break_request();
    }
}
