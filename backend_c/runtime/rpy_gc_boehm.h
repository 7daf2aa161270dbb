/* The Boehm-Demers-Weiser collector, libgc: conservative, objects never move. */
#ifndef RPY_GC_BOEHM_H
#define RPY_GC_BOEHM_H

#include "rpy_base.h"
#include "rpy_gc_types.h"
#include "rpy_raw.h"

typedef struct {
    Unsigned tid; /* as in rpy_gc_none.h */
} rpy_gc_header;

#define RPY_GC_PREBUILT(tid) { (tid) }
#define RPY_GC_PREBUILT_HASHED(tid, number) { (Unsigned)(tid) | (Unsigned)(number) << 32 }

extern RPY_HIDDEN const Signed rpy_gc_prebuilt_hashes[];

/* Zeroed memory, or NULL. */
extern RPY_HIDDEN void *rpy_gc_boehm_alloc(Unsigned size, Unsigned tid);
extern RPY_HIDDEN void rpy_gc_boehm_collect(void);

#define RPY_GC_ROUND(size) (((Unsigned)(size) + 7) & ~(Unsigned)7)
#define RPY_GC_SIZE(type) RPY_GC_ROUND(sizeof(type))

#define RPY_MALLOC(type, tid) ((type *)rpy_gc_boehm_alloc(RPY_GC_SIZE(type), (tid)))
#define RPY_MALLOC_VARSIZE(type, tid, base, itemsize, n)                          \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                        \
         ? (type *)0                                                              \
         : (type *)rpy_gc_boehm_alloc(                                            \
               RPY_GC_ROUND((base) + (Unsigned)(n) * (Unsigned)(itemsize)), (tid)))

static inline Signed rpy_gc_identityhash(const void *object)
{
    Unsigned number = ((const rpy_gc_header *)object)->tid >> 32;
    return number ? rpy_gc_prebuilt_hashes[number] : RPY_IDENTITY(object);
}

extern RPY_HIDDEN Bool rpy_gc_finalizers_due(void);
extern RPY_HIDDEN void rpy_gc_register_finalizer(void *object, Signed number);
extern RPY_HIDDEN void *rpy_gc_next_dead(void);
extern RPY_HIDDEN Signed rpy_gc_dead_number(void);
extern RPY_HIDDEN Bool rpy_gc_finalizers_waiting(void);
extern RPY_HIDDEN void rpy_gc_condemn(void);
extern RPY_HIDDEN void rpy_gc_set_max_heap_size(Signed size);

/* Store a pointer that does not keep the object. */
extern RPY_HIDDEN void rpy_gc_boehm_set_weak(void **place, void *target);
#define RPY_GC_SET_WEAK(place, pointer) rpy_gc_boehm_set_weak((void **)&(place), (pointer))
#define RPY_GC_GET_WEAK(place) (place)

/* What is found on the stack and in registers is alive. */
#define RPY_KEEPALIVE(p) __asm__ volatile("" : : "g"(p))

#define RPY_GC_FINALIZERS_DUE() rpy_gc_finalizers_due()

#define RPY_GC_IDENTITYHASH(p) rpy_gc_identityhash(p)
#define RPY_GC_COLLECT() rpy_gc_boehm_collect()

/* The number of the type of an object.  A RuntimeTypeInfo is nothing else. */
#define RPY_GC_TYPE_MASK 0xffffffffUL
#define RPY_GC_TYPE(p) (((const rpy_gc_header *)(p))->tid & RPY_GC_TYPE_MASK)
#define RPY_GC_RUNTIME_TYPE_INFO(p) ((void *)RPY_GC_TYPE(p))

#endif
