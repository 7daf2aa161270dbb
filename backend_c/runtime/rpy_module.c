/* Importing an extension module, and calling its functions. */
#include <string.h>

#include "rpy_args.h"
#include "rpy_module_layout.h"

PyObject *rpm_dict;
int rpm_busy;
int rpm_running;

/* ---- arguments ---- */

static int too_many(const rpm_function *f, Py_ssize_t given, Py_ssize_t keyword_only)
{
    int self = f->has_self, wanted = f->positional + self, least = self, i;
    char range[64], extra[96] = "";
    for (i = 0; i < f->positional; i++) {
        PyObject *value = PyTuple_GetItem(f->defaults, i);
        least += value == Py_NotImplemented;
    }
    if (least < wanted)
        PyOS_snprintf(range, sizeof range, "from %d to %d", least, wanted);
    else
        PyOS_snprintf(range, sizeof range, "%d", wanted);
    if (keyword_only)
        PyOS_snprintf(extra, sizeof extra, " positional argument%s (and %ld keyword-only argument%s)",
                      given + self == 1 ? "" : "s", (long)keyword_only,
                      keyword_only == 1 ? "" : "s");
    PyErr_Format(PyExc_TypeError, "%s() takes %s positional argument%s but %zd%s %s given",
                 f->name, range, wanted == 1 && least == wanted ? "" : "s", given + self, extra,
                 given + self == 1 && !keyword_only ? "was" : "were");
    return 0;
}

static int missing(const rpm_function *f, PyObject **out, int from, int to, const char *what)
{
    int i, count = 0, seen = 0;
    PyObject *names = PyUnicode_FromString("");
    for (i = from; i < to; i++)
        count += out[i] == NULL;
    for (i = from; i < to && names != NULL; i++)
        if (out[i] == NULL) {
            PyObject *longer;
            const char *before = "";
            if (seen > 0)
                before = count == 2 ? " and " : seen == count - 1 ? ", and " : ", ";
            longer = PyUnicode_FromFormat("%U%s'%s'", names, before, f->names[i]);
            Py_DECREF(names);
            names = longer;
            seen++;
        }
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError, "%s() missing %d required %s argument%s: %U", f->name, count,
                     what, count == 1 ? "" : "s", names);
        Py_DECREF(names);
    }
    return 0;
}

/* Is the parameter *args or **kwargs? */
static int is_starred(const rpm_function *f, int index)
{
    return (f->star && index == f->positional) || (f->stars && index == f->count - 1);
}

static int find_keyword(const rpm_function *f, PyObject *name)
{
    int i;
    for (i = 0; i < f->count; i++)
        if (f->interned[i] == name && !is_starred(f, i))
            return i;
    for (i = 0; i < f->count; i++)
        if (PyUnicode_Compare(f->interned[i], name) == 0 && !is_starred(f, i))
            return i;
    return -1;
}

static int bind_keyword(const rpm_function *f, PyObject *name, PyObject *value, PyObject **out)
{
    int i = find_keyword(f, name);
    const char *message = NULL;
    if (f->stars && (i < 0 || i < f->positional_only))
        return PyDict_SetItem(out[f->count - 1], name, value) == 0;
    if (i < 0)
        message = "%s() got an unexpected keyword argument '%U'";
    else if (i < f->positional_only)
        message = "%s() got some positional-only arguments passed as keyword arguments: '%U'";
    else if (out[i] != NULL)
        message = "%s() got multiple values for argument '%U'";
    else
        out[i] = value;
    if (message != NULL)
        PyErr_Format(PyExc_TypeError, message, f->name, name);
    return message == NULL;
}

/* Make what *args and **kwargs hold: the positional arguments that are left, no keywords yet. */
static int bind_starred(const rpm_function *f, PyObject *const *args, Py_ssize_t nargs,
                        PyObject **out)
{
    Py_ssize_t i, rest = nargs > f->positional ? nargs - f->positional : 0;
    if (f->star) {
        PyObject *tuple = out[f->positional] = PyTuple_New(rest);
        for (i = 0; i < rest && tuple != NULL; i++) {
            Py_INCREF(args[f->positional + i]);
            PyTuple_SetItem(tuple, i, args[f->positional + i]);
        }
        if (tuple == NULL)
            return 0;
    }
    if (f->stars)
        out[f->count - 1] = PyDict_New();
    return !f->stars || out[f->count - 1] != NULL;
}

static void unbind(const rpm_function *f, PyObject **out)
{
    if (f->star)
        Py_CLEAR(out[f->positional]);
    if (f->stars)
        Py_CLEAR(out[f->count - 1]);
}

static int bind_all(const rpm_function *f, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *kwnames, PyObject **out)
{
    Py_ssize_t keywords = kwnames == NULL ? 0 : PyTuple_Size(kwnames), k, only = 0;
    int i, last = f->count - f->stars;
    if (!bind_starred(f, args, nargs, out))
        return 0;
    for (k = 0; k < keywords; k++)
        if (!bind_keyword(f, PyTuple_GetItem(kwnames, k), args[nargs + k], out))
            return 0;
    if (nargs > f->positional && !f->star) {
        for (i = f->positional; i < last; i++)
            only += out[i] != NULL;
        return too_many(f, nargs, only);
    }
    for (i = 0; i < f->count; i++)
        if (out[i] == NULL) {
            PyObject *value = PyTuple_GetItem(f->defaults, i);
            if (value != Py_NotImplemented)
                out[i] = value;
        }
    for (i = 0; i < f->count; i++)
        if (out[i] == NULL)
            return i < f->positional ? missing(f, out, 0, f->positional, "positional")
                                     : missing(f, out, f->positional, last, "keyword-only");
    return 1;
}

int rpm_bind(const rpm_function *f, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames,
             PyObject **out)
{
    int i;
    for (i = 0; i < f->count; i++)
        out[i] = i < nargs && i < f->positional ? args[i] : NULL;
    if (bind_all(f, args, nargs, kwnames, out))
        return 1;
    unbind(f, out);
    return 0;
}

PyObject *rpm_wrong(const rpm_function *f)
{
    int wrong_type = rpm_is_of_wrong_type;
    rpm_is_of_wrong_type = 0;
    if (f->otherwise == NULL || !wrong_type)
        return NULL;
    PyErr_Clear();
    Py_INCREF(f->otherwise);
    return f->otherwise;
}

/* ---- calls ---- */

int rpm_after(const rpm_function *f)
{
    rpm_error error;
    rpm_error_take(&error);
    rpm_busy++; /* the result may be a handle */
    if (f->prints && !rpm_after_output() && error.count == 0) {
        rpm_busy--;
        return 0;
    }
    rpm_busy--;
    if (error.count == 0)
        return 1;
    rpm_error_raise(&error, NULL);
    return 0;
}

/* The containers that were arguments get what native code left in them. */
static PyObject *finish(const rpm_function *f, rpm_error *error, const Signed *words,
                        rpm_hosts *hosts, Signed given, PyObject *self)
{
    PyObject *result = NULL, **contents = NULL;
    Signed i, left = 0;
    if (error->count == 0) {
        if (f->makes)
            result = rpm_made(self, *words++);
        else
            result = rpm_unpack(f->result, &words, hosts);
        if (result == NULL)
            return NULL;
    }
    for (i = 0; i < given; i++)
        left += hosts->types[i]->changes;
    if (left == 0)
        return result;
    contents = PyMem_Calloc((size_t)given, sizeof(PyObject *));
    if (contents == NULL) {
        PyErr_NoMemory();
        goto failed;
    }
    for (i = 0; i < given; i++)
        if (hosts->types[i]->changes) {
            contents[i] = rpm_unpack_contents(hosts->types[i], &words, hosts);
            if (contents[i] == NULL)
                goto failed;
        }
    for (i = 0; i < given; i++)
        if (contents[i] != NULL && !rpm_replace_contents(hosts->items[i], hosts->types[i], contents[i]))
            goto failed;
    goto done;
failed:
    Py_CLEAR(result);
done:
    for (i = 0; i < given && contents != NULL; i++)
        Py_XDECREF(contents[i]);
    PyMem_Free(contents);
    return result;
}

/* ---- arguments that Python has changed meanwhile ---- */

Signed rpm_python_calls, rpm_yields;

/* Other code of Python has run while native code had copies of the arguments: are they still what
 * they were?  `starts`: where each begins in the words.  With `only`, those that it may have
 * changed; otherwise Python code that it called could have changed what it reads, too. */
static int are_unchanged(const rpm_function *f, PyObject *const *args, const rpm_words *words,
                         const Signed *starts, int only)
{
    rpm_words again;
    rpm_hosts hosts;
    int i, done = 1, needed = 0;
    rpm_words_init(&again);
    rpm_hosts_init(&hosts);
    for (i = 0; i < f->count && done; i++)
        needed += only ? f->types[i]->may_change : f->types[i]->is_copied;
    for (i = 0; i < f->count && done && needed; i++) {
        Signed count = starts[i + 1] - starts[i];
        if (!f->types[i]->is_copied)
            continue;
        again.used = 0; /* but `hosts` goes on: containers have the numbers that they had */
        done = rpm_pack(f, i, args[i], &again, &hosts) && again.used == count &&
               memcmp(again.items, words->items + starts[i], (size_t)count * sizeof(Signed)) == 0;
        if (!done && only && !f->types[i]->may_change)
            done = 1;
        else if (!done)
            PyErr_Format(PyExc_RuntimeError,
                         "%s(): argument '%s' was changed by Python code while native code had a"
                         " copy of it", f->name, f->names[i]);
    }
    rpm_words_free(&again);
    rpm_hosts_free(&hosts);
    return done;
}

int rpm_is_running(const rpm_function *f)
{
    PyErr_Format(PyExc_RuntimeError, "%s() called by a handler of a signal in native code", f->name);
    return 0;
}

int rpm_take_written(rpm_words *results)
{
    int done = rpm_words_take(results, rpx_writer());
    if (results->used > 4096) /* that was large: native code need not keep its copy */
        rpx_end();
    return done;
}

PyObject *rpm_written(const rpm_function *f, const rpm_words *results)
{
    const Signed *words = results->items;
    return rpm_unpack(f->result, &words, NULL);
}

/* Call native code; 0 with an exception that Python has raised before. */
static int run(const rpm_function *f, Signed *words, rpm_error *error)
{
    if (!rpm_enter() || !rpm_is_idle(f))
        return 0;
    if (f->runs_long)
        rpm_long();
    rpm_running = 1;
    if (f->nogil)
        rpm_release_gil();
    f->call(words);
    if (f->nogil)
        rpm_take_gil();
    rpm_running = 0;
    rpm_error_take(error);
    return 1;
}

/* The words of the result, and of the `given` containers that were arguments. */
static int take_results(rpm_hosts *hosts, Signed *given, const rpm_error *error, rpm_words *results)
{
    void *writer = rpx_writer();
    int done = 1;
    Signed g;
    if (writer == NULL) { /* the arguments were too much: nothing has changed */
        *given = 0;
    } else {
        rpy_give_back(writer);
        if (error->count > 0)
            rpx_restart();
        for (g = 0; g < *given; g++)
            if (hosts->types[g]->changes && rpy_exc == NULL)
                rpx_contents(hosts->types[g]->number, g);
        done = rpy_exc == NULL && rpm_words_take(results, rpx_writer());
        rpy_exc = NULL;
    }
    rpm_end_buffers(hosts);
    rpx_end();
    if (!done)
        PyErr_NoMemory();
    return done;
}

PyObject *rpm_call(const rpm_function *f, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                   PyObject *kwnames)
{
    PyObject *bound[f->count + 1], *result = NULL;
    rpm_words words, results;
    rpm_hosts hosts;
    rpm_error error;
    Signed handle, given, starts[f->count + 1], asked = rpm_python_calls, yields = rpm_yields;
    int i, binds = nargs != f->count || f->positional != f->count || kwnames != NULL;
    if (f->makes && !rpm_not_made(f, self))
        return NULL;
    if (binds) {
        if (!rpm_bind(f, args, nargs, kwnames, bound))
            return NULL;
        args = bound;
    }
    rpm_words_init(&words);
    rpm_words_init(&results);
    rpm_hosts_init(&hosts);
    rpm_busy++;
    if (f->has_self && !f->makes && (!rpm_self(f, self, &handle) || !rpm_push(&words, handle)))
        goto done;
    for (i = 0; i < f->count; i++) {
        starts[i] = words.used;
        if (!rpm_pack(f, i, args[i], &words, &hosts)) {
            result = rpm_wrong(f);
            goto done;
        }
    }
    starts[f->count] = words.used;
    if (f->prints && !rpm_before_output())
        goto done;
    given = hosts.count;
    if (!run(f, words.items, &error))
        goto done;
    if (!take_results(&hosts, &given, &error, &results)) {
        rpm_error_free(&error);
        goto done;
    }
    if (f->prints && !rpm_after_output()) {
        if (error.count == 0)
            goto done;
        PyErr_Clear(); /* what the program raised is more important */
    }
    if ((asked != rpm_python_calls || yields != rpm_yields) &&
        !are_unchanged(f, args, &words, starts, asked == rpm_python_calls)) {
        rpm_error_free(&error);
        goto done;
    }
    result = finish(f, &error, results.items, &hosts, given, self);
    if (error.count > 0)
        rpm_error_raise(&error, &hosts);
done:
    rpm_words_free(&words);
    rpm_words_free(&results);
    rpm_hosts_free(&hosts);
    if (binds)
        unbind(f, bound);
    rpm_busy--;
    rpm_tidy();
    return result;
}

/* ---- the module ---- */

static PyObject *source_globals(void)
{
    PyObject *globals = PyDict_New(), *builtins = PyEval_GetBuiltins();
    if (globals != NULL && PyDict_SetItemString(globals, "__builtins__", builtins) < 0)
        Py_CLEAR(globals);
    return globals;
}

PyObject *rpm_run(const char *source, const char *name, int start)
{
    PyObject *globals = source_globals(), *code, *result = NULL;
    if (globals == NULL)
        return NULL;
    code = Py_CompileString(source, name, start);
    if (code != NULL) {
        result = PyEval_EvalCode(code, globals, globals);
        Py_DECREF(code);
    }
    if (start == Py_file_input && result != NULL) {
        Py_DECREF(result);
        return globals;
    }
    Py_DECREF(globals);
    return result;
}

/* One for each parameter, a new reference; of a function without any the table has (). */
static PyObject *all_defaults(const rpm_function *f, PyObject *given)
{
    PyObject *result;
    int i;
    if (given == NULL || PyTuple_Size(given) == f->count) {
        Py_XINCREF(given);
        return given;
    }
    result = PyTuple_New(f->count);
    for (i = 0; i < f->count && result != NULL; i++) {
        Py_INCREF(Py_NotImplemented);
        PyTuple_SetItem(result, i, Py_NotImplemented);
    }
    return result;
}

static int prepare_functions(PyObject *defaults)
{
    int i, k;
    for (i = 0; i < rpm_this.functions_count; i++) {
        rpm_function *f = &rpm_this.functions[i];
        f->defaults = all_defaults(f, PyTuple_GetItem(defaults, i));
        if (f->defaults == NULL)
            return 0;
        for (k = 0; k < f->count; k++) {
            f->interned[k] = PyUnicode_InternFromString(f->names[k]);
            if (f->interned[k] == NULL)
                return 0;
        }
    }
    return 1;
}

static int add_functions(PyObject *module)
{
    const int *number;
    PyObject *name = PyModule_GetNameObject(module);
    if (name == NULL)
        return 0;
    for (number = rpm_this.exported; *number >= 0; number++) {
        PyMethodDef *method = &rpm_this.methods[*number];
        PyObject *function = PyCFunction_NewEx(method, module, name);
        int failed = function == NULL || PyModule_AddObjectRef(module, method->ml_name, function) < 0;
        Py_XDECREF(function);
        if (failed) {
            Py_DECREF(name);
            return 0;
        }
    }
    Py_DECREF(name);
    return 1;
}

/* Files of the program that are still open, when Python has ended: no signal can be handed to it. */
static void flush_files(void)
{
    rpm_breaks_end();
    rpy_flush();
    rpy_exc = NULL;
}

PyObject *rpm_create_module(PyObject *spec, PyModuleDef *definition)
{
    static int64_t interpreter = -1;
    int64_t current = PyInterpreterState_GetID(PyInterpreterState_Get());
    PyObject *name, *module;
    (void)definition;
    if (interpreter >= 0) {
        PyErr_Format(PyExc_ImportError,
                     interpreter == current
                         ? "module %s is native code, which cannot be loaded twice in one process"
                         : "module %s has been imported by another interpreter",
                     rpm_this.name);
        return NULL;
    }
    name = PyObject_GetAttrString(spec, "name");
    module = name == NULL ? NULL : rpm_new_module(name);
    Py_XDECREF(name);
    if (module != NULL)
        interpreter = current;
    return module;
}

/* What the table says in Python, with the hosted classes made first. */
static PyObject *make_data(PyObject *module)
{
    PyObject *hosted = rpm_make_hosted(module), *function, *result = NULL;
    if (hosted == NULL)
        return NULL;
    function = rpm_run(rpm_this.data, rpm_this.name, Py_eval_input);
    if (function != NULL)
        result = PyObject_CallFunctionObjArgs(function, hosted, NULL);
    Py_XDECREF(function);
    Py_DECREF(hosted);
    return result;
}

/* Sources of classes see what the module has. */
static int finish_host_side(void)
{
    PyObject *call, *done = NULL;
    if (rpm_this.host_classes[0] == 0)
        return 1;
    call = rpm_host_side("finish");
    if (call != NULL)
        done = PyObject_CallFunctionObjArgs(call, rpm_dict, NULL);
    Py_XDECREF(done);
    return done != NULL;
}

int rpm_exec_module(PyObject *module)
{
    PyObject *data, *constants;
    int done;
    rpm_dict = PyModule_GetDict(module);
    rpm_layout_find();
    data = add_functions(module) ? make_data(module) : NULL;
    if (data == NULL)
        return -1;
    constants = PyTuple_GetItem(data, 1);
    done = prepare_functions(PyTuple_GetItem(data, 0)) && PyDict_Update(rpm_dict, constants) == 0 &&
           rpm_make_exceptions(module, PyTuple_GetItem(data, 3)) &&
           rpm_make_classes(module, PyTuple_GetItem(data, 2)) && finish_host_side();
    Py_DECREF(data);
    if (!done)
        return -1;
    rpm_seal();
    rpm_threads_start();
    rpm_breaks_start();
    Py_AtExit(flush_files);
    return 0;
}

/* A module has no command line. */
Signed rpy_argc(void)
{
    return 0;
}

char *rpy_argv(Signed index)
{
    (void)index;
    return NULL;
}
