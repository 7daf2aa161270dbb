/* Raw memory, `flavor='raw'`: the C library's. */
#ifndef RPY_RAW_H
#define RPY_RAW_H

#include "rpy_base.h"

#define RPY_MAX_ITEMS(itemsize) (((Unsigned)1 << 62) / ((itemsize) ? (Unsigned)(itemsize) : 1))

#define RPY_RAW_MALLOC(type, zero) \
    ((type *)((zero) ? __builtin_calloc(1, sizeof(type)) : __builtin_malloc(sizeof(type) + !sizeof(type))))
#define RPY_RAW_MALLOC_VARSIZE(type, base, itemsize, n, zero)                     \
    (RPY_UNLIKELY((Unsigned)(n) > RPY_MAX_ITEMS(itemsize))                        \
         ? (type *)0                                                              \
         : (type *)rpy_raw_alloc((base) + (Unsigned)(n) * (Unsigned)(itemsize), (zero)))
#define RPY_RAW_FREE(p) __builtin_free((void *)(p))

static inline void *rpy_raw_alloc(Unsigned size, int zero)
{
    size += !size;
    return zero ? __builtin_calloc(1, size) : __builtin_malloc(size);
}

/* `size` bytes; negative and huge sizes give NULL. */
static inline void *rpy_raw_malloc(Offset size, int zero)
{
    return (Unsigned)size > (Unsigned)1 << 62 ? (void *)0 : rpy_raw_alloc((Unsigned)size, zero);
}

#endif
