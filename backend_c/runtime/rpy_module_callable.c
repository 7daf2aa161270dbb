/* Python's callables in native code: it calls them through here.
 *
 * Native code has an object of Python as a number.  It keeps the object until the native object with
 * the number dies, or, where a function does not keep its argument, until the call ends.
 */
#include <string.h>

#include "rpy_module_suspend.h"

/* ---- objects by number ---- */

static PyObject **objects; /* from 1 */
static Signed *links;      /* from one free number to the next, or from one that is dead */
static Signed used = 1, room, free_numbers, dead;
static Signed dead_errors; /* exceptions, whose numbers are dead, too */
#define IS_ERROR (-1)      /* the link from an exception that is held */

Signed rpm_keep_object(PyObject *object)
{
    Signed number = free_numbers;
    if (number != 0) {
        free_numbers = links[number];
    } else {
        if (used >= room) {
            Signed larger = 2 * room + 64;
            PyObject **more = PyMem_Realloc(objects, (size_t)larger * sizeof *objects);
            Signed *more_links;
            if (more != NULL)
                objects = more;
            more_links = PyMem_Realloc(links, (size_t)larger * sizeof *links);
            if (more_links != NULL)
                links = more_links;
            if (more == NULL || more_links == NULL) {
                PyErr_NoMemory();
                return 0;
            }
            room = larger;
        }
        number = used++;
    }
    Py_INCREF(object);
    objects[number] = object;
    links[number] = 0;
    return number;
}

/* The same for an exception, of whose attributes native code has copies. */
static Signed keep_error(PyObject *error)
{
    Signed number = rpm_hold(error) ? rpm_keep_object(error) : 0;
    if (number != 0)
        links[number] = IS_ERROR;
    return number;
}

PyObject *rpm_object_of(Signed number)
{
    return objects[number];
}

/* Called by native code: Python code could run at its end, so that comes later. */
void rpm_forget_object(Signed number)
{
    Signed *list = links[number] == IS_ERROR ? &dead_errors : &dead;
    links[number] = *list;
    *list = number;
}

/* The first object of a list; its number is free then. */
static PyObject *take_first(Signed *list)
{
    Signed number = *list;
    *list = links[number];
    links[number] = free_numbers;
    free_numbers = number;
    return objects[number];
}

void rpm_release_objects(void)
{
    while (dead_errors != 0) {
        PyObject *error = take_first(&dead_errors);
        rpm_let_go(error);
        Py_DECREF(error);
    }
    while (dead != 0) {
        PyObject *object = take_first(&dead);
        Py_DECREF(object);
    }
}

int rpm_pack_callable(const rpm_type *type, PyObject *value, rpm_words *words, rpm_hosts *hosts)
{
    Signed number = rpm_keep_object(value);
    if (number == 0)
        return 0;
    if (!type->changes) { /* the function does not keep it */
        links[number] = hosts->borrowed;
        hosts->borrowed = number;
        number = -number;
    }
    return rpm_push(words, number);
}

void rpm_free_borrowed(rpm_hosts *hosts)
{
    while (hosts->borrowed != 0) {
        Signed number = hosts->borrowed;
        hosts->borrowed = links[number];
        rpm_forget_object(number);
    }
}

/* ---- what Python code raises ---- */

/* The words of an outcome. */
enum { RESULT, RAISED };

/* Is it a class of native code that this one is derived from?  Nothing is imported here, where Python
 * may be at the end of its recursion. */
static int is_base(rpm_exception *e, PyTypeObject *type)
{
    if (e->number < 0)
        return 0;
    if (e->type == NULL) {
        PyObject *name = PyUnicode_FromString(e->module);
        PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
        if (module != NULL)
            rpm_exception_type(e);
        Py_XDECREF(name);
        Py_XDECREF(module);
        PyErr_Clear();
    }
    return e->type != NULL && PyType_IsSubtype(type, (PyTypeObject *)e->type);
}

/* The nearest class that native code knows.  `is_all`: is it derived from all others there that this
 * one is derived from? */
static const rpm_exception *nearest_class(PyTypeObject *type, int *is_all)
{
    rpm_exception *found = NULL, *e, *end = rpm_this.exceptions + rpm_this.exceptions_count;
    for (e = rpm_this.exceptions; e < end; e++)
        if (is_base(e, type) && (found == NULL || PyType_IsSubtype((PyTypeObject *)e->type,
                                                                   (PyTypeObject *)found->type)))
            found = e;
    if (found == NULL)
        rpy_fatal_error("native code knows no class of exceptions");
    *is_all = 1;
    for (e = rpm_this.exceptions; e < end; e++)
        if (is_base(e, type) && !is_base(e, (PyTypeObject *)found->type))
            *is_all = 0;
    return found;
}

/* Another exception in place of one that would not be the same in native code. */
static PyObject *replaced(PyObject *value, const char *reason)
{
    PyObject *other;
    PyErr_Format(PyExc_TypeError, "%R cannot be handed to native code: %s", (PyObject *)Py_TYPE(value),
                 reason);
    other = rpm_take_raised();
    PyException_SetCause(other, value);
    return other;
}

/* The attributes that native code takes over; the name of one that is missing or of another type,
 * NULL: none is. */
static const char *pack_fields(const rpm_exception *e, PyObject *value, rpm_words *words)
{
    const rpm_field *field;
    for (field = e->fields; field->name != NULL; field++) {
        const rpm_function result_of = { .name = field->name, .is_setter = 1, .types = &field->type };
        PyObject *attribute = PyObject_GetAttrString(value, field->name);
        rpm_hosts hosts;
        int done;
        rpm_hosts_init(&hosts);
        done = attribute != NULL && rpm_pack(&result_of, 0, attribute, words, &hosts);
        rpm_hosts_free(&hosts);
        Py_XDECREF(attribute);
        rpm_is_of_wrong_type = 0;
        PyErr_Clear();
        if (!done)
            return field->name;
    }
    return NULL;
}

/* The class in native code, and the words of the attributes, of an exception, or of another one in
 * its place. */
static const rpm_exception *class_of(PyObject **value, rpm_words *fields)
{
    int is_all;
    const rpm_exception *e = nearest_class(Py_TYPE(*value), &is_all);
    const char *wrong = NULL;
    char reason[160];
    fields->used = 0;
    if (e->from_python && is_all)
        wrong = pack_fields(e, *value, fields);
    if (e->from_python && is_all && wrong == NULL)
        return e;
    if (wrong != NULL)
        snprintf(reason, sizeof reason, "its attribute %.80s is missing or of another type", wrong);
    *value = replaced(*value, wrong != NULL ? reason
                              : is_all      ? "native code has attributes or a text of its own"
                                            : "it is derived from several classes");
    fields->used = 0;
    return nearest_class(Py_TYPE(*value), &is_all);
}

/* The class, the number of the object, its text, its attributes. */
static void pack_raised(rpm_words *words)
{
    PyObject *value = rpm_take_raised(), *text;
    const rpm_exception *e;
    rpm_words fields;
    Signed number, i;
    rpm_words_init(&fields);
    e = class_of(&value, &fields);
    text = PyObject_Str(value);
    if (text == NULL) { /* that raises, too */
        Py_DECREF(value);
        value = rpm_take_raised();
        e = class_of(&value, &fields);
        text = PyUnicode_FromString("");
    }
    number = keep_error(value);
    Py_DECREF(value);
    words->used = 0;
    if (text == NULL || number == 0 || !rpm_push(words, RAISED) || !rpm_push(words, e->number) ||
        !rpm_push(words, number) || !rpm_pack_str(words, text))
        rpy_fatal_error("no memory left for an exception of Python code");
    for (i = 0; i < fields.used; i++)
        if (!rpm_push(words, fields.items[i]))
            rpy_fatal_error("no memory left for an exception of Python code");
    rpm_words_free(&fields);
    Py_DECREF(text);
}

/* ---- calls ---- */

/* A method of the first argument, with the others; or what a property of it gives. */
static PyObject *ask_member(rpm_operation *operation, PyObject *args)
{
    PyObject *member, *rest, *result = NULL;
    if (operation->interned == NULL)
        operation->interned = PyUnicode_InternFromString(operation->member);
    if (operation->interned == NULL)
        return NULL;
    member = PyObject_GetAttr(PyTuple_GetItem(args, 0), operation->interned);
    if (member == NULL || operation->what == 'g')
        return member;
    rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
    if (rest != NULL)
        result = PyObject_Call(member, rest, NULL);
    Py_XDECREF(rest);
    Py_DECREF(member);
    return result;
}

static PyObject *ask(rpm_operation *operation, PyObject *object, PyObject *args)
{
    Py_hash_t hash;
    Signed number;
    int truth;
    switch (operation->what) {
    case '=':
        number = PyLong_AsSsize_t(PyTuple_GetItem(args, 0));
        truth = PyObject_RichCompareBool(object, rpm_object_of(number < 0 ? -number : number), Py_EQ);
        return truth < 0 ? NULL : PyBool_FromLong(truth);
    case '#':
        hash = PyObject_Hash(object);
        return hash == -1 && PyErr_Occurred() ? NULL : PyLong_FromSsize_t(hash);
    case '?':
        truth = PyObject_IsTrue(object);
        return truth < 0 ? NULL : PyBool_FromLong(truth);
    case 'r':
        return PyObject_Repr(object);
    case 'm':
    case 'g':
        return ask_member(operation, args);
    default:
        return PyObject_Call(object, args, NULL);
    }
}

/* The words of what the operation gives, behind RESULT; 0 with an exception. */
static int perform(rpm_operation *operation, Signed number, const Signed *arguments,
                   rpm_words *words)
{
    PyObject *object = NULL;
    const rpm_function result_of = {
        .name = operation->name, .is_setter = 1, .types = &operation->result,
    };
    PyObject *args, *result = NULL;
    rpm_hosts hosts;
    int done = 0;
    if (operation->member[0] != 0) { /* the number is a ticket, the handle of the object comes first */
        if (!rpm_known_early(arguments[0], number))
            return 0;
    } else {
        object = rpm_object_of(number < 0 ? -number : number);
        Py_INCREF(object);
    }
    rpm_hosts_init(&hosts);
    args = rpm_unpack(operation->arguments, &arguments, &hosts);
    if (args != NULL && !Py_EnterRecursiveCall(" while native code calls Python")) {
        result = ask(operation, object, args);
        Py_LeaveRecursiveCall();
    }
    if (result != NULL)
        done = rpm_push(words, RESULT) && rpm_pack(&result_of, 0, result, words, &hosts);
    rpm_is_of_wrong_type = 0;
    Py_XDECREF(object);
    Py_XDECREF(args);
    Py_XDECREF(result);
    rpm_hosts_free(&hosts);
    return done;
}

/* Is there room on the stack for more?  What was printed goes out. */
static int begin(void)
{
    rpm_error error;
    if (RPY_STACK_IS_LOW() && rpy_stack_low(RPY_FRAME())) {
        rpm_error_take(&error);
        rpm_error_raise(&error, NULL);
        return 0;
    }
    return !rpm_this.prints || rpm_after_output();
}

Signed *rpm_python(Signed kind, Signed number, const Signed *arguments)
{
    int was_running = rpm_running;
    rpm_suspended native;
    rpm_words words;
    Signed *outcome;
    rpm_python_calls++;
    rpm_words_init(&words);
    rpm_suspend(&native);
    rpm_running = 0;
    if (!begin() || !perform(&rpm_this.operations[kind], number, arguments, &words))
        pack_raised(&words);
    if (rpm_this.prints && !rpm_before_output())
        pack_raised(&words);
    while (!rpm_enter()) /* another thread is inside, and a signal has come */
        pack_raised(&words);
    outcome = PyMem_Malloc((size_t)(words.used + 1) * sizeof *outcome);
    if (outcome == NULL)
        rpy_fatal_error("no memory left for what Python code has returned");
    memcpy(outcome, words.items, (size_t)words.used * sizeof *outcome);
    rpm_words_free(&words);
    rpm_running = was_running;
    rpm_resume(&native);
    return outcome;
}

void rpm_python_done(Signed *outcome)
{
    PyMem_Free(outcome);
}
