/* Memory for programs that never free it. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rpy_core.h"
#include "rpy_gc_none.h"

char *rpy_gc_free;
char *rpy_gc_limit;

/* Chunks grow with the program: a small one starts fast, a big one faults rarely. */
#define FIRST_CHUNK ((Unsigned)256 << 10)
#define BIGGEST_CHUNK ((Unsigned)64 << 20)
#define HUGE_PAGE ((Unsigned)2 << 20)

static Unsigned next_chunk = FIRST_CHUNK;
static Unsigned mapped;
static Unsigned heap_maximum;

/* No more bytes than these, 0 or less for any number. */
void rpy_gc_set_max_heap_size(Signed size)
{
    heap_maximum = size > 0 ? (Unsigned)size : ~(Unsigned)0;
}

static char *map_chunk(Unsigned size)
{
    void *result;
    if (heap_maximum == 0) {
        Unsigned physical = (Unsigned)sysconf(_SC_PHYS_PAGES) * (Unsigned)sysconf(_SC_PAGESIZE);
        heap_maximum = rpy_size_from_environment("RPYTHON_GC_MAX", physical);
    }
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

/* ---- objects whose finalizers run when the program ends ---- */

int rpy_gc_due;

static void **registered;
static Unsigned next_registered, registered_length, registered_room;

void rpy_gc_register_finalizer(void *object, Signed number)
{
    if (number != 0)
        return;
    if (registered_length == registered_room) {
        registered_room = registered_room ? 2 * registered_room : 256;
        registered = realloc(registered, registered_room * sizeof(void *));
        if (registered == NULL)
            rpy_fatal_error("no memory left for the collector");
    }
    registered[registered_length++] = object;
}

void rpy_gc_condemn(void)
{
    rpy_gc_due = 1;
}

/* What finalizers make is finalized, too. */
void *rpy_gc_next_dead(void)
{
    if (next_registered == registered_length) {
        rpy_gc_due = 0;
        return NULL;
    }
    return registered[next_registered++];
}
