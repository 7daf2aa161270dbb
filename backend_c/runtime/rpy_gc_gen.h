/* The generational collector, as generated code sees it: headers, allocation, roots and the
 * write barrier.  How it works is told in rpy_gc_gen.c; backend_c/gc.py writes the calls.
 */
#ifndef RPY_GC_GEN_H
#define RPY_GC_GEN_H

#include "rpy_base.h"
#include "rpy_gc_types.h"
#include "rpy_raw.h"

typedef struct {
    /* The type number, RPY_TID_..., in the low half; the number of a prebuilt object in
     * rpy_gc_prebuilt_hashes above it (24 bits); flags in the highest byte. */
    Unsigned tid;
} rpy_gc_header;

#define RPY_GC_FLAG(n) ((Unsigned)1 << (56 + (n)))
#define RPY_GC_OLD RPY_GC_FLAG(0)       /* old, and not in the list of those to look at */
#define RPY_GC_MARKED RPY_GC_FLAG(1)    /* reached by the major collection that runs */
#define RPY_GC_PREBUILT_FLAG RPY_GC_FLAG(2) /* static data: never freed */
#define RPY_GC_HASHED RPY_GC_FLAG(3)    /* young, with a place in the old generation reserved */
#define RPY_GC_MOVED RPY_GC_FLAG(4)     /* young and copied: the next word says where */
#define RPY_GC_SLOTS RPY_GC_FLAG(7)     /* old and large: rpy_gc_large.h */

#define RPY_GC_PREBUILT(tid) { (Unsigned)(tid) | RPY_GC_OLD | RPY_GC_PREBUILT_FLAG }
#define RPY_GC_PREBUILT_HASHED(tid, number) \
    { (Unsigned)(tid) | (Unsigned)(number) << 32 | RPY_GC_OLD | RPY_GC_PREBUILT_FLAG }

/* ---- what the generated interface unit tells about the program ---- */

/* The static data with pointers to objects: objects first, with their header, and a NULL. */
extern RPY_HIDDEN void *const rpy_gc_prebuilt[];
/* Addresses of single pointers in other static data, and a NULL. */
extern RPY_HIDDEN void *const rpy_gc_static_pointers[];
extern RPY_HIDDEN const Signed rpy_gc_prebuilt_hashes[];

/* ---- allocation ---- */

extern RPY_HIDDEN char *rpy_gc_free;  /* the nursery, from here... */
extern RPY_HIDDEN char *rpy_gc_limit; /* ...to here, is zeroed and free */

#define RPY_GC_SMALLEST 16 /* the header and, once it has moved, the new address */
#define RPY_GC_ROUND(size) \
    ((Unsigned)(size) <= RPY_GC_SMALLEST ? RPY_GC_SMALLEST : ((Unsigned)(size) + 7) & ~(Unsigned)7)
#define RPY_GC_SIZE(type) RPY_GC_ROUND(sizeof(type))

/* Zeroed memory from the nursery; NULL when it is full. */
static inline void *rpy_gc_bump(Unsigned size, Unsigned tid)
{
    char *result = rpy_gc_free;
    if (RPY_UNLIKELY(size > (Unsigned)(rpy_gc_limit - result)))
        return (void *)0;
    rpy_gc_free = result + size;
    ((rpy_gc_header *)result)->tid = tid;
    return result;
}

/* The same after a collection, which moves objects; NULL when there is no memory. */
extern RPY_HIDDEN __attribute__((noinline)) void *rpy_gc_slow(Unsigned size, Unsigned tid);

#define RPY_MALLOC(type, tid) ((type *)rpy_gc_bump(RPY_GC_SIZE(type), (tid)))
#define RPY_MALLOC_SLOW(type, tid) ((type *)rpy_gc_slow(RPY_GC_SIZE(type), (tid)))

/* `n` items of `itemsize` bytes starting at offset `base`; negative and huge `n` give NULL. */
#define RPY_GC_VARSIZE(base, itemsize, n) \
    RPY_GC_ROUND((base) + (Unsigned)(n) * (Unsigned)(itemsize))
#define RPY_MALLOC_VARSIZE(type, tid, base, itemsize, n)                  \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                \
         ? (type *)0                                                      \
         : (type *)rpy_gc_bump(RPY_GC_VARSIZE(base, itemsize, n), (tid)))
#define RPY_MALLOC_VARSIZE_SLOW(type, tid, base, itemsize, n)             \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                \
         ? (type *)0                                                      \
         : (type *)rpy_gc_slow(RPY_GC_VARSIZE(base, itemsize, n), (tid)))

/* ---- roots ---- */

/* The objects that running functions use, the innermost function's last.  A function puts
 * them here before it does something that may collect, and takes them back after it. */
extern RPY_HIDDEN void **rpy_gc_roots, **rpy_gc_roots_bottom;
/* Behind this one is a pointer into an object, which other roots keep, or to raw memory. */
#define RPY_GC_INTERIOR ((void *)1)

/* ---- the write barrier ---- */

/* Where the objects lie that matter when they are stored in old ones: the nursery; all of the memory
 * while a major collection marks. */
extern RPY_HIDDEN Unsigned rpy_gc_watched, rpy_gc_watched_size;

extern RPY_HIDDEN __attribute__((noinline)) void rpy_gc_remember(void *object, void *value);
extern RPY_HIDDEN __attribute__((noinline)) void rpy_gc_remember_slot(void *object, void *slot,
                                                                      void *value);
extern RPY_HIDDEN __attribute__((noinline)) void rpy_gc_remember_items(void *object, void *items,
                                                                       void *source, Signed n);

#define RPY_GC_IS_OLD(object) RPY_UNLIKELY(((rpy_gc_header *)(object))->tid & RPY_GC_OLD)

#define RPY_GC_MATTERS(object, value)                                               \
    (RPY_GC_IS_OLD(object) && (Unsigned)(value) - rpy_gc_watched < rpy_gc_watched_size)

/* To be executed before `value` is stored in `object`. */
#define RPY_GC_WRITE(object, value)                                                 \
    do {                                                                            \
        if (RPY_GC_MATTERS(object, value))                                          \
            rpy_gc_remember((object), (value));                                     \
    } while (0)

/* The same for an object that may be large, and where in it. */
#define RPY_GC_WRITE_SLOT(object, slot, value)                                      \
    do {                                                                            \
        if (RPY_GC_MATTERS(object, value))                                          \
            rpy_gc_remember_slot((object), (slot), (value));                        \
    } while (0)

/* To be executed after `n` pointers were copied from `source` to `items`, items of `object`. */
#define RPY_GC_WROTE_ITEMS(object, items, source, n)                                \
    do {                                                                            \
        if (RPY_GC_IS_OLD(object))                                                  \
            rpy_gc_remember_items((object), (items), (source), (n));                \
    } while (0)

/* ---- the rest ---- */

extern RPY_HIDDEN Signed rpy_gc_identityhash(void *object);
extern RPY_HIDDEN void rpy_gc_collect(void);

/* ---- objects with finalizers: rpy_gc_finalizers.h ---- */

extern RPY_HIDDEN int rpy_gc_due;
extern RPY_HIDDEN void rpy_gc_register_finalizer(void *object, Signed number);
extern RPY_HIDDEN void *rpy_gc_next_dead(void);
extern RPY_HIDDEN Signed rpy_gc_dead_number(void);
extern RPY_HIDDEN Bool rpy_gc_finalizers_waiting(void);
extern RPY_HIDDEN void rpy_gc_condemn(void);
extern RPY_HIDDEN void rpy_gc_set_max_heap_size(Signed size);

/* Store a pointer that does not keep the object; read one, which becomes NULL when that is dead. */
extern RPY_HIDDEN int rpy_gc_clearing;
extern RPY_HIDDEN void *rpy_gc_weak(void *object);
#define RPY_GC_SET_WEAK(place, pointer) ((place) = (pointer))
#define RPY_GC_GET_WEAK(place) (RPY_UNLIKELY(rpy_gc_clearing) ? rpy_gc_weak(place) : (place))
#define RPY_KEEPALIVE(p) ((void)(p))

#define RPY_GC_FINALIZERS_DUE() (rpy_gc_due != 0)

#define RPY_GC_IDENTITYHASH(p) rpy_gc_identityhash(p)
#define RPY_GC_COLLECT() rpy_gc_collect()

/* The number of the type of an object.  A RuntimeTypeInfo is nothing else. */
#define RPY_GC_TYPE_MASK 0xffffffffUL
#define RPY_GC_TYPE(p) (((const rpy_gc_header *)(p))->tid & RPY_GC_TYPE_MASK)
#define RPY_GC_RUNTIME_TYPE_INFO(p) ((void *)RPY_GC_TYPE(p))

#endif
