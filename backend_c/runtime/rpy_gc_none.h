/* Allocation without collection: bump a pointer through big zeroed chunks, never free.
 *
 * Everything a collector needs to replace is here and in backend_c/gc.py: the header word
 * in front of every object, and the macros that allocate.
 */
#ifndef RPY_GC_NONE_H
#define RPY_GC_NONE_H

#include "rpy_base.h"
#include "rpy_raw.h"

typedef struct {
    /* The type number, RPY_TID_..., in the low half; in the high half, for a prebuilt object
     * whose identity hash the program relies on, its number in rpy_gc_prebuilt_hashes. */
    Unsigned tid;
} rpy_gc_header;

#define RPY_GC_PREBUILT(tid) { (tid) }
#define RPY_GC_PREBUILT_HASHED(tid, number) { (Unsigned)(tid) | (Unsigned)(number) << 32 }

/* Defined by the generated interface unit; item 0 is not used. */
extern RPY_HIDDEN const Signed rpy_gc_prebuilt_hashes[];

extern RPY_HIDDEN char *rpy_gc_free;
extern RPY_HIDDEN char *rpy_gc_limit; /* the end of the current chunk */

/* Zeroed memory from a new chunk, or NULL when there is none. */
extern RPY_HIDDEN __attribute__((noinline)) void *rpy_gc_slow_path(Unsigned size);

/* Zeroed, 8-byte aligned memory of `size` bytes (a multiple of 8), or NULL. */
static inline void *rpy_gc_alloc(Unsigned size, Unsigned tid)
{
    char *result = rpy_gc_free;
    if (RPY_UNLIKELY(size > (Unsigned)(rpy_gc_limit - result))) {
        result = (char *)rpy_gc_slow_path(size);
        if (result == (char *)0)
            return result;
    } else {
        rpy_gc_free = result + size;
    }
    ((rpy_gc_header *)result)->tid = tid;
    return result;
}

#define RPY_GC_ROUND(size) (((Unsigned)(size) + 7) & ~(Unsigned)7)

/* A fixed-size object. */
#define RPY_MALLOC(type, tid) ((type *)rpy_gc_alloc(RPY_GC_ROUND(sizeof(type)), (tid)))

/* `n` items of `itemsize` bytes starting at offset `base`; negative and huge `n` give NULL.
 * `base` and `itemsize` are compile-time constants, so the division is too. */
#define RPY_MALLOC_VARSIZE(type, tid, base, itemsize, n)                          \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                        \
         ? (type *)0                                                              \
         : (type *)rpy_gc_alloc(                                                  \
               RPY_GC_ROUND((base) + (Unsigned)(n) * (Unsigned)(itemsize)), (tid)))

/* Objects never move: the address identifies. */
static inline Signed rpy_gc_identityhash(const void *object)
{
    Unsigned number = ((const rpy_gc_header *)object)->tid >> 32;
    return number ? rpy_gc_prebuilt_hashes[number] : RPY_IDENTITY(object);
}

/* Nothing dies before the program ends; then, what was registered as 0 is finalized. */
extern RPY_HIDDEN int rpy_gc_due;
extern RPY_HIDDEN void rpy_gc_register_finalizer(void *object, Signed number);
extern RPY_HIDDEN void *rpy_gc_next_dead(void);
extern RPY_HIDDEN void rpy_gc_condemn(void);
extern RPY_HIDDEN void rpy_gc_set_max_heap_size(Signed size);

/* Store a pointer that does not keep the object; here it does. */
#define RPY_GC_SET_WEAK(place, pointer) ((place) = (pointer))
#define RPY_GC_GET_WEAK(place) (place)
#define RPY_KEEPALIVE(p) ((void)(p))

#define RPY_GC_FINALIZERS_DUE() (rpy_gc_due != 0)
#define rpy_gc_dead_number() ((Signed)0)
#define rpy_gc_finalizers_waiting() ((Bool)0)

#define RPY_GC_IDENTITYHASH(p) rpy_gc_identityhash(p)
#define RPY_GC_COLLECT() ((void)0)

/* The number of the type of an object.  A RuntimeTypeInfo is nothing else. */
#define RPY_GC_TYPE_MASK 0xffffffffUL
#define RPY_GC_TYPE(p) (((const rpy_gc_header *)(p))->tid & RPY_GC_TYPE_MASK)
#define RPY_GC_RUNTIME_TYPE_INFO(p) ((void *)RPY_GC_TYPE(p))

#endif
