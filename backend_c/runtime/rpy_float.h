/* Floats as text, the way Python writes and reads them; independent of the locale. */
#ifndef RPY_FLOAT_H
#define RPY_FLOAT_H

#include "rpy_base.h"

/* Enough for any result of rpy_float_repr, the final NUL included. */
#define RPY_FLOAT_REPR_SIZE 32

/* repr(x): the shortest text that reads back as x.  Writes the text and a NUL to `buf`;
 * returns the length. */
extern RPY_HIDDEN Signed rpy_float_repr(double x, char *buf);

/* Flags of rpy_float_format. */
#define RPY_FLOAT_PLUS 1      /* '+' in front of positive numbers */
#define RPY_FLOAT_SPACE 2     /* ' ' in front of positive numbers */
#define RPY_FLOAT_ALTERNATE 4 /* '#': keep the point and trailing zeros */
#define RPY_FLOAT_ADD_DOT_0 8 /* ".0" after a result that looks like an integer */

/* x as Python's format() writes it.  `kind` is one of e E f F g G % r (r: repr, ignores
 * precision); `precision` < 0 means 6.  Writes at most `size` bytes with the final NUL.
 * Returns the length of the whole text, as snprintf: call again with more room when it
 * is >= size. */
extern RPY_HIDDEN Signed rpy_float_format(double x, char kind, Signed precision, Signed flags,
                                          char *buf, Signed size);

/* float(text): surrounding white space, underscores between digits, inf and nan as Python
 * has them.  `*ok` (may be NULL) becomes 0 when the text is no number; so does
 * rpy_strtod_ok(), which belongs to the last call. */
extern RPY_HIDDEN double rpy_strtod(const char *text, Signed length, int *ok);
extern RPY_HIDDEN Signed rpy_strtod_ok(void);

/* C's fmod and pow; errno is left alone, special values as in C99. */
extern RPY_HIDDEN double rpy_float_fmod(double x, double y);
extern RPY_HIDDEN double rpy_float_pow(double x, double y);

#endif
