/* How CPython's objects lie in memory, where that is known: ints, floats and lists are read without
 * calls then.
 *
 * The limited API does not say it, and a later CPython may change it. So the versions that are known
 * are listed in rpm_layout_find, which also looks at objects of each kind when the module is
 * imported; with any other CPython the functions of the API are called.
 */
#ifndef RPY_MODULE_LAYOUT_H
#define RPY_MODULE_LAYOUT_H

#include "rpy_module.h"

typedef enum {
    RPM_UNKNOWN,
    RPM_SIZED,  /* 3.11: an int is the number of its digits, negative for negative ones, and they */
    RPM_TAGGED  /* 3.12 and later: 8 times the number of digits, plus 2 for a negative one and 1 for 0 */
} rpm_layout_kind;

extern RPY_HIDDEN rpm_layout_kind rpm_layout;
extern RPY_HIDDEN void rpm_layout_find(void);

typedef struct {
    PyObject_HEAD
    Signed size;
    unsigned int digit; /* the lowest 30 bits */
} rpm_int_object;

typedef struct {
    PyObject_HEAD
    double value;
} rpm_float_object;

typedef struct {
    PyObject_HEAD
    Signed size;
    PyObject **items;
} rpm_list_object;

/* The value of an exact int of one digit; 0 for others. */
static inline int rpm_read_int_as(rpm_layout_kind layout, PyObject *value, Signed *out)
{
    const rpm_int_object *number = (const rpm_int_object *)value;
    if (layout == RPM_TAGGED && number->size < 16) {
        *out = (1 - (number->size & 3)) * (Signed)number->digit;
        return 1;
    }
    if (layout == RPM_SIZED && (Unsigned)(number->size + 1) <= 2) {
        *out = number->size * (Signed)number->digit;
        return 1;
    }
    return 0;
}

static inline int rpm_read_int(PyObject *value, Signed *out)
{
    return rpm_read_int_as(rpm_layout, value, out);
}

static inline int rpm_int(const rpm_function *f, int index, PyObject *arg, Signed *out)
{
    return (PyLong_CheckExact(arg) && rpm_read_int(arg, out)) || rpm_any_int(f, index, arg, out);
}

/* The value of an exact float. */
static inline double rpm_read_float(PyObject *value)
{
    if (rpm_layout == RPM_UNKNOWN)
        return PyFloat_AsDouble(value);
    return ((const rpm_float_object *)value)->value;
}

/* A borrowed reference to an item that is there. */
static inline PyObject *rpm_list_item(PyObject *list, Signed index)
{
    if (rpm_layout == RPM_UNKNOWN)
        return PyList_GetItem(list, index);
    return ((const rpm_list_object *)list)->items[index];
}

#endif
