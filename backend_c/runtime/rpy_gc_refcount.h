/* Reference counts, as generated code sees them: headers, allocation, acquiring and releasing.
 * How memory is kept: rpy_gc_refcount.c.  Who counts what: translator/lower/ownership.py.
 */
#ifndef RPY_GC_REFCOUNT_H
#define RPY_GC_REFCOUNT_H

#include "rpy_base.h"
#include "rpy_gc_types.h"
#include "rpy_raw.h"

typedef struct {
    /* The type number in the lowest 19 bits, flags above it, and in the high half the number of
     * references; that is negative in prebuilt objects, which live for ever: the sign, and the
     * number of the object in rpy_gc_prebuilt_hashes. */
    Unsigned tid;
} rpy_gc_header;

#define RPY_GC_TYPE_BITS 19
#define RPY_GC_TYPE_MASK (((Unsigned)1 << RPY_GC_TYPE_BITS) - 1)
#define RPY_GC_HAS_FINALIZER ((Unsigned)1 << 29)        /* it has a finalizer */
#define RPY_GC_WEAK_TARGET ((Unsigned)1 << 30) /* there are weak references to it */
#define RPY_GC_WAS_RAISED ((Unsigned)1 << 31)  /* the traceback may be its own */
#define RPY_GC_ONE ((Unsigned)1 << 32)
#define RPY_GC_FOR_EVER ((Unsigned)1 << 63)

#define RPY_GC_PREBUILT(tid) { (Unsigned)(tid) | RPY_GC_FOR_EVER }
#define RPY_GC_PREBUILT_HASHED(tid, number) \
    { (Unsigned)(tid) | (Unsigned)(number) << 32 | RPY_GC_FOR_EVER }

/* ---- what the generated interface unit tells about the program ---- */

/* The static data with pointers to objects: objects first, with their header, and a NULL. */
extern RPY_HIDDEN void *const rpy_gc_prebuilt[];
/* Addresses of single pointers in other static data, and a NULL. */
extern RPY_HIDDEN void *const rpy_gc_static_pointers[];
extern RPY_HIDDEN const Signed rpy_gc_prebuilt_hashes[];

/* ---- counting ---- */

/* What to do when the last reference goes; nothing for prebuilt objects. */
extern RPY_HIDDEN __attribute__((noinline)) void rpy_gc_last(void *object);

static inline void rpy_gc_acquire(void *object)
{
    if (object != NULL) {
        Unsigned tid = ((rpy_gc_header *)object)->tid;
        /* a count that gets too large becomes negative: then the object stays */
        if ((Signed)tid >= 0)
            ((rpy_gc_header *)object)->tid = tid + RPY_GC_ONE;
    }
}

static inline void rpy_gc_release(void *object)
{
    if (object != NULL) {
        Unsigned tid = ((rpy_gc_header *)object)->tid;
        if ((Signed)tid >= (Signed)(2 * RPY_GC_ONE))
            ((rpy_gc_header *)object)->tid = tid - RPY_GC_ONE;
        else
            rpy_gc_last(object);
    }
}

#define RPY_GC_ACQUIRE(p) rpy_gc_acquire(p)
#define RPY_GC_RELEASE(p) rpy_gc_release(p)

/* Store a pointer that brings its reference along, and release what was there. */
#define RPY_GC_REPLACE(place, pointer)   \
    do {                                 \
        void *rpy_before = (place);      \
        (place) = (pointer);             \
        rpy_gc_release(rpy_before);      \
    } while (0)

/* The same for a pointer that does not count; `object` is where the place is. */
extern RPY_HIDDEN void rpy_gc_store_weak(void *object, void **place, void *target);
#define RPY_GC_STORE_WEAK(object, place, pointer) \
    rpy_gc_store_weak((object), (void **)&(place), (pointer))
#define RPY_GC_GET_WEAK(place) (place)
#define RPY_KEEPALIVE(p) ((void)(p))

/* Keep an object until the next one is kept. */
extern RPY_HIDDEN void rpy_gc_keep(void *object);
#define RPY_GC_KEEP(p) rpy_gc_keep(p)

/* Copy `n` pointers, as memmove does. */
extern RPY_HIDDEN void rpy_gc_copy_items(void **target, void **source, Signed n);

/* To be said of an exception before it is raised: the traceback remembers whose it is. */
#define RPY_GC_RAISED(p)                                             \
    do {                                                             \
        if ((Signed)((rpy_gc_header *)(p))->tid >= 0)                \
            ((rpy_gc_header *)(p))->tid |= RPY_GC_WAS_RAISED;        \
    } while (0)

/* Where RPYTHON_GC_DEBUG is set and nothing of the program runs: is every reference counted that
 * is in the heap, and no other? */
extern RPY_HIDDEN void rpy_gc_check_counts(void);

/* ---- allocation ---- */

#define RPY_GC_ROUND(size) (((Unsigned)(size) + 7) & ~(Unsigned)7)
#define RPY_GC_SIZE(type) RPY_GC_ROUND(sizeof(type))

#define RPY_GC_SMALL 512 /* larger objects get memory of their own */

/* Free cells by size in words: each begins with the address of the next. */
extern RPY_HIDDEN void **rpy_gc_cells[RPY_GC_SMALL / 8 + 1];

/* A zeroed object with one reference, or NULL. */
extern RPY_HIDDEN __attribute__((noinline)) void *rpy_gc_slow(Unsigned size, Unsigned tid);

static inline void *rpy_gc_alloc(Unsigned size, Unsigned tid)
{
    void **cell;
    if (size > RPY_GC_SMALL || (cell = rpy_gc_cells[size / 8]) == NULL)
        return rpy_gc_slow(size, tid);
    rpy_gc_cells[size / 8] = (void **)*cell;
    __builtin_memset(cell + 1, 0, size - 8);
    ((rpy_gc_header *)cell)->tid = tid + RPY_GC_ONE;
    return cell;
}

#define RPY_MALLOC(type, tid) ((type *)rpy_gc_alloc(RPY_GC_SIZE(type), (tid)))

/* `n` items of `itemsize` bytes starting at offset `base`; negative and huge `n` give NULL. */
#define RPY_MALLOC_VARSIZE(type, tid, base, itemsize, n)                          \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                        \
         ? (type *)0                                                              \
         : (type *)rpy_gc_alloc(                                                  \
               RPY_GC_ROUND((base) + (Unsigned)(n) * (Unsigned)(itemsize)), (tid)))

/* ---- the rest ---- */

/* Objects never move: the address identifies. */
static inline Signed rpy_gc_identityhash(const void *object)
{
    Unsigned number = ((const rpy_gc_header *)object)->tid >> 32;
    if (number > 0x80000000UL)
        return rpy_gc_prebuilt_hashes[number & 0x7fffffffUL];
    return RPY_IDENTITY(object);
}

/* ---- objects with finalizers: rpy_gc_refcount_finalizers.h ---- */

extern RPY_HIDDEN int rpy_gc_due;
extern RPY_HIDDEN void rpy_gc_register_finalizer(void *object, Signed number);
extern RPY_HIDDEN void *rpy_gc_next_dead(void);
extern RPY_HIDDEN Signed rpy_gc_dead_number(void);
extern RPY_HIDDEN void rpy_gc_condemn(void);
extern RPY_HIDDEN void rpy_gc_set_max_heap_size(Signed size);

#define RPY_GC_FINALIZERS_DUE() (rpy_gc_due != 0)
#define rpy_gc_finalizers_waiting() ((Bool)0)

extern RPY_HIDDEN void rpy_gc_collect(void);

#define RPY_GC_IDENTITYHASH(p) rpy_gc_identityhash(p)
#define RPY_GC_COLLECT() rpy_gc_collect()

/* The number of the type of an object.  A RuntimeTypeInfo is nothing else. */
#define RPY_GC_TYPE(p) (((const rpy_gc_header *)(p))->tid & RPY_GC_TYPE_MASK)
#define RPY_GC_RUNTIME_TYPE_INFO(p) ((void *)RPY_GC_TYPE(p))

#endif
