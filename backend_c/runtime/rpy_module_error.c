/* Exceptions of native code as Python's. */
#include <string.h>

#include "rpy_module.h"

enum { EMPTY, TEXT, NO_TEXT }; /* the first word of an exception */

/* ---- taking one out of native code ---- */

void rpm_error_free(rpm_error *error)
{
    int i;
    for (i = 0; i < error->count; i++) {
        rpm_words_free(&error->chain[i].words);
        PyMem_Free(error->chain[i].trace);
    }
    if (error->count > 1)
        PyMem_Free(error->chain);
    error->count = 0;
}

/* The exception that is looked at. */
static void take_one(rpm_raised *raised)
{
    Signed entries = rpy_traceback_size(), i;
    void *writer;
    raised->number = rpy_exception_class_number(rpy_chain_exception());
    raised->suppressed = rpy_chain_suppressed();
    raised->entries = 0;
    raised->trace = PyMem_Malloc((size_t)(entries + 1) * sizeof *raised->trace);
    for (i = 0; i < entries && raised->trace != NULL; i++) {
        const rpy_location *where = rpy_traceback_entry(i);
        if (where != NULL)
            raised->trace[raised->entries++] = where;
    }
    rpm_words_init(&raised->words);
    writer = rpx_message(rpy_chain_exception());
    raised->told = rpy_exc == NULL && rpm_words_take(&raised->words, writer);
    if (!raised->told) {
        rpy_exc = NULL;
        PyErr_Clear();
        raised->words.used = 0;
        rpm_push(&raised->words, NO_TEXT); /* there is room for that */
        rpm_push(&raised->words, 0);
    }
}

void rpm_error_take(rpm_error *error)
{
    void *exc = rpy_exc;
    int length, i;
    error->count = 0;
    if (exc == NULL)
        return;
    length = rpy_family_start();
    rpy_exc = NULL;
    error->chain = &error->one;
    if (length > 1) {
        error->chain = PyMem_Malloc((size_t)length * sizeof *error->chain);
        if (error->chain == NULL)
            error->chain = &error->one;
    }
    error->count = error->chain == &error->one ? 1 : length;
    for (i = 0; i < error->count; i++) {
        rpm_raised *raised = &error->chain[i];
        rpy_family_look(i, &raised->cause, &raised->context);
        if (error->count < length)
            raised->cause = raised->context = -1;
        take_one(raised);
    }
    rpy_chain_end();
    rpy_handler_leave(0); /* those that the exception left */
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
PyObject *rpm_exception_type(rpm_exception *e)
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

static PyObject *text_of_opaque; /* the text of the exception that is being made, or NULL */

PyObject *rpm_opaque(const rpm_type *type)
{
    PyObject *maker = rpm_host_side("NativeValue");
    PyObject *text = text_of_opaque == NULL ? Py_None : text_of_opaque;
    return maker == NULL ? NULL : PyObject_CallFunction(maker, "sO", type->name, text);
}

/* The arguments of an exception with this text (None: it has none). */
static PyObject *arguments(const rpm_form *form, PyObject *text, const Signed **words,
                           rpm_hosts *hosts)
{
    PyObject *result;
    if (form == NULL)
        return text == Py_None ? PyTuple_New(0) : PyTuple_Pack(1, text);
    text_of_opaque = text != Py_None && form->arguments->count == 1 ? text : NULL;
    result = rpm_unpack(form->arguments, words, hosts);
    text_of_opaque = NULL;
    return result;
}

static int set_attribute(PyObject *value, const char *name, PyObject *item)
{
    PyObject *text = PyUnicode_InternFromString(name);
    int result = text == NULL ? -1 : PyObject_GenericSetAttr(value, text, item);
    Py_XDECREF(text);
    return result;
}

/* An instance, made without an __init__ of the program. */
static PyObject *new_exception(const rpm_exception *e, const rpm_form *form, PyObject *args,
                               PyObject *text)
{
    PyObject *result = NULL, *maker;
    newfunc make;
    if (e->special) {
        const char *how = form == NULL ? "message" : form->how;
        maker = rpm_host_side("make_error");
        return maker == NULL ? NULL
                             : PyObject_CallFunction(maker, "OsOO", e->type, how, args, text);
    }
    make = (newfunc)PyType_GetSlot((PyTypeObject *)e->type, Py_tp_new);
    result = make((PyTypeObject *)e->type, args, NULL); /* sets .args, in most classes */
    if (result != NULL && set_attribute(result, "args", args) < 0)
        Py_CLEAR(result);
    return result;
}

static int set_fields(const rpm_exception *e, PyObject *value, const Signed **words,
                      rpm_hosts *hosts)
{
    const rpm_field *field;
    for (field = e->fields; field->name != NULL; field++) {
        PyObject *item;
        int failed;
        if (!*(*words)++)
            continue;
        item = rpm_unpack(field->type, words, hosts);
        failed = item == NULL || set_attribute(value, field->name, item) < 0;
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

/* The exception, made of what follows its form in the words. */
static PyObject *make_value(const rpm_raised *raised, rpm_exception *e, const rpm_form *form,
                            PyObject *text, const Signed *words, rpm_hosts *hosts)
{
    PyObject *args = arguments(form, text, &words, hosts), *value = NULL;
    if (args != NULL)
        value = new_exception(e, form, args, text);
    if (value != NULL && e->has_text && set_attribute(value, "__native_text__", text) < 0)
        Py_CLEAR(value);
    if (value != NULL && raised->told && !set_fields(e, value, &words, hosts))
        Py_CLEAR(value);
    Py_XDECREF(args);
    return value;
}

/* Raise it in Python. */
static int raise_one(const rpm_raised *raised, rpm_hosts *hosts)
{
    const Signed *words = raised->words.items;
    rpm_exception *e = exception_by_number(raised->number);
    PyObject *text, *value;
    const rpm_form *form = NULL;
    if (e == NULL) {
        PyErr_SetString(PyExc_SystemError, "an exception of a class that is not known");
        return 0;
    }
    if (rpm_exception_type(e) == NULL)
        return 0;
    if (*words++ == TEXT) {
        text = rpm_unpack_str(&words);
    } else {
        text = Py_None;
        Py_INCREF(text);
    }
    if (text == NULL)
        return 0;
    if (*words != 0)
        form = &rpm_this.forms[*words - 1];
    words++;
    if (form != NULL && strcmp(form->how, "python") == 0) { /* Python code has raised it */
        value = rpm_object_of(*words);
        Py_INCREF((PyObject *)Py_TYPE(value));
        Py_INCREF(value);
        PyErr_Restore((PyObject *)Py_TYPE(value), value, PyException_GetTraceback(value));
        Py_DECREF(text);
        return 1;
    }
    value = make_value(raised, e, form, text, words, hosts);
    Py_DECREF(text);
    if (value == NULL)
        return 0;
    /* what Python handles now becomes its context */
    if (!Py_IS_TYPE(value, (PyTypeObject *)PyExc_KeyboardInterrupt) || !rpm_break_restore())
        PyErr_SetObject((PyObject *)Py_TYPE(value), value);
    Py_DECREF(value);
    return 1;
}

PyObject *rpm_take_raised(void)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback != NULL)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

/* The exception with its traceback; NULL with another one raised. */
static PyObject *make_raised(const rpm_raised *raised, rpm_hosts *hosts)
{
    Signed i;
    if (!raise_one(raised, hosts))
        return NULL;
    for (i = 0; i < raised->entries; i++)
        add_frame(raised->trace[i]);
    return rpm_take_raised();
}

static void link_to_others(const rpm_raised *raised, int is_last, PyObject *value, PyObject **others)
{
    PyObject *context = raised->context < 0 ? NULL : others[raised->context];
    if (context == value) /* Python has raised it twice */
        return;
    if (raised->cause >= 0) {
        Py_INCREF(others[raised->cause]);
        PyException_SetCause(value, others[raised->cause]);
    }
    if (raised->suppressed)
        PyObject_SetAttrString(value, "__suppress_context__", Py_True);
    if (context != NULL || (raised->entries == 0 && !is_last)) { /* that one was never raised */
        Py_XINCREF(context);
        PyException_SetContext(value, context);
    }
}

void rpm_error_raise(rpm_error *error, rpm_hosts *hosts)
{
    PyObject *values[error->count + 1], *type, *traceback;
    rpm_hosts none;
    int made, i;
    PyErr_Clear();
    if (hosts == NULL) {
        rpm_hosts_init(&none);
        hosts = &none;
    }
    for (made = 0; made < error->count; made++) {
        values[made] = make_raised(&error->chain[made], hosts);
        if (values[made] == NULL)
            break;
    }
    if (made == error->count) {
        for (i = 0; i < made; i++)
            link_to_others(&error->chain[i], i == 0, values[i], values);
        type = (PyObject *)Py_TYPE(values[0]);
        traceback = PyException_GetTraceback(values[0]);
        Py_INCREF(type);
        Py_INCREF(values[0]);
        PyErr_Restore(type, values[0], traceback);
    }
    for (i = 0; i < made; i++)
        Py_DECREF(values[i]);
    rpm_error_free(error);
}

/* ---- making the classes ---- */

static int make_exception(PyObject *module, rpm_exception *e, PyObject *members)
{
    PyObject *call = rpm_host_side("exception_class"), *name = PyModule_GetNameObject(module);
    PyObject *base = rpm_exception_type(&rpm_this.exceptions[e->base]), *meta = rpm_class_type();
    PyObject *first = NULL, *args = NULL;
    if (call != NULL && name != NULL && base != NULL && meta != NULL)
        first = PyTuple_Pack(3, name, meta, base);
    if (first != NULL)
        args = PySequence_Concat(first, members);
    if (args != NULL)
        e->type = PyObject_CallObject(call, args);
    Py_XDECREF(name);
    Py_XDECREF(first);
    Py_XDECREF(args);
    return e->type != NULL;
}

int rpm_make_exceptions(PyObject *module, PyObject *members)
{
    int i;
    for (i = 0; i < rpm_this.exceptions_count; i++) {
        rpm_exception *e = &rpm_this.exceptions[i];
        if (strcmp(e->module, "builtins") == 0 && rpm_exception_type(e) == NULL)
            return 0;
        if (!e->own)
            continue;
        if (!make_exception(module, e, PyTuple_GetItem(members, i)))
            return 0;
        if (e->from_python && rpm_this.operations[0].what != 0 && !rpm_watch_exception(e))
            return 0;
        if (e->exported && PyModule_AddObjectRef(module, e->name, e->type) < 0)
            return 0;
    }
    return 1;
}
