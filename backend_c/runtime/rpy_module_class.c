/* The classes of an extension module.
 *
 * Each is a Python class made with `type(name, bases, dict)` over one of two C types, whose objects
 * are wrappers: rpy_module_wrapper.c.
 */
#include <string.h>

#include "rpy_module.h"

/* ---- attributes ---- */

static PyObject *cannot_get(PyObject *self, void *closure)
{
    const rpm_attribute *attribute = closure;
    (void)self;
    PyErr_SetString(PyExc_AttributeError, attribute->message);
    return NULL;
}

static int cannot_set(PyObject *self, PyObject *value, void *closure)
{
    const rpm_attribute *attribute = closure;
    (void)self;
    if (attribute->get == NULL)
        PyErr_SetString(PyExc_AttributeError, attribute->message);
    else
        PyErr_Format(PyExc_AttributeError, "attribute '%s' cannot be %s", attribute->name,
                     value == NULL ? "deleted" : "assigned");
    return -1;
}

int rpm_is_deleted(const rpm_function *f)
{
    const char *name = strrchr(f->name, '.');
    PyErr_Format(PyExc_AttributeError, "attribute '%s' cannot be deleted",
                 name == NULL ? f->name : name + 1);
    return 0;
}

int rpm_assigned(PyObject *result)
{
    Py_XDECREF(result);
    return result == NULL ? -1 : 0;
}

int rpm_assign(const rpm_function *f, PyObject *self, PyObject *value)
{
    return rpm_assigned(rpm_call(f, self, &value, 1, NULL));
}

int rpm_class_value(PyObject *type, PyObject *name, PyObject **value)
{
    const rpm_class *found = rpm_class_of((PyTypeObject *)type), *c = found;
    const rpm_attribute *attribute;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    PyObject *type_name;
    if (text == NULL)
        PyErr_Clear(); /* a surrogate: no attribute has such a name */
    while (c != NULL && text != NULL) {
        for (attribute = c->attributes; attribute->name != NULL; attribute++)
            if (strcmp(text, attribute->name) == 0)
                break;
        if (attribute->name != NULL)
            break;
        c = c->base < 0 ? NULL : &rpm_this.classes[c->base];
    }
    if (c == NULL || text == NULL || !attribute->is_field)
        return 0;
    *value = PyDict_GetItemWithError(found->values, name);
    Py_XINCREF(*value);
    if (*value == NULL && !PyErr_Occurred()) {
        type_name = PyType_GetName((PyTypeObject *)type);
        if (type_name != NULL)
            PyErr_Format(PyExc_AttributeError, "type object '%U' has no attribute '%U'", type_name,
                         name);
        Py_XDECREF(type_name);
    }
    return 1;
}

static int add_attributes(rpm_class *c)
{
    const rpm_attribute *attribute;
    for (attribute = c->attributes; attribute->name != NULL; attribute++) {
        PyGetSetDef *definition = PyMem_Calloc(1, sizeof *definition); /* as long as the class */
        PyObject *descriptor;
        int failed;
        if (definition == NULL)
            return 0;
        definition->name = attribute->name;
        definition->get = attribute->get == NULL ? cannot_get : attribute->get;
        definition->set = attribute->set == NULL ? cannot_set : attribute->set;
        definition->doc = attribute->doc;
        definition->closure = (void *)attribute;
        descriptor = PyDescr_NewGetSet((PyTypeObject *)c->type, definition);
        failed = descriptor == NULL ||
                 PyObject_SetAttrString(c->type, attribute->name, descriptor) < 0;
        Py_XDECREF(descriptor);
        if (failed)
            return 0;
    }
    return 1;
}

/* ---- methods ---- */

static PyObject *refused(PyObject *self, PyObject *args)
{
    (void)args;
    PyErr_SetObject(PyExc_TypeError, self);
    return NULL;
}

static PyMethodDef refused_method = { "refused", refused, METH_VARARGS, NULL };

/* What raises TypeError with the message. */
PyObject *rpm_refusal(const char *message)
{
    PyObject *text = PyUnicode_FromString(message), *result = NULL;
    if (text != NULL)
        result = PyCFunction_New(&refused_method, text);
    Py_XDECREF(text);
    return result;
}

static PyObject *static_method(PyMethodDef *definition)
{
    PyObject *wrap = PyDict_GetItemString(PyEval_GetBuiltins(), "staticmethod");
    PyObject *function = PyCFunction_New(definition, NULL), *result = NULL;
    if (function != NULL && wrap != NULL)
        result = PyObject_CallFunctionObjArgs(wrap, function, NULL);
    Py_XDECREF(function);
    return result;
}

static int add_methods(rpm_class *c)
{
    const rpm_method *method;
    for (method = c->methods; method->name != NULL; method++) {
        PyObject *value;
        int failed;
        if (method->function < 0)
            value = rpm_refusal(method->message);
        else if (method->kind == 'm')
            value = PyDescr_NewMethod((PyTypeObject *)c->type, &rpm_this.methods[method->function]);
        else if (method->kind == 'c')
            value = PyDescr_NewClassMethod((PyTypeObject *)c->type,
                                           &rpm_this.methods[method->function]);
        else
            value = static_method(&rpm_this.methods[method->function]);
        failed = value == NULL || PyObject_SetAttrString(c->type, method->name, value) < 0;
        Py_XDECREF(value);
        if (failed)
            return 0;
    }
    return 1;
}

/* ---- signatures ---- */

/* What inspect.signature(cls) asks for; left alone, it fails with __init__ written in C.  This is
 * an attribute of the class that is made when it is read: most imports are of no such interest. */
static const char signature_source[] =
    "def signature(init):\n"
    "    import inspect\n"
    "    found = inspect.signature(init)\n"
    "    return found.replace(parameters=[*found.parameters.values()][1:])\n";

static PyObject *get_signature(PyObject *self, PyObject *instance, PyObject *owner)
{
    PyObject *globals, *init, *result = NULL;
    (void)self;
    if (instance != NULL && instance != Py_None) {
        PyErr_SetString(PyExc_AttributeError, "__signature__");
        return NULL;
    }
    globals = rpm_run(signature_source, rpm_this.name, Py_file_input);
    init = globals == NULL ? NULL : PyObject_GetAttrString(owner, "__init__");
    if (init != NULL)
        result = PyObject_CallFunctionObjArgs(PyDict_GetItemString(globals, "signature"), init, NULL);
    Py_XDECREF(init);
    Py_XDECREF(globals);
    return result;
}

static PyType_Slot signature_slots[] = { { Py_tp_descr_get, get_signature }, { 0, NULL } };

static PyType_Spec signature_spec = { "rpython.native_signature", sizeof(PyObject), 0,
                                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                      signature_slots };

static int add_signature(rpm_class *c)
{
    static PyObject *signature; /* one for all classes */
    if (signature == NULL) {
        PyObject *type = PyType_FromSpec(&signature_spec);
        signature = type == NULL ? NULL : PyType_GenericAlloc((PyTypeObject *)type, 0);
        Py_XDECREF(type);
    }
    return signature != NULL && PyObject_SetAttrString(c->type, "__signature__", signature) == 0;
}

/* ---- making the classes ---- */

static PyObject *class_dict(PyObject *module, rpm_class *c, PyObject *constants)
{
    PyObject *name = PyModule_GetNameObject(module), *dict = PyDict_New();
    PyObject *slots = PyTuple_New(0), *doc = NULL;
    int done;
    if (c->doc == NULL) {
        doc = Py_None;
        Py_INCREF(doc);
    } else {
        doc = PyUnicode_FromString(c->doc);
    }
    done = name != NULL && dict != NULL && slots != NULL && doc != NULL && constants != NULL &&
           PyDict_Update(dict, constants) == 0 &&
           PyDict_SetItemString(dict, "__module__", name) == 0 &&
           PyDict_SetItemString(dict, "__slots__", slots) == 0 &&
           PyDict_SetItemString(dict, "__doc__", doc) == 0;
    Py_XDECREF(name);
    Py_XDECREF(slots);
    Py_XDECREF(doc);
    if (!done)
        Py_CLEAR(dict);
    return dict;
}

/* What lists (or dicts) have for Python, into the dict of the class. */
static int add_view_methods(const rpm_class *c, PyObject *dict)
{
    PyObject *add = rpm_host_side("add_view_methods");
    PyObject *done = add == NULL ? NULL : PyObject_CallFunction(add, "Os", dict, c->name);
    Py_XDECREF(done);
    return done != NULL;
}

static int register_view(PyObject *type)
{
    PyObject *call = rpm_host_side("register_view");
    PyObject *done = call == NULL ? NULL : PyObject_CallFunctionObjArgs(call, type, NULL);
    Py_XDECREF(done);
    return done != NULL;
}

/* The class says which methods are abstract, as ABCMeta has it do. */
static int set_abstract(rpm_class *c, PyObject *constants)
{
    PyObject *names = PyDict_GetItemString(constants, "__abstractmethods__");
    return names == NULL || PyObject_SetAttrString(c->type, "__abstractmethods__", names) == 0;
}

static int make_class(PyObject *module, rpm_class *c, PyObject *constants)
{
    PyObject *base = c->is_weak ? rpm_weak_base_type : rpm_base_type;
    PyObject *dict = class_dict(module, c, constants);
    if (c->base >= 0)
        base = rpm_this.classes[c->base].type;
    if (dict == NULL)
        return 0;
    if (!c->is_view || add_view_methods(c, dict))
        c->type = rpm_new_class(c->name, base, dict);
    Py_DECREF(dict);
    return c->type != NULL && add_attributes(c) && add_methods(c) && add_signature(c) &&
           set_abstract(c, constants) && (!c->is_view || register_view(c->type));
}

int rpm_make_classes(PyObject *module, PyObject *constants)
{
    int i;
    if (rpm_this.classes_count > 0 && !rpm_make_base_types())
        return 0;
    for (i = 0; i < rpm_this.classes_count; i++) {
        rpm_class *c = &rpm_this.classes[i];
        PyObject *own = PyTuple_GetItem(constants, i);
        if (own == NULL || !make_class(module, c, PyTuple_GetItem(own, 0)))
            return 0;
        c->values = PyTuple_GetItem(own, 1);
        Py_XINCREF(c->values);
        c->subclassing = PyTuple_GetItem(own, 2);
        Py_XINCREF(c->subclassing);
        if (c->exported && PyModule_AddObjectRef(module, c->name, c->type) < 0)
            return 0;
    }
    return 1;
}
