/* Classes of Python that extend those of an extension module: what they cannot have, because native
 * code would not notice.  translator/extension/subclassing.py says what that is.
 */
#include <string.h>

#include "rpy_module.h"

rpm_class *rpm_class_of(PyTypeObject *type)
{
    int i;
    while (type != NULL) {
        for (i = 0; i < rpm_this.classes_count; i++)
            if (rpm_this.classes[i].type == (PyObject *)type)
                return &rpm_this.classes[i];
        type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base);
    }
    return NULL;
}

/* A tuple of all native classes. */
static PyObject *natives(void)
{
    PyObject *result = PyTuple_New(rpm_this.classes_count);
    int i;
    for (i = 0; i < rpm_this.classes_count && result != NULL; i++) {
        Py_INCREF(rpm_this.classes[i].type);
        PyTuple_SetItem(result, i, rpm_this.classes[i].type);
    }
    return result;
}

PyObject *rpm_init_subclass(PyObject *type, PyObject *args, PyObject *words)
{
    rpm_class *c = rpm_class_of((PyTypeObject *)type);
    PyObject *check, *listed, *given, *done = NULL;
    (void)args;
    if (c == NULL || !rpm_sealed)
        Py_RETURN_NONE;
    check = rpm_host_side("check_subclass");
    listed = natives();
    given = words == NULL ? PyDict_New() : words;
    if (check != NULL && listed != NULL && given != NULL)
        done = PyObject_CallFunctionObjArgs(check, type, rpm_base_type, listed, c->type,
                                            c->subclassing, given, NULL);
    Py_XDECREF(listed);
    if (words == NULL)
        Py_XDECREF(given);
    return done;
}

int rpm_check_class_attribute(PyObject *type, PyObject *name)
{
    rpm_class *c = rpm_class_of((PyTypeObject *)type);
    PyObject *check, *done = NULL;
    if (c == NULL)
        return 1;
    check = rpm_host_side("check_name");
    if (check != NULL)
        done = PyObject_CallFunctionObjArgs(check, type, name, c->type, c->subclassing, NULL);
    Py_XDECREF(done);
    return done != NULL;
}

/* An AttributeError about an object that has no such attribute: from 3.13 on it says more where the
 * class has __slots__, but not where the type has a function of its own for assignments. */
static void say_more(PyObject *self, PyObject *name)
{
    PyObject *type, *value, *trace, *known = NULL, *text = NULL, *shown, *args = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    shown = PyType_GetName(Py_TYPE(self));
    text = value == NULL ? NULL : PyObject_Str(value);
    if (shown != NULL && text != NULL)
        known = PyUnicode_FromFormat("'%U' object has no attribute '%U'", shown, name);
    if (known != NULL && PyUnicode_Compare(known, text) == 0)
        args = Py_BuildValue("(N)", PyUnicode_FromFormat(
                                 "%U and no __dict__ for setting new attributes", known));
    if (args != NULL)
        PyObject_SetAttrString(value, "args", args);
    Py_XDECREF(shown);
    Py_XDECREF(text);
    Py_XDECREF(known);
    Py_XDECREF(args);
    PyErr_Clear();
    PyErr_Restore(type, value, trace);
}

/* ---- assignments ---- */

/* The setters that were called last, by class and name: Python interns the names of attributes, and
 * native classes do not change, so that none of these ever becomes wrong. */
typedef struct {
    PyTypeObject *type;
    PyObject *name;
    const rpm_attribute *attribute;
} known_setter;

static known_setter known_setters[64];

static const rpm_attribute *find_attribute(const rpm_class *c, PyObject *name)
{
    const rpm_attribute *attribute;
    for (; c != NULL; c = c->base < 0 ? NULL : &rpm_this.classes[c->base])
        for (attribute = c->attributes; attribute->name != NULL; attribute++)
            if (PyUnicode_CompareWithASCIIString(name, attribute->name) == 0)
                return attribute;
    return NULL;
}

/* The attribute with a setter that objects of a native class have by this name: it may be hidden by
 * something else that a derived class has.  NULL where there is none. */
static const rpm_attribute *assignable(PyTypeObject *type, PyObject *name)
{
    getattrofunc get = (getattrofunc)PyType_GetSlot(&PyType_Type, Py_tp_getattro);
    const rpm_class *c = rpm_class_of(type);
    const rpm_attribute *attribute = find_attribute(c, name);
    PyObject *found;
    int is_descriptor;
    if (attribute == NULL || attribute->set == NULL || rpm_is_extended(c, type))
        return NULL;
    found = get((PyObject *)type, name);
    is_descriptor = found != NULL && Py_IS_TYPE(found, &PyGetSetDescr_Type);
    Py_XDECREF(found);
    PyErr_Clear();
    return is_descriptor ? attribute : NULL;
}

/* What PyObject_GenericSetAttr does, which looks for the descriptor each time. */
static int set_native(PyObject *self, PyObject *name, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(self);
    known_setter *known = &known_setters[((Unsigned)type ^ (Unsigned)name) / 16 % 64];
    const rpm_attribute *attribute = known->attribute;
    if (known->type != type || known->name != name) {
        attribute = PyUnicode_CheckExact(name) ? assignable(type, name) : NULL;
        if (attribute == NULL)
            return PyObject_GenericSetAttr(self, name, value);
        Py_INCREF(name);
        Py_XDECREF(known->name);
        *known = (known_setter){ type, name, attribute };
    }
    return attribute->set(self, value, (void *)attribute);
}

int rpm_set_attribute(PyObject *self, PyObject *name, PyObject *value)
{
    const rpm_class *c;
    int fixed;
    if (!((rpm_object *)self)->is_extended) {
        if (set_native(self, name, value) == 0)
            return 0;
        if (Py_Version >= 0x030D0000 && rpm_class_of(Py_TYPE(self))->is_slotted &&
            PyErr_ExceptionMatches(PyExc_AttributeError))
            say_more(self, name);
        return -1;
    }
    c = rpm_class_of(Py_TYPE(self));
    fixed = PySet_Contains(c->subclassing, name);
    if (fixed < 0)
        return -1;
    if (!fixed || find_attribute(c, name) != NULL) /* which says itself what an assignment does */
        return PyObject_GenericSetAttr(self, name, value);
    PyErr_Format(PyExc_AttributeError,
                 "cannot %s '%U' of an object that extends %s: it is native code, which would not"
                 " notice", value == NULL ? "delete" : "set", name, c->name);
    return -1;
}

int rpm_is_native(const rpm_function *f, PyObject *type)
{
    int i;
    for (i = 0; i < rpm_this.classes_count; i++)
        if (rpm_this.classes[i].type == type)
            return 1;
    PyErr_Format(PyExc_TypeError,
                 "%s() is native code, and cannot be called on a class that Python has derived",
                 f->name);
    return 0;
}

PyObject *rpm_of_class(PyObject *self, PyObject *text)
{
    PyObject *name, *rest = NULL, *result = NULL;
    Py_ssize_t length, most;
    if (text == NULL || !((rpm_object *)self)->is_extended)
        return text;
    length = (Py_ssize_t)strlen(rpm_class_of(Py_TYPE(self))->name);
    most = PyUnicode_GetLength(text);
    name = PyType_GetQualName(Py_TYPE(self));
    if (name != NULL)
        rest = PyUnicode_Substring(text, length, most);
    if (rest != NULL)
        result = PyUnicode_Concat(name, rest);
    Py_XDECREF(name);
    Py_XDECREF(rest);
    Py_DECREF(text);
    return result;
}
