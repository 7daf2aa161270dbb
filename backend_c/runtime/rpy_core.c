/* The runtime every program links: exception state, traceback, stack limit, chunks. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rpy_core.h"
#include "rpy_gc_none.h"

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

static traceback trace, saved_trace;

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

void *rpy_exception_set_aside(void)
{
    void *exc = rpy_exc;
    saved_trace = trace;
    rpy_exc = NULL;
    return exc;
}

void rpy_exception_put_back(void *exc)
{
    trace = saved_trace;
    rpy_exc = exc;
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

static __thread int stack_limit_known;

Bool rpy_stack_exhausted(char *frame)
{
    if (!stack_limit_known) {
        pthread_attr_t attributes;
        void *lowest = NULL;
        size_t size = 0;
        char *limit;
        Unsigned margin = STACK_MARGIN;
        stack_limit_known = 1;
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
        rpy_stack_limit = limit + margin;
    }
    return frame < rpy_stack_limit;
}

/* ---- memory ---- */

char *rpy_gc_free;
char *rpy_gc_limit;

/* Chunks grow with the program: a small one starts fast, a big one faults rarely. */
#define FIRST_CHUNK ((Unsigned)256 << 10)
#define BIGGEST_CHUNK ((Unsigned)64 << 20)
#define HUGE_PAGE ((Unsigned)2 << 20)

static Unsigned next_chunk = FIRST_CHUNK;
static Unsigned mapped;
static Unsigned heap_maximum;

/* All of the physical memory, or RPY_MAX_HEAP bytes. */
static Unsigned get_heap_maximum(void)
{
    const char *text = getenv("RPY_MAX_HEAP");
    if (text != NULL && *text != '\0')
        return strtoul(text, NULL, 10);
    return (Unsigned)sysconf(_SC_PHYS_PAGES) * (Unsigned)sysconf(_SC_PAGESIZE);
}

static char *map_chunk(Unsigned size)
{
    void *result;
    if (heap_maximum == 0)
        heap_maximum = get_heap_maximum();
    if (size > heap_maximum || mapped > heap_maximum - size)
        return NULL;
    result = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED)
        return NULL;
    if (size >= 4 * HUGE_PAGE)
        madvise(result, size, MADV_HUGEPAGE);
    mapped += size;
    return (char *)result;
}

void *rpy_gc_slow_path(Unsigned size)
{
    char *chunk;
    Unsigned chunk_size = next_chunk;
    if (size > chunk_size / 4) {
        /* a chunk of its own; the current one stays in use */
        return map_chunk((size + 4095) & ~(Unsigned)4095);
    }
    chunk = map_chunk(chunk_size);
    if (chunk == NULL)
        return NULL;
    if (next_chunk < BIGGEST_CHUNK)
        next_chunk *= 2;
    rpy_gc_free = chunk + size;
    rpy_gc_limit = chunk + chunk_size;
    return chunk;
}
