/* What Python code cannot change, because native code would not notice: attributes of the module
 * and of its classes, and the class of an object.
 */
#include "rpy_module.h"

/* ---- classes ---- */

/* Derived from ABCMeta, so that classes of Python can have abc.ABC, too, as a base class. */
static PyObject *class_type, *abc_type;
int rpm_sealed;

static int is_own_class(PyObject *type)
{
    int i;
    for (i = 0; i < rpm_this.classes_count; i++)
        if (rpm_this.classes[i].type == type)
            return 1;
    for (i = 0; i < rpm_this.exceptions_count; i++)
        if (rpm_this.exceptions[i].type == type)
            return 1;
    return 0;
}

static int set_class_attribute(PyObject *type, PyObject *name, PyObject *value)
{
    setattrofunc set = (setattrofunc)PyType_GetSlot(&PyType_Type, Py_tp_setattro);
    if (!rpm_sealed || !is_own_class(type))
        return rpm_sealed && !rpm_check_class_attribute(type, name) ? -1 : set(type, name, value);
    PyErr_Format(PyExc_TypeError, "cannot %s '%U' attribute of %R: it is native code",
                 value == NULL ? "delete" : "set", name, type);
    return -1;
}

/* A field is a descriptor for instances; the class has a value of its own, or none. */
static PyObject *get_class_attribute(PyObject *type, PyObject *name)
{
    getattrofunc get = (getattrofunc)PyType_GetSlot(&PyType_Type, Py_tp_getattro);
    PyObject *result = get(type, name), *value;
    if (!rpm_sealed || result == NULL || !Py_IS_TYPE(result, &PyGetSetDescr_Type) ||
        !rpm_class_value(type, name, &value))
        return result;
    Py_DECREF(result);
    return value;
}

/* ABCMeta takes the module `abc` for that of a class that is made without a class statement. */
static int set_module(PyObject *type, PyObject *args)
{
    PyObject *dict = PyTuple_Size(args) == 3 ? PyTuple_GetItem(args, 2) : NULL;
    PyObject *globals = PyEval_GetGlobals(), *name;
    if (dict == NULL || globals == NULL || PyMapping_HasKeyString(dict, "__module__"))
        return 1;
    name = PyDict_GetItemString(globals, "__name__");
    return name == NULL || PyObject_SetAttrString(type, "__module__", name) == 0;
}

/* A class that Python derives: what its abstract methods are, when all else is done. */
static int init_class(PyObject *type, PyObject *args, PyObject *words)
{
    initproc init = (initproc)PyType_GetSlot(&PyType_Type, Py_tp_init);
    rpm_class *c;
    PyObject *find, *names = NULL;
    int done;
    if (init(type, args, words) < 0)
        return -1;
    if (!rpm_sealed)
        return 0;
    if (!set_module(type, args))
        return -1;
    c = rpm_class_of((PyTypeObject *)type);
    if (c == NULL)
        return 0;
    find = rpm_host_side("abstract_methods");
    if (find != NULL)
        names = PyObject_CallFunctionObjArgs(find, type, c->type, NULL);
    done = names != NULL && PyObject_SetAttrString(type, "__abstractmethods__", names) == 0;
    Py_XDECREF(names);
    return done ? 0 : -1;
}

/* What type, or ABCMeta, does where it is asked about a class. */
static PyObject *ask_metaclass(PyObject *type, const char *name, PyObject *what)
{
    PyObject *metaclass = is_own_class(type) ? (PyObject *)&PyType_Type : abc_type;
    /* interned: Python's cache of methods would keep each other string of that name for some time */
    PyObject *interned = PyUnicode_InternFromString(name), *result = NULL;
    if (interned != NULL)
        result = PyObject_CallMethodObjArgs(metaclass, interned, type, what, NULL);
    Py_XDECREF(interned);
    return result;
}

static PyObject *is_instance(PyObject *type, PyObject *object)
{
    if (PyObject_TypeCheck(object, (PyTypeObject *)type) && is_own_class(type))
        Py_RETURN_TRUE;
    return ask_metaclass(type, "__instancecheck__", object);
}

static PyObject *is_subclass(PyObject *type, PyObject *other)
{
    return ask_metaclass(type, "__subclasscheck__", other);
}

/* Native code would not know such a class as one of this class, nor of one above. */
static PyObject *register_class(PyObject *type, PyObject *other)
{
    return PyErr_Format(PyExc_TypeError, "cannot register %R as a subclass of %R, which is native code",
                        other, rpm_class_of((PyTypeObject *)type) == NULL ? type
                        : rpm_class_of((PyTypeObject *)type)->type);
}

static PyMethodDef class_methods[] = {
    { "__instancecheck__", is_instance, METH_O, NULL },
    { "__subclasscheck__", is_subclass, METH_O, NULL },
    { "register", register_class, METH_O, NULL },
    { NULL, NULL, 0, NULL }
};

static PyType_Slot class_slots[] = {
    { Py_tp_init, init_class },
    { Py_tp_getattro, get_class_attribute },
    { Py_tp_setattro, set_class_attribute },
    { Py_tp_methods, class_methods },
    { 0, NULL }
};

static PyType_Spec class_spec = { "rpython.native_class", 0, 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, class_slots };

static PyObject *subtype(PyType_Spec *spec, PyTypeObject *base)
{
    PyObject *bases = PyTuple_Pack(1, (PyObject *)base), *type;
    if (bases == NULL)
        return NULL;
    type = PyType_FromSpecWithBases(spec, bases);
    Py_DECREF(bases);
    return type;
}

PyObject *rpm_class_type(void)
{
    PyObject *abc;
    if (class_type != NULL)
        return class_type;
    abc = PyImport_ImportModule("abc");
    abc_type = abc == NULL ? NULL : PyObject_GetAttrString(abc, "ABCMeta");
    Py_XDECREF(abc);
    if (abc_type != NULL)
        class_type = subtype(&class_spec, (PyTypeObject *)abc_type);
    return class_type;
}

PyObject *rpm_new_class(const char *name, PyObject *base, PyObject *dict)
{
    return rpm_class_type() == NULL ? NULL : PyObject_CallFunction(class_type, "s(O)O", name, base, dict);
}

void rpm_seal(void)
{
    rpm_sealed = 1;
}

/* ---- objects ---- */

PyObject *rpm_get_class(PyObject *self, void *closure)
{
    (void)closure;
    Py_INCREF((PyObject *)Py_TYPE(self));
    return (PyObject *)Py_TYPE(self);
}

int rpm_set_class(PyObject *self, PyObject *value, void *closure)
{
    PyObject *name = PyType_GetName(Py_TYPE(self));
    (void)value;
    (void)closure;
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "the class of a native '%U' object cannot be changed", name);
    Py_XDECREF(name);
    return -1;
}

PyObject *rpm_cannot_pickle(PyObject *self, PyObject *args)
{
    PyObject *name = PyType_GetName(Py_TYPE(self));
    (void)args;
    if (name != NULL)
        PyErr_Format(PyExc_TypeError, "cannot pickle '%U' object", name);
    Py_XDECREF(name);
    return NULL;
}

/* ---- the module ---- */

static int set_module_attribute(PyObject *module, PyObject *name, PyObject *value)
{
    setattrofunc set = (setattrofunc)PyType_GetSlot(&PyModule_Type, Py_tp_setattro);
    if (!rpm_sealed)
        return set(module, name, value);
    if (PyUnicode_CompareWithASCIIString(name, "__spec__") == 0)
        PyErr_Format(PyExc_ImportError, "module %s is native code, which cannot be reloaded",
                     rpm_this.name);
    else
        PyErr_Format(PyExc_AttributeError,
                     "cannot %s '%U' of module %s: it is native code, which would not notice",
                     value == NULL ? "delete" : "set", name, rpm_this.name);
    return -1;
}

/* What the source has imported is looked up where it is, when somebody asks for it. */
static PyObject *imported(const rpm_import *from)
{
    PyObject *module = PyImport_ImportModule(from->module), *value;
    if (module == NULL || from->attribute[0] == 0)
        return module;
    value = PyObject_GetAttrString(module, from->attribute);
    Py_DECREF(module);
    return value;
}

static PyObject *get_module_attribute(PyObject *module, PyObject *name)
{
    getattrofunc get = (getattrofunc)PyType_GetSlot(&PyModule_Type, Py_tp_getattro);
    PyObject *value = get(module, name);
    const rpm_import *each;
    if (value != NULL || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return value;
    for (each = rpm_this.imports; each->name != NULL; each++) {
        if (PyUnicode_CompareWithASCIIString(name, each->name) != 0)
            continue;
        PyErr_Clear();
        value = imported(each);
        if (value != NULL && PyDict_SetItem(PyModule_GetDict(module), name, value) < 0)
            Py_CLEAR(value);
        return value;
    }
    return NULL;
}

static PyType_Slot module_slots[] = {
    { Py_tp_getattro, get_module_attribute },
    { Py_tp_setattro, set_module_attribute },
    { 0, NULL }
};

static PyType_Spec module_spec = { "rpython.native_module", 0, 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE, module_slots };

PyObject *rpm_new_module(PyObject *name)
{
    PyObject *type = subtype(&module_spec, &PyModule_Type), *module = NULL;
    if (type != NULL)
        module = PyObject_CallFunction(type, "Oz", name, rpm_this.doc);
    Py_XDECREF(type);
    return module;
}
