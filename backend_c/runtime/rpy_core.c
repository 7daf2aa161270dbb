/* The runtime every program links: exception state, traceback, stack limit, chunks. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "rpy_core.h"

void rpy_fatal_error(const char *message)
{
    fflush(stdout);
    fprintf(stderr, "Fatal RPython error: %s\n", message);
    abort();
}

void rpy_no_function(void)
{
    rpy_fatal_error("a call of a method, or of a function, that the program does not have");
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
