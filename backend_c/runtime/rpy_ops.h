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

/* x / y as Python defines it: the exact quotient, correctly rounded.  Operands up to 2**53
 * are exact doubles; otherwise the quotient is computed to at least 64 bits, the lowest
 * one standing for whatever is left, and rounded once. */
static inline double rpy_uint_truediv(Unsigned a, Unsigned b)
{
    const Unsigned exact = (Unsigned)1 << 53;
    if (a <= exact && b <= exact)
        return (double)a / (double)b;
    if (a == 0)
        return 0.0;
    int shift = 64 + __builtin_clzl(a);
    unsigned __int128 scaled = (unsigned __int128)a << shift;
    unsigned __int128 quotient = scaled / b;
    if (scaled % b != 0)
        quotient |= 1;
    return __builtin_ldexp((double)quotient, -shift);
}

static inline double rpy_int_truediv(Signed x, Signed y)
{
    const Signed exact = (Signed)1 << 53;
    if (-exact <= x && x <= exact && -exact <= y && y <= exact)
        return (double)x / (double)y;
    if (x == 0)
        return y < 0 ? -0.0 : 0.0;
    Unsigned a = x < 0 ? 0 - (Unsigned)x : (Unsigned)x;
    Unsigned b = y < 0 ? 0 - (Unsigned)y : (Unsigned)y;
    double result = rpy_uint_truediv(a, b);
    return (x < 0) != (y < 0) ? -result : result;
}

/* Long division until the quotient has more bits than a double; what is left is one more. */
static inline double rpy_ulllong_truediv(UInt128 a, UInt128 b)
{
    UInt128 quotient = a / b, rest = a % b;
    int shift = 0;
    while (rest != 0 && quotient >> 55 == 0) {
        Bool one = rest >= b - rest;
        quotient = quotient << 1 | one;
        rest = one ? rest - (b - rest) : rest + rest;
        shift++;
    }
    if (rest != 0)
        quotient |= 1;
    return __builtin_ldexp((double)quotient, -shift);
}

static inline double rpy_lllong_truediv(Int128 x, Int128 y)
{
    UInt128 a = x < 0 ? 0 - (UInt128)x : (UInt128)x;
    UInt128 b = y < 0 ? 0 - (UInt128)y : (UInt128)y;
    double result = rpy_ulllong_truediv(a, b);
    return (x < 0) != (y < 0) ? -result : result;
}

/* ---- offsets: sizes that do not fit become one that no memory has ---- */

static inline Offset rpy_offset_add(Offset x, Offset y)
{
    Offset result;
    return __builtin_add_overflow(x, y, &result) ? RPY_SIGNED_MIN : result;
}

static inline Offset rpy_offset_mul(Offset x, Signed n)
{
    Offset result;
    return __builtin_mul_overflow(x, n, &result) ? RPY_SIGNED_MIN : result;
}

#endif
