/* Exceptions of Python that native code has caught.  It has a copy of their attributes, so that Python
 * code cannot assign these as long as native code has the exception.
 */
#include "rpy_module.h"

static PyObject *held; /* how many times native code has each, by address */

/* Add to how many times native code has it; 0 with an exception set. */
static int add(PyObject *error, Signed more)
{
    PyObject *key = PyLong_FromVoidPtr(error), *count = NULL, *sum = NULL;
    Signed total;
    int done = 0;
    if (held == NULL)
        held = PyDict_New();
    if (key != NULL && held != NULL) {
        count = PyDict_GetItemWithError(held, key);
        total = more + (count == NULL ? 0 : PyLong_AsLong(count));
        sum = PyLong_FromLong(total);
        if (sum != NULL)
            done = (total == 0 ? PyDict_DelItem(held, key) : PyDict_SetItem(held, key, sum)) == 0;
    }
    Py_XDECREF(key);
    Py_XDECREF(sum);
    return done;
}

int rpm_hold(PyObject *error)
{
    return add(error, 1);
}

void rpm_let_go(PyObject *error)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    add(error, -1); /* without memory it stays as it is, which is safe */
    PyErr_Restore(type, value, trace);
}

/* -1 with an exception set. */
static int is_held(PyObject *error)
{
    PyObject *key;
    int found;
    if (held == NULL || PyDict_Size(held) == 0)
        return 0;
    key = PyLong_FromVoidPtr(error);
    found = key == NULL ? -1 : PyDict_Contains(held, key);
    Py_XDECREF(key);
    return found;
}

/* Has native code a copy of this attribute?  Of `args` it has the text. */
static int is_copied(PyTypeObject *type, PyObject *name)
{
    const rpm_exception *e, *end = rpm_this.exceptions + rpm_this.exceptions_count;
    const rpm_field *field;
    if (PyUnicode_CompareWithASCIIString(name, "args") == 0)
        return 1;
    for (e = rpm_this.exceptions; e < end; e++) {
        if (e->type == NULL || !PyType_IsSubtype(type, (PyTypeObject *)e->type))
            continue;
        for (field = e->fields; field->name != NULL; field++)
            if (PyUnicode_CompareWithASCIIString(name, field->name) == 0)
                return 1;
    }
    return 0;
}

/* Native code may have it only because its collector has not run. */
static int is_still_held(PyObject *error)
{
    if (!rpm_enter())
        return -1;
    if (rpm_this.knows_threads)
        rpm_thread();
    rpy_forget_last_exception();
    rpx_collect();
    rpy_exc = NULL;
    rpm_release_objects();
    return is_held(error);
}

/* What the __setattr__ and __delattr__ of such classes call first. */
static PyObject *check_assignment(PyObject *self, PyObject *args)
{
    PyObject *error, *name;
    int found;
    (void)self;
    if (!PyArg_ParseTuple(args, "OU", &error, &name))
        return NULL;
    found = is_held(error);
    if (found == 1 && is_copied(Py_TYPE(error), name))
        found = is_still_held(error);
    else if (found == 1)
        found = 0;
    if (found == 0)
        Py_RETURN_NONE;
    if (found == 1)
        PyErr_Format(PyExc_AttributeError,
                     "cannot set or delete '%U' of an exception that native code has caught: it would"
                     " not notice", name);
    return NULL;
}

static PyMethodDef check_method = { "check_assignment", check_assignment, METH_VARARGS, NULL };

int rpm_watch_exception(rpm_exception *e)
{
    PyObject *watch = rpm_host_side("watch_assignments");
    PyObject *check = PyCFunction_New(&check_method, NULL), *done = NULL;
    PyObject *first = rpm_this.exceptions[e->base].own ? Py_False : Py_True;
    if (watch != NULL && check != NULL)
        done = PyObject_CallFunctionObjArgs(watch, e->type, first, check, NULL);
    Py_XDECREF(check);
    Py_XDECREF(done);
    return done != NULL;
}
