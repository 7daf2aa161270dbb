/* The runtime every program links: exception state, traceback, stack limit, chunks. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rpy_core.h"

/* ---- exceptions and traceback ---- */

void *rpy_exc;

/* The trace of the last exception raised, innermost frame first.  The first FIRST entries
 * are kept, and the last LAST in a ring: a deep recursion shows both of its ends. */
#define FIRST 256
#define LAST 256

typedef struct {
    void *exc;
    Signed entries;
    const rpy_location *first[FIRST];
    const rpy_location *last[LAST];
} traceback;

static traceback trace, saved_trace, trace_put_away;
static void *saved_exc;

void rpy_raise_fresh(void *exc)
{
    rpy_exc = exc;
    trace.exc = exc;
    trace.entries = 0;
}

void rpy_raise(void *exc)
{
    if (exc != trace.exc)
        rpy_raise_fresh(exc);
    else
        rpy_exc = exc;
}

void rpy_reraise(void *exc, const rpy_location *where)
{
    if (exc != trace.exc) {
        rpy_raise_fresh(exc);
        if (where != NULL)
            rpy_traceback_add(where);
    } else {
        rpy_exc = exc;
    }
}

void rpy_traceback_add(const rpy_location *where)
{
    if (trace.entries < FIRST)
        trace.first[trace.entries] = where;
    else
        trace.last[(trace.entries - FIRST) % LAST] = where;
    trace.entries++;
}

Signed rpy_traceback_size(void)
{
    return trace.entries;
}

const rpy_location *rpy_traceback_entry(Signed index)
{
    if (index < 0 || index >= trace.entries)
        return NULL;
    if (index < FIRST)
        return trace.first[index];
    if (index < trace.entries - LAST)
        return NULL;
    return trace.last[(index - FIRST) % LAST];
}

void rpy_exception_set_aside(void)
{
    saved_exc = rpy_exc;
    saved_trace = trace;
    rpy_exc = NULL;
}

void rpy_exception_put_back(void)
{
    trace = saved_trace;
    rpy_exc = saved_exc;
    saved_exc = NULL;
}

void rpy_trace_put_away(void)
{
    trace_put_away = trace;
}

void rpy_trace_take_back(void)
{
    trace = trace_put_away;
    trace_put_away.exc = NULL;
}

void **rpy_next_exception_root(void **last)
{
    static void **const places[] = { &rpy_exc, &trace.exc, &saved_exc, &saved_trace.exc,
                                     &trace_put_away.exc, NULL };
    int i = 0;
    while (last != NULL && places[i++] != last)
        continue;
    return places[i];
}

void rpy_fatal_error(const char *message)
{
    fflush(stdout);
    fprintf(stderr, "Fatal RPython error: %s\n", message);
    abort();
}

/* ---- stack ---- */

__thread char *rpy_stack_limit = (char *)~(Unsigned)0;

/* Left for functions that do not check and for the C library below them. */
#define STACK_MARGIN ((Unsigned)256 << 10)
/* An unlimited stack ("ulimit -s unlimited") still has to end somewhere. */
#define STACK_MAXIMUM ((Unsigned)1 << 30)

/* Where the limit is when nothing else is asked for; NULL as long as nobody knows. */
static __thread char *stack_end;

static char *find_stack_end(char *frame)
{
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    char *limit;
    Unsigned margin = STACK_MARGIN;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &lowest, &size) != 0)
            size = 0;
        pthread_attr_destroy(&attributes);
    }
    if (size == 0) {
        /* no answer: assume what every Linux gives a thread at least */
        size = (size_t)1 << 20;
        lowest = frame - size;
    }
    limit = (char *)lowest;
    if ((Unsigned)(frame - limit) > STACK_MAXIMUM)
        limit = frame - STACK_MAXIMUM;
    if (margin > (Unsigned)size / 4)
        margin = (Unsigned)size / 4;
    return limit + margin;
}

Bool rpy_stack_low(char *frame)
{
    if (stack_end == NULL)
        stack_end = find_stack_end(frame);
    /* in this order: a request that comes meanwhile is seen here or moves the limit again */
    rpy_stack_limit = stack_end;
    if (rpy_break_flag && rpy_break())
        return 1;
    if (frame >= stack_end)
        return 0;
    rpy_raise_RecursionError();
    return 1;
}

/* ---- memory ---- */

Unsigned rpy_size_from_environment(const char *name, Unsigned otherwise)
{
    const char *text = getenv(name);
    char *end;
    Unsigned size;
    if (text == NULL || *text == '\0')
        return otherwise;
    size = strtoul(text, &end, 10);
    if (*end == 'k' || *end == 'K')
        size <<= 10;
    else if (*end == 'm' || *end == 'M')
        size <<= 20;
    else if (*end == 'g' || *end == 'G')
        size <<= 30;
    return size;
}
