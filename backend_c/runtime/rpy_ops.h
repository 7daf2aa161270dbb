/* What the C templates of the low-level operation table (lltypesystem/ops_*.py) use.
 *
 * The _OVF macros store the wrapped result through `r` and are true on overflow.
 */
#ifndef RPY_OPS_H
#define RPY_OPS_H

#include "rpy_base.h"

#define RPY_ADD_OVF(x, y, r) RPY_UNLIKELY(__builtin_add_overflow((Signed)(x), (Signed)(y), (r)))
#define RPY_SUB_OVF(x, y, r) RPY_UNLIKELY(__builtin_sub_overflow((Signed)(x), (Signed)(y), (r)))
#define RPY_MUL_OVF(x, y, r) RPY_UNLIKELY(__builtin_mul_overflow((Signed)(x), (Signed)(y), (r)))
#define RPY_NEG_OVF(x, r) RPY_UNLIKELY(__builtin_sub_overflow((Signed)0, (Signed)(x), (r)))
#define RPY_ABS_OVF(x, r) RPY_UNLIKELY(rpy_abs_overflows((x), (r)))
#define RPY_LSHIFT_OVF(x, count, r) RPY_UNLIKELY(rpy_lshift_overflows((x), (count), (r)))

static inline Bool rpy_abs_overflows(Signed x, Signed *r)
{
    *r = x < 0 ? (Signed)(0 - (Unsigned)x) : x;
    return *r < 0;
}

static inline Bool rpy_lshift_overflows(Signed x, Signed count, Signed *r)
{
    *r = (Signed)((Unsigned)x << count);
    return *r >> count != x;
}

static inline Signed rpy_float_to_bits(Float x)
{
    Signed r;
    __builtin_memcpy(&r, &x, sizeof r);
    return r;
}

static inline Float rpy_bits_to_float(Signed x)
{
    Float r;
    __builtin_memcpy(&r, &x, sizeof r);
    return r;
}

#endif
