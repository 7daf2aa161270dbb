/* Memory of programs that count references.
 *
 * Small objects lie in cells of their size, of which there is a list of free ones for each size;
 * large ones come from malloc.  When the last reference to an object goes, the object is put on
 * the list of the dead, is looked through for pointers, and freed:
 *
 *     release -> rpy_gc_last -> die(object), bury_some -> die(child), ...
 *
 * The list is linked through the headers of the dead, so that it needs no memory and no deep
 * recursion.  Of a structure with very many objects only some are freed at once, the others when
 * the program allocates: it never waits long.
 *
 * Objects that refer to each other in a circle are never freed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rpy_core.h"
#include "rpy_gc_pauses.h"
#include "rpy_gc_refcount.h"

typedef rpy_gc_header header;

void **rpy_gc_cells[RPY_GC_SMALL / 8 + 1];

static int prepared, debugging, measuring;
static Unsigned heap_maximum;
static Unsigned mapped;      /* bytes of the chunks with cells */
static Unsigned unusable;    /* of these, at their ends */
static Unsigned large_bytes; /* in objects with memory of their own */
static Unsigned most_bytes;  /* of both */
static void *kept;           /* for rpy_gc_keep */

/* ---- objects ---- */

static const rpy_gc_type *type_of(const void *object)
{
    return &rpy_gc_types[RPY_GC_TYPE(object)];
}

static Unsigned size_of(const void *object)
{
    const rpy_gc_type *type = type_of(object);
    if (type->items == 0)
        return type->size;
    return RPY_GC_ROUND(type->items +
                        *(const Unsigned *)((const char *)object + type->length) * type->item_size);
}

static int lives_for_ever(const void *object)
{
    return (Signed)((const header *)object)->tid < 0;
}

/* Call visit(place) for `n` items before item `end` of an array. */
#define FOR_POINTERS_IN_ITEMS(object, end, n, visit)                                     \
    do {                                                                                 \
        const rpy_gc_type *type_ = type_of(object);                                      \
        const unsigned int *offset_ = rpy_gc_offsets + type_->first + type_->pointers;   \
        char *item_ = (char *)(object) + type_->items + (end) * type_->item_size;        \
        Unsigned i_, j_;                                                                 \
        for (j_ = 0; j_ < (n); j_++) {                                                   \
            item_ -= type_->item_size;                                                   \
            for (i_ = 0; i_ < type_->in_item; i_++)                                      \
                visit((void **)(item_ + offset_[i_]));                                   \
        }                                                                                \
    } while (0)

static Unsigned length_of(const void *object)
{
    const rpy_gc_type *type = type_of(object);
    return type->in_item ? *(const Unsigned *)((const char *)object + type->length) : 0;
}

#include "rpy_gc_refcount_weak.h"
#include "rpy_gc_refcount_finalizers.h"
#include "rpy_gc_refcount_debug.h"

/* ---- the dead ---- */

static header *dead; /* to be looked through */
static struct { /* an array of which not all items were looked at */
    header *object;
    Unsigned left;
} opened;

/* Objects and items of arrays: what is freed at once, in a millisecond or a few. */
#define AT_ONCE 10000

/* The header of a dead object has its type and the next one's address, of 48 bits. */
static header *next_of(const header *object)
{
    return (header *)(object->tid >> RPY_GC_TYPE_BITS << 3);
}

static void free_object(header *object)
{
    Unsigned size = size_of(object);
    if (debugging) {
        debug_free(object, size);
    } else if (size <= RPY_GC_SMALL) {
        *(void ***)object = rpy_gc_cells[size / 8];
        rpy_gc_cells[size / 8] = (void **)object;
    } else {
        large_bytes -= size;
        free(object);
    }
}

void rpy_exception_acquire(void *exc)
{
    rpy_gc_acquire(exc);
}

void rpy_exception_release(void *exc)
{
    rpy_gc_release(exc);
}

/* The object has no reference any more. */
static inline void die(header *object)
{
    const rpy_gc_type *type = type_of(object);
    if (object->tid & (RPY_GC_WEAK_TARGET | RPY_GC_HAS_FINALIZER | RPY_GC_WAS_RAISED)) {
        if (object->tid & RPY_GC_WEAK_TARGET)
            clear_weak(object);
        if (object->tid & RPY_GC_HAS_FINALIZER) {
            live_for_finalizer(object);
            return;
        }
        if (object->tid & RPY_GC_WAS_RAISED)
            rpy_exception_died(object);
    }
    if (type->weak)
        forget_weak(object);
    if (type->pointers || type->in_item) {
        object->tid = RPY_GC_TYPE(object) | (Unsigned)dead << (RPY_GC_TYPE_BITS - 3);
        dead = object;
    } else {
        free_object(object);
    }
}

static inline void drop(void **place)
{
    header *object = *place;
    if (object == NULL)
        return;
    if (debugging)
        check_alive(object);
    if ((Signed)object->tid >= (Signed)(2 * RPY_GC_ONE))
        object->tid -= RPY_GC_ONE;
    else if (!lives_for_ever(object))
        die(object);
}

/* Free dead objects, about so many. */
static void bury_some(Unsigned limit)
{
    while (limit > 0) {
        header *object = opened.object;
        if (object != NULL) {
            Unsigned n = opened.left < limit ? opened.left : limit;
            FOR_POINTERS_IN_ITEMS(object, opened.left, n, drop);
            limit -= n;
            opened.left -= n;
            if (opened.left == 0) {
                free_object(object);
                opened.object = NULL;
            }
        } else if (dead != NULL) {
            object = dead;
            dead = next_of(object);
            limit--;
            FOR_EACH_FIXED_POINTER(object, type_of(object), drop);
            opened.left = length_of(object);
            if (opened.left)
                opened.object = object;
            else
                free_object(object);
        } else {
            return;
        }
    }
}

/* ---- cells ---- */

/* Is there room for so many bytes, perhaps after something was freed? */
static int has_room(Unsigned size)
{
    if (size > heap_maximum)
        return 0;
    if (mapped + large_bytes > heap_maximum - size)
        bury_some(~(Unsigned)0);
    return mapped + large_bytes <= heap_maximum - size;
}

static void note_most(void)
{
    if (mapped + large_bytes > most_bytes)
        most_bytes = mapped + large_bytes;
}

/* Chunks grow with the program: a small one starts fast. */
#define FIRST_CHUNK ((Unsigned)64 << 10)
#define BIGGEST_CHUNK ((Unsigned)8 << 20)
#define PAGE ((Unsigned)4096) /* what becomes cells of one size at once, about */

static char *chunk, *chunk_end;
static Unsigned next_chunk = FIRST_CHUNK;

/* Put new cells on the list; false when there is no memory. */
static int make_cells(Unsigned size)
{
    char *cell, *end;
    if ((Unsigned)(chunk_end - chunk) < size) {
        void *memory;
        if (!has_room(next_chunk))
            return 0;
        memory = mmap(NULL, next_chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return 0;
        mapped += next_chunk;
        note_most();
        unusable += (Unsigned)(chunk_end - chunk);
        chunk = memory;
        chunk_end = chunk + next_chunk;
        if (next_chunk < BIGGEST_CHUNK)
            next_chunk *= 2;
    }
    end = chunk_end - chunk < (Signed)PAGE ? chunk_end : chunk + PAGE;
    end = chunk + (Unsigned)(end - chunk) / size * size;
    for (cell = end; cell > chunk;) { /* the first in memory comes first */
        cell -= size;
        *(void ***)cell = rpy_gc_cells[size / 8];
        rpy_gc_cells[size / 8] = (void **)cell;
    }
    chunk = end;
    return 1;
}

static void bury(void)
{
    Unsigned before = measuring ? now() : 0;
    bury_some(AT_ONCE);
    if (measuring)
        note_pause(before);
}

static void print_statistics(void)
{
    Unsigned i, unused = unusable + (Unsigned)(chunk_end - chunk);
    void **cell;
    bury_some(~(Unsigned)0);
    for (i = 1; i <= RPY_GC_SMALL / 8; i++)
        for (cell = rpy_gc_cells[i]; cell != NULL; cell = (void **)*cell)
            unused += 8 * i;
    fprintf(stderr, "gc: %lu bytes in use, %lu free, at most %lu\n",
            mapped + large_bytes - unused, unused, most_bytes);
    print_pauses();
}

/* ---- allocation ---- */

static void prepare(void)
{
    const char *debug = getenv("RPYTHON_GC_DEBUG");
    prepared = 1;
    heap_maximum = rpy_size_from_environment("RPYTHON_GC_MAX", ~(Unsigned)0);
    debugging = debug != NULL ? atoi(debug) : 0;
    measuring = statistics_wanted();
    if (measuring)
        atexit(print_statistics);
    if (debugging == 2)
        atexit(rpy_gc_check_counts);
}

/* No more bytes than these, 0 or less for any number. */
void rpy_gc_set_max_heap_size(Signed size)
{
    if (!prepared)
        prepare();
    heap_maximum = size > 0 ? (Unsigned)size : ~(Unsigned)0;
}

void *rpy_gc_slow(Unsigned size, Unsigned tid)
{
    header *object;
    if (!prepared)
        prepare();
    if (dead != NULL || opened.object != NULL)
        bury();
    if (debugging) {
        bury_some(~(Unsigned)0);
        object = has_room(size) ? debug_alloc(size) : NULL;
    } else if (size <= RPY_GC_SMALL) {
        if (rpy_gc_cells[size / 8] == NULL && !make_cells(size) && rpy_gc_cells[size / 8] == NULL)
            return NULL;
        return rpy_gc_alloc(size, tid);
    } else {
        object = has_room(size) ? calloc(1, size) : NULL;
        if (object != NULL) {
            large_bytes += size;
            note_most();
        }
    }
    if (object != NULL)
        object->tid = tid + RPY_GC_ONE;
    return object;
}

/* ---- what generated code calls ---- */

void rpy_gc_last(void *object)
{
    if (debugging)
        check_alive(object);
    if (lives_for_ever(object))
        return;
    die(object);
    if (dead != NULL)
        bury();
}

void rpy_gc_copy_items(void **target, void **source, Signed n)
{
    Signed i;
    for (i = 0; i < n; i++)
        rpy_gc_acquire(source[i]);
    for (i = 0; i < n; i++)
        drop(target + i);
    memmove(target, source, (Unsigned)n * sizeof(void *));
    if (dead != NULL)
        bury();
}

void rpy_gc_keep(void *object)
{
    void *before = kept;
    kept = object;
    rpy_gc_release(before);
}

void rpy_gc_collect(void)
{
    bury_some(~(Unsigned)0);
}

void rpy_gc_check_counts(void)
{
    if (debugging) {
        bury_some(~(Unsigned)0);
        check_heap(1);
    }
}
