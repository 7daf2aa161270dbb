/* Copying and pickling of native objects: as a class and a dict of attributes, as Python's are. */
#include "rpy_module.h"

static PyObject *call(int function, PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    rpm_entry entry = (rpm_entry)(void (*)(void))rpm_this.methods[function].ml_meth;
    return entry(self, args, count, NULL);
}

/* The __dict__ of an object of a class that Python has derived, a new reference; an empty one where there
 * is none. */
static PyObject *own_dict(PyObject *self)
{
    PyObject *found = PyObject_GetAttrString(self, "__dict__");
    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        found = PyDict_New();
    }
    return found;
}

/* What is in slots is in no state. */
static int has_slots(PyObject *copyreg, PyObject *type)
{
    PyObject *names = PyObject_CallMethod(copyreg, "_slotnames", "O", type);
    Py_ssize_t count = names == NULL ? -1 : PyObject_Size(names);
    Py_XDECREF(names);
    return count != 0;
}

/* The attributes as a dict. */
static PyObject *get_state(const rpm_class *c, PyObject *self)
{
    const rpm_function *f = &rpm_this.functions[c->restore];
    PyObject *values = call(c->read, self, NULL, 0), *state, *own;
    int i;
    if (values == NULL)
        return NULL;
    state = PyDict_New();
    for (i = 0; i < f->count && state != NULL; i++)
        if (PyDict_SetItem(state, f->interned[i], PyTuple_GetItem(values, i)) < 0)
            Py_CLEAR(state);
    Py_DECREF(values);
    own = state == NULL || !((rpm_object *)self)->is_extended ? NULL : own_dict(self);
    if (PyErr_Occurred() || (own != NULL && PyDict_Update(state, own) < 0))
        Py_CLEAR(state);
    Py_XDECREF(own);
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
    state = NULL;
    if (make != NULL && has_slots(module, (PyObject *)Py_TYPE(self)))
        result = PyErr_Occurred() ? NULL : rpm_cannot_pickle(self, args);
    else if (make != NULL)
        state = get_state(c, self);
    if (state != NULL)
        result = Py_BuildValue("O(O)O", make, (PyObject *)Py_TYPE(self), state);
    Py_XDECREF(module);
    Py_XDECREF(make);
    Py_XDECREF(state);
    return result;
}

/* A derived class may have a __reduce__ of its own. */
PyObject *rpm_reduce_ex(PyObject *self, PyObject *protocol)
{
    PyObject *native, *found, *result = NULL;
    int is_own;
    (void)protocol;
    if (!((rpm_object *)self)->is_extended)
        return rpm_reduce(self, NULL);
    native = PyObject_GetAttrString(rpm_base_type, "__reduce__");
    found = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__reduce__");
    is_own = native != NULL && found != NULL && native != found;
    Py_XDECREF(native);
    Py_XDECREF(found);
    if (is_own)
        result = PyObject_CallMethod(self, "__reduce__", NULL);
    else if (!PyErr_Occurred())
        result = rpm_reduce(self, NULL);
    return result;
}

/* What native code does not know of a state goes into the __dict__. */
static int set_own_dict(const rpm_function *f, PyObject *self, PyObject *state)
{
    PyObject *dict = PyObject_GetAttrString(self, "__dict__"), *name, *value;
    Py_ssize_t place = 0;
    int i, done = dict != NULL;
    while (done && PyDict_Next(state, &place, &name, &value)) {
        for (i = 0; i < f->count; i++)
            if (PyUnicode_Check(name) && PyUnicode_Compare(f->interned[i], name) == 0)
                break;
        if (i == f->count)
            done = PyDict_SetItem(dict, name, value) == 0;
    }
    Py_XDECREF(dict);
    return done;
}

PyObject *rpm_set_state(PyObject *self, PyObject *state)
{
    const rpm_class *c = rpm_class_of(Py_TYPE(self));
    const rpm_function *f;
    int i, is_extended = ((rpm_object *)self)->is_extended;
    if (c == NULL || c->read < 0)
        return rpm_cannot_pickle(self, NULL);
    f = &rpm_this.functions[c->restore];
    PyObject *args[f->count + 1];
    if (!PyDict_Check(state) || (PyDict_Size(state) != f->count && !is_extended)) {
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
    if (PyDict_Size(state) > f->count && !set_own_dict(f, self, state))
        return NULL;
    return call(is_extended && c->restore_extended >= 0 ? c->restore_extended : c->restore, self, args,
                f->count);
}
