/* Exceptions of native code as Python's. */
#include "rpy_module.h"

/* ---- taking one out of native code ---- */

void rpm_error_free(rpm_error *error)
{
    if (error->set) {
        rpm_words_free(&error->words);
        PyMem_Free(error->trace);
    }
    error->set = 0;
}

void rpm_error_take(rpm_error *error)
{
    void *exc = rpy_exc, *writer;
    Signed i, kept = 0;
    error->set = exc != NULL;
    if (exc == NULL)
        return;
    rpy_exc = NULL;
    error->number = rpy_exception_class_number(exc);
    error->entries = rpy_traceback_size();
    error->trace = PyMem_Malloc((size_t)(error->entries + 1) * sizeof *error->trace);
    for (i = 0; i < error->entries && error->trace != NULL; i++) {
        const rpy_location *where = rpy_traceback_entry(i);
        if (where != NULL)
            error->trace[kept++] = where;
    }
    error->entries = kept;
    rpm_words_init(&error->words);
    writer = rpx_message(exc);
    if (rpy_exc != NULL || !rpm_words_take(&error->words, writer)) {
        rpy_exc = NULL;
        PyErr_Clear();
        error->words.used = 0;
        rpm_push(&error->words, 0); /* no message: there is room for that */
        error->number = -error->number - 1;
    }
    rpy_give_back(exc);
}

/* ---- the Python exception ---- */

static rpm_exception *exception_by_number(Signed number)
{
    int i;
    for (i = 0; i < rpm_this.exceptions_count; i++)
        if (rpm_this.exceptions[i].number == number)
            return &rpm_this.exceptions[i];
    return NULL;
}

/* A class of another module, imported when it is needed. */
static PyObject *exception_type(rpm_exception *e)
{
    if (e->type == NULL) {
        PyObject *module = PyImport_ImportModule(e->module);
        if (module != NULL) {
            e->type = PyObject_GetAttrString(module, e->name);
            Py_DECREF(module);
        }
    }
    return e->type;
}

/* The exceptions whose text is computed from several values get those back. */
static PyObject *special_exception(PyObject *type, PyObject *message)
{
    static PyObject *maker;
    if (maker == NULL) {
        PyObject *globals = rpm_run(rpm_this.host_errors, rpm_this.name, Py_file_input);
        if (globals == NULL)
            return NULL;
        maker = PyDict_GetItemString(globals, "host_error");
        Py_XINCREF(maker);
        Py_DECREF(globals);
    }
    return maker == NULL ? NULL : PyObject_CallFunctionObjArgs(maker, type, message, NULL);
}

/* An instance with str(instance) == message, made without an __init__ of the program. */
static PyObject *plain_exception(PyObject *type, PyObject *message)
{
    PyObject *args = message == Py_None ? PyTuple_New(0) : PyTuple_Pack(1, message);
    PyObject *result = NULL;
    newfunc make = (newfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_new);
    if (args == NULL)
        return NULL;
    result = make((PyTypeObject *)type, args, NULL); /* sets .args */
    if (result != NULL && PyObject_SetAttrString(result, "args", args) < 0)
        Py_CLEAR(result);
    Py_DECREF(args);
    return result;
}

static int set_fields(const rpm_exception *e, PyObject *value, const Signed **words)
{
    const rpm_field *field;
    rpm_hosts none;
    rpm_hosts_init(&none); /* no containers cross here */
    for (field = e->fields; field->name != NULL; field++) {
        PyObject *item;
        int failed;
        if (!*(*words)++)
            continue;
        item = rpm_unpack(field->type, words, &none);
        failed = item == NULL || PyObject_SetAttrString(value, field->name, item) < 0;
        Py_XDECREF(item);
        if (failed)
            return 0;
    }
    return 1;
}

/* A frame of native code, as Cython makes them: not in the limited API, but in every CPython so
 * far; without them a traceback is shorter. */
extern __attribute__((weak)) PyObject *PyCode_NewEmpty(const char *, const char *, int);
extern __attribute__((weak)) PyObject *PyFrame_New(PyThreadState *, PyObject *, PyObject *,
                                                   PyObject *);

static void add_frame(const rpy_location *where)
{
    PyObject *type, *value, *traceback, *code, *frame = NULL;
    if (PyCode_NewEmpty == NULL || PyFrame_New == NULL)
        return;
    PyErr_Fetch(&type, &value, &traceback);
    code = PyCode_NewEmpty(where->file, where->function, where->line);
    if (code != NULL)
        frame = PyFrame_New(PyThreadState_Get(), code, rpm_dict, NULL);
    PyErr_Restore(type, value, traceback);
    if (frame != NULL)
        PyTraceBack_Here((PyFrameObject *)frame);
    Py_XDECREF(frame);
    Py_XDECREF(code);
}

void rpm_error_raise(rpm_error *error)
{
    Signed number = error->number < 0 ? -error->number - 1 : error->number, i;
    const Signed *words = error->words.items;
    rpm_exception *e = exception_by_number(number);
    PyObject *type = NULL, *message = NULL, *value = NULL;
    PyErr_Clear();
    if (e == NULL)
        PyErr_SetString(PyExc_SystemError, "an exception of a class that is not known");
    else
        type = exception_type(e);
    if (type != NULL) {
        if (*words++) {
            message = rpm_unpack_str(&words);
        } else {
            message = Py_None;
            Py_INCREF(message);
        }
    }
    if (message != NULL)
        value = e->special && message != Py_None ? special_exception(type, message)
                                                 : plain_exception(type, message);
    if (value != NULL && error->number >= 0 && !set_fields(e, value, &words))
        Py_CLEAR(value);
    if (value != NULL) {
        PyErr_SetObject(type, value);
        for (i = 0; i < error->entries; i++)
            add_frame(error->trace[i]);
    }
    Py_XDECREF(message);
    Py_XDECREF(value);
    rpm_error_free(error);
    error->set = 1; /* it was */
}

/* ---- making the classes ---- */

static int make_exception(PyObject *module, rpm_exception *e)
{
    PyObject *name = PyModule_GetNameObject(module), *full, *dict = PyDict_New(), *base = NULL;
    const char *text;
    full = name == NULL ? NULL : PyUnicode_FromFormat("%U.%s", name, e->name);
    text = full == NULL ? NULL : PyUnicode_AsUTF8AndSize(full, NULL);
    if (text != NULL && dict != NULL)
        base = exception_type(&rpm_this.exceptions[e->base]);
    if (base != NULL && e->refused != NULL) {
        PyObject *init = rpm_refusal(e->refused);
        if (init == NULL || PyDict_SetItemString(dict, "__init__", init) < 0)
            base = NULL;
        Py_XDECREF(init);
    }
    if (base != NULL)
        e->type = PyErr_NewExceptionWithDoc(text, e->doc, base, dict);
    Py_XDECREF(name);
    Py_XDECREF(full);
    Py_XDECREF(dict);
    return e->type != NULL;
}

int rpm_make_exceptions(PyObject *module)
{
    int i;
    for (i = 0; i < rpm_this.exceptions_count; i++) {
        rpm_exception *e = &rpm_this.exceptions[i];
        if (!e->own)
            continue;
        if (!make_exception(module, e))
            return 0;
        if (e->exported && PyModule_AddObjectRef(module, e->name, e->type) < 0)
            return 0;
    }
    return 1;
}
