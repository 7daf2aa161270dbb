/* Copying and pickling of native objects: as a class and a dict of attributes, as Python's are. */
#include "rpy_module.h"

static PyObject *call(int function, PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    rpm_entry entry = (rpm_entry)(void (*)(void))rpm_this.methods[function].ml_meth;
    return entry(self, args, count, NULL);
}

/* The attributes as a dict. */
static PyObject *get_state(const rpm_class *c, PyObject *self)
{
    const rpm_function *f = &rpm_this.functions[c->restore];
    PyObject *values = call(c->read, self, NULL, 0), *state;
    int i;
    if (values == NULL)
        return NULL;
    state = PyDict_New();
    for (i = 0; i < f->count && state != NULL; i++)
        if (PyDict_SetItem(state, f->interned[i], PyTuple_GetItem(values, i)) < 0)
            Py_CLEAR(state);
    Py_DECREF(values);
    return state;
}

PyObject *rpm_reduce(PyObject *self, PyObject *args)
{
    const rpm_class *c = rpm_class_of(Py_TYPE(self));
    PyObject *module, *make, *state, *result = NULL;
    if (c == NULL || c->read < 0)
        return rpm_cannot_pickle(self, args);
    module = PyImport_ImportModule("copyreg");
    make = module == NULL ? NULL : PyObject_GetAttrString(module, "__newobj__");
    state = make == NULL ? NULL : get_state(c, self);
    if (state != NULL)
        result = Py_BuildValue("O(O)O", make, (PyObject *)Py_TYPE(self), state);
    Py_XDECREF(module);
    Py_XDECREF(make);
    Py_XDECREF(state);
    return result;
}

PyObject *rpm_set_state(PyObject *self, PyObject *state)
{
    const rpm_class *c = rpm_class_of(Py_TYPE(self));
    const rpm_function *f;
    int i;
    if (c == NULL || c->read < 0)
        return rpm_cannot_pickle(self, NULL);
    f = &rpm_this.functions[c->restore];
    PyObject *args[f->count + 1];
    if (!PyDict_Check(state) || PyDict_Size(state) != f->count) {
        PyErr_Format(PyExc_TypeError, "%s() needs a dict of the %d attributes", f->name, f->count);
        return NULL;
    }
    for (i = 0; i < f->count; i++) {
        args[i] = PyDict_GetItemWithError(state, f->interned[i]);
        if (args[i] == NULL) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "%s() misses the attribute '%s'", f->name,
                             f->names[i]);
            return NULL;
        }
    }
    return call(c->restore, self, args, f->count);
}
