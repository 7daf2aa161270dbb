/* Which layout the objects of the CPython that runs have. */
#include "rpy_module_layout.h"

rpm_layout_kind rpm_layout;

/* Does the layout say of an int what the API says? */
static int reads_int(Signed number, int small)
{
    PyObject *value = PyLong_FromLong(number);
    Signed out = 0;
    int read = value != NULL && rpm_read_int(value, &out);
    Py_XDECREF(value);
    return small ? read && out == number : value != NULL && !read;
}

static int reads_all(void)
{
    PyObject *number = PyFloat_FromDouble(-2.5), *list = PyList_New(0);
    int done = number != NULL && list != NULL && PyList_Append(list, number) == 0 &&
               PyList_Append(list, Py_None) == 0 && rpm_read_float(number) == -2.5 &&
               ((rpm_list_object *)list)->size == 2 && rpm_list_item(list, 0) == number &&
               rpm_list_item(list, 1) == Py_None && reads_int(0, 1) && reads_int(1, 1) &&
               reads_int(-1, 1) && reads_int(1000000007, 1) && reads_int(-1000000007, 1) &&
               reads_int(1L << 30, 0) && reads_int(-(1L << 30), 0) && reads_int(1L << 60, 0);
    Py_XDECREF(number);
    Py_XDECREF(list);
    PyErr_Clear();
    return done;
}

void rpm_layout_find(void)
{
    unsigned long version = Py_Version >> 16;
    if (sizeof(PyObject) != 16)
        return;
    if (version == 0x030b)
        rpm_layout = RPM_SIZED;
    else if (version == 0x030c || version == 0x030d)
        rpm_layout = RPM_TAGGED;
    if (rpm_layout != RPM_UNKNOWN && !reads_all())
        rpm_layout = RPM_UNKNOWN;
}
