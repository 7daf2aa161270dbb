/* Classes that are Python's (enums, named tuples), and Python code that the module has in it. */
#include "rpy_module.h"

PyObject *rpm_host_side(const char *name)
{
    static PyObject *globals;
    if (globals == NULL)
        globals = rpm_run(rpm_this.host_side, rpm_this.name, Py_file_input);
    return globals == NULL ? NULL : PyDict_GetItemString(globals, name);
}

/* Item `index` of a tuple; NULL for None. */
static PyObject *optional_item(PyObject *tuple, int index)
{
    PyObject *item = PyTuple_GetItem(tuple, index);
    if (item == Py_None)
        item = NULL;
    Py_XINCREF(item);
    return item;
}

PyObject *rpm_make_hosted(PyObject *module)
{
    PyObject *call, *found, *result = PyTuple_New(rpm_this.hosted_count);
    int i;
    if (result == NULL || rpm_this.host_classes[0] == 0)
        return result;
    call = rpm_host_side("host_classes");
    found = call == NULL ? NULL
                         : PyObject_CallFunction(call, "sOs", rpm_this.file, PyModule_GetDict(module),
                                                 rpm_this.host_classes);
    for (i = 0; i < rpm_this.hosted_count && found != NULL; i++) {
        PyObject *item = PyTuple_GetItem(found, i);
        rpm_hosted *hosted = &rpm_this.hosted[i];
        hosted->type = optional_item(item, 0);
        hosted->members = optional_item(item, 1);
        hosted->by_value = optional_item(item, 2);
        Py_INCREF(hosted->type);
        PyTuple_SetItem(result, i, hosted->type);
    }
    if (found == NULL)
        Py_CLEAR(result);
    Py_XDECREF(found);
    return result;
}

int rpm_pack_hosted(const rpm_type *type, PyObject *value, Signed *word)
{
    PyObject *members = rpm_this.hosted[type->number].members;
    Py_ssize_t i, count;
    if (type->kind == RPM_INTENUM) {
        *word = PyLong_AsLong(value);
        return 1;
    }
    count = PyTuple_Size(members);
    for (i = 0; i < count; i++)
        if (PyTuple_GetItem(members, i) == value) {
            *word = i;
            return 1;
        }
    return 0;
}

PyObject *rpm_unpack_hosted(const rpm_type *type, Signed word)
{
    const rpm_hosted *hosted = &rpm_this.hosted[type->number];
    PyObject *number, *member;
    if (type->kind == RPM_ENUM) {
        member = PyTuple_GetItem(hosted->members, word);
    } else {
        number = PyLong_FromLong(word);
        member = number == NULL ? NULL : PyDict_GetItemWithError(hosted->by_value, number);
        Py_XDECREF(number);
        if (member == NULL && !PyErr_Occurred())
            PyErr_SetString(PyExc_SystemError, "no member of the enum");
    }
    Py_XINCREF(member);
    return member;
}
