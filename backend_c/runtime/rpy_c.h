/* C memory at addresses that are ints, and what calls of C libraries need. */
#ifndef RPY_C_H
#define RPY_C_H

#include "rpy_base.h"

/* The accesses need no alignment and alias everything. */
#define RPY_C_ACCESS(kind, type, value)                                       \
    typedef type rpy_c_##kind __attribute__((aligned(1), may_alias));         \
    static inline value rpy_c_load_##kind(Signed address)                     \
    {                                                                         \
        return *(rpy_c_##kind *)address;                                      \
    }                                                                         \
    static inline void rpy_c_store_##kind(Signed address, value v)            \
    {                                                                         \
        *(rpy_c_##kind *)address = (type)v;                                   \
    }
RPY_C_ACCESS(i8, signed char, Signed)
RPY_C_ACCESS(i16, short, Signed)
RPY_C_ACCESS(i32, int, Signed)
RPY_C_ACCESS(i64, long, Signed)
RPY_C_ACCESS(u8, unsigned char, Signed)
RPY_C_ACCESS(u16, unsigned short, Signed)
RPY_C_ACCESS(u32, unsigned int, Signed)
RPY_C_ACCESS(f32, float, double)
RPY_C_ACCESS(f64, double, double)

/* Zeroed memory; 0 when there is none. */
extern RPY_HIDDEN Signed rpy_c_alloc(Signed size);
extern RPY_HIDDEN void rpy_c_free(Signed address);
/* Bytes before the first zero, at most `limit` unless that is negative. */
extern RPY_HIDDEN Signed rpy_c_find_zero(Signed address, Signed limit);
/* The errno that C calls start with and leave behind. */
extern RPY_HIDDEN Signed rpy_c_get_errno(void);
extern RPY_HIDDEN void rpy_c_set_errno(Signed value);

/* Did the function of the program that C just called raise?  Exceptions do not get into C:
 * it is printed and forgotten. */
extern RPY_HIDDEN int rpy_c_raised(const char *function);

/* Casts: the generated code says to which type of pointer. */
#define rpy_c_same(pointer) (pointer)
#define rpy_c_address(pointer) ((Signed)(pointer))

#define rpy_c_copy(target, source, size) \
    ((void)__builtin_memmove((void *)(target), (const void *)(source), (size)))

/* To and from the characters of a bytes object, an array that starts with its length. */
#define RPY_C_CHARS(array) ((char *)(array) + sizeof(Signed))
#define rpy_c_put(address, array, start, count) \
    ((void)__builtin_memcpy((void *)(address), RPY_C_CHARS(array) + (start), (count)))
#define rpy_c_get(address, array, count) \
    ((void)__builtin_memcpy(RPY_C_CHARS(array), (const void *)(address), (count)))

#endif
