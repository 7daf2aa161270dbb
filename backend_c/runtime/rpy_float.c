#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rpy_float.h"

static locale_t c_locale(void)
{
    static locale_t locale;
    if (locale == (locale_t)0)
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return locale;
}

static double read_double(const char *text, char **end)
{
    int saved = errno;
    double result = strtod_l(text, end, c_locale());
    errno = saved;
    return result;
}

/* The decimal `digits` (without point) and exponent: x = 0.d1d2d3... * 10**point. */
typedef struct {
    char digits[24];
    int count;
    int point;
} decimal;

/* x (finite, positive) correctly rounded to `count` significant digits. */
static void round_to_digits(double x, int count, decimal *result)
{
    char text[40];
    const char *mantissa = text;
    snprintf(text, sizeof text, "%.*e", count - 1, x);
    result->digits[0] = *mantissa++;
    if (count > 1) {
        while (*mantissa < '0' || *mantissa > '9')
            mantissa++; /* the point, whatever the locale makes of it */
        memcpy(result->digits + 1, mantissa, (size_t)(count - 1));
        mantissa += count - 1;
    }
    result->digits[count] = '\0';
    result->count = count;
    result->point = atoi(mantissa + 1) + 1;
}

static double decimal_value(const decimal *d)
{
    char text[48];
    snprintf(text, sizeof text, "0.%se%d", d->digits, d->point);
    return read_double(text, NULL);
}

/* The next greater decimal of as many digits. */
static void increment(decimal *d)
{
    int index = d->count - 1;
    while (index >= 0 && d->digits[index] == '9')
        d->digits[index--] = '0';
    if (index >= 0) {
        d->digits[index]++;
    } else {
        d->digits[0] = '1';
        d->point++;
    }
}

/* The shortest decimal that reads back as x, and the nearest to x of those.
 *
 * Fifteen digits always survive the way to a double and back, so that when the best
 * 15-digit decimal reads back as x, every shorter one that does is the same number with
 * its zeros stripped.  Otherwise (and for subnormals, which carry fewer digits) lengths
 * are tried in turn.  Below a power of two doubles are twice as dense as above it: there
 * the best decimal may fall outside the interval on the dense side while its neighbour
 * above is inside. */
static void shortest_decimal(double x, decimal *result)
{
    int exponent, count;
    double fraction = frexp(x, &exponent);
    for (count = x < 2.3e-308 ? 1 : 15; count < 17; count++) {
        round_to_digits(x, count, result);
        if (decimal_value(result) == x)
            break;
        if (fraction == 0.5) {
            increment(result);
            if (decimal_value(result) == x)
                break;
        }
    }
    if (count == 17)
        round_to_digits(x, 17, result);
    while (result->count > 1 && result->digits[result->count - 1] == '0')
        result->digits[--result->count] = '\0';
}

Signed rpy_float_repr(double x, char *buf)
{
    char *out = buf;
    decimal d;
    int index;
    if (isnan(x)) {
        memcpy(buf, "nan", 4);
        return 3;
    }
    if (signbit(x)) {
        *out++ = '-';
        x = -x;
    }
    if (isinf(x) || x == 0.0) {
        memcpy(out, x == 0.0 ? "0.0" : "inf", 4);
        return out + 3 - buf;
    }
    shortest_decimal(x, &d);
    if (d.point <= -4 || d.point > 16) {
        /* d.ddde+XX */
        *out++ = d.digits[0];
        if (d.count > 1) {
            *out++ = '.';
            memcpy(out, d.digits + 1, (size_t)(d.count - 1));
            out += d.count - 1;
        }
        out += sprintf(out, "e%c%02d", d.point <= 0 ? '-' : '+', abs(d.point - 1));
    } else {
        if (d.point <= 0) {
            *out++ = '0';
            *out++ = '.';
            for (index = d.point; index < 0; index++)
                *out++ = '0';
        }
        for (index = 0; index < d.count || index < d.point; index++) {
            if (index == d.point && d.point > 0)
                *out++ = '.';
            *out++ = index < d.count ? d.digits[index] : '0';
        }
        if (d.count <= d.point) {
            *out++ = '.';
            *out++ = '0';
        }
    }
    *out = '\0';
    return out - buf;
}

static int looks_like_integer(const char *text, Signed length)
{
    Signed index;
    for (index = 0; index < length; index++)
        if ((text[index] < '0' || text[index] > '9') && text[index] != '-')
            return 0;
    return length > 0;
}

Signed rpy_float_format(double x, char kind, Signed precision, Signed flags, char *buf,
                        Signed size)
{
    char pattern[8], *p = pattern;
    char sign = '\0';
    Signed length, extra = 0, room = size;
    locale_t previous;
    int upper = kind >= 'A' && kind <= 'Z';
    if (precision < 0)
        precision = 6;
    if (signbit(x) && !isnan(x)) {
        sign = '-';
        x = -x;
    } else if (flags & RPY_FLOAT_PLUS) {
        sign = '+';
    } else if (flags & RPY_FLOAT_SPACE) {
        sign = ' ';
    }
    if (sign != '\0') {
        if (room > 0) {
            *buf++ = sign;
            room--;
        }
        extra++;
    }
    if (isnan(x) || isinf(x)) {
        const char *text = isnan(x) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf");
        length = snprintf(buf, room > 0 ? (size_t)room : 0, "%s%s", text, kind == '%' ? "%" : "");
        return extra + length;
    }
    if (kind == 'r') {
        char text[RPY_FLOAT_REPR_SIZE];
        length = rpy_float_repr(x, text);
        if (!(flags & RPY_FLOAT_ADD_DOT_0) && length > 2 &&
            memcmp(text + length - 2, ".0", 3) == 0)
            text[length -= 2] = '\0';
        snprintf(buf, room > 0 ? (size_t)room : 0, "%s", text);
        return extra + length;
    }
    *p++ = '%';
    if (flags & RPY_FLOAT_ALTERNATE)
        *p++ = '#';
    memcpy(p, ".*", 2);
    p += 2;
    *p++ = kind == '%' ? 'f' : kind;
    if (kind == '%') {
        *p++ = '%';
        *p++ = '%';
        x *= 100.0;
        if (isinf(x)) {
            length = snprintf(buf, room > 0 ? (size_t)room : 0, "inf%%");
            return extra + length;
        }
    }
    *p = '\0';
    previous = uselocale(c_locale());
    length = snprintf(buf, room > 0 ? (size_t)room : 0, pattern, (int)precision, x);
    uselocale(previous);
    if ((flags & RPY_FLOAT_ADD_DOT_0) && length < room && looks_like_integer(buf, length)) {
        if (length + 2 < room)
            memcpy(buf + length, ".0", 3);
        length += 2;
    }
    return extra + length;
}

static int last_strtod_ok;

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Is the text [sign] (inf | infinity | nan), in any case? */
static int is_special(const char *text)
{
    if (*text == '+' || *text == '-')
        text++;
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0 ||
           strcasecmp(text, "nan") == 0;
}

/* Copy without underscores, NUL-terminated; 0 if a character or an underscore is wrong. */
static int copy_number(char *out, const char *text, Signed length)
{
    Signed index;
    for (index = 0; index < length; index++) {
        char c = text[index];
        if (c == '_') {
            if (index == 0 || index + 1 == length || !is_digit(text[index - 1]) ||
                !is_digit(text[index + 1]))
                return 0;
            continue;
        }
        if (c == '\0' || c == 'x' || c == 'X' || c == '(')
            return 0; /* C would read hexadecimal and nan(...) */
        *out++ = c;
    }
    *out = '\0';
    return 1;
}

double rpy_strtod(const char *text, Signed length, int *ok)
{
    char small[128], *copy = small, *end;
    double result = 0.0;
    last_strtod_ok = 0;
    while (length > 0 && is_space(*text)) {
        text++;
        length--;
    }
    while (length > 0 && is_space(text[length - 1]))
        length--;
    if (length >= (Signed)sizeof small)
        copy = (char *)malloc((size_t)length + 1);
    if (copy != NULL && length > 0 && copy_number(copy, text, length)) {
        char first = copy[*copy == '+' || *copy == '-'];
        if (is_digit(first) || first == '.' || is_special(copy)) {
            result = read_double(copy, &end);
            last_strtod_ok = *end == '\0' && end != copy;
        }
    }
    if (copy != small)
        free(copy);
    if (ok != NULL)
        *ok = last_strtod_ok;
    return last_strtod_ok ? result : 0.0;
}

Signed rpy_strtod_ok(void)
{
    return last_strtod_ok;
}

double rpy_float_fmod(double x, double y)
{
    int saved = errno;
    double result = fmod(x, y);
    errno = saved;
    return result;
}

double rpy_float_pow(double x, double y)
{
    int saved = errno;
    double result = pow(x, y);
    errno = saved;
    return result;
}
