/* An extension module of CPython: what its generated table (backend_c/extension_table.py) says, and
 * what the functions generated there call.  Only CPython's limited API is used.
 *
 * Values that are not plain numbers cross as words: see rtyper/ll/ll_marshal.py and
 * rtyper/boundary/extension.py.
 */
#ifndef RPY_MODULE_H
#define RPY_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "rpy_break.h"
#include "rpy_core.h"

/* ---- types ---- */

typedef enum {
    RPM_NONE,      /* no words */
    RPM_INT,
    RPM_FLOAT,
    RPM_BOOL,
    RPM_STR,
    RPM_BYTES,
    RPM_BYTEARRAY,
    RPM_BUFFER,    /* the memory of an object; `number`: of which ones, rpy_module_buffer.c */
    RPM_TUPLE,     /* of `count` items */
    RPM_VARTUPLE,  /* of any number of items[0] */
    RPM_LIST,      /* items[0] */
    RPM_DICT,      /* items[0] to items[1] */
    RPM_SET,
    RPM_FROZENSET,
    RPM_OPTIONAL,  /* items[0] or None */
    RPM_UNION,     /* one of `count` items */
    RPM_RANGE,     /* start, stop and step */
    RPM_ENUM,      /* of hosted class `number`: the number of the member... */
    RPM_INTENUM,   /* ...and its int */
    RPM_NAMEDTUPLE, /* of hosted class `number`, of `count` items */
    RPM_INSTANCE,  /* of class `number` */
    RPM_CALLABLE,  /* the number of a Python object, which native code may keep if `changes` */
    RPM_GIVEN,     /* in exceptions: items[0] where it is an argument of the call */
    RPM_OPAQUE     /* no words: does not cross, in arguments of exceptions and in those that
                    * nobody looks at */
} rpm_kind;

typedef struct rpm_type {
    rpm_kind kind;
    int number;  /* of the class, or of the kind of container for rpx_contents; -1: copied */
    int changes; /* may the program change such containers? */
    int is_copied;  /* is it, or has it in it, what native code has a copy of, ... */
    int may_change; /* ...which it may change? */
    int count;
    const struct rpm_type *const *items;
    const char *name; /* how messages call it: "list[int]" */
} rpm_type;

/* ---- functions ---- */

typedef PyObject *(*rpm_entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

typedef struct {
    const char *name;            /* how messages call it: "Point.area" */
    int count;                   /* of parameters, without self */
    int positional_only;
    int positional;              /* the others are keyword-only */
    int has_self;
    int makes;                   /* 1 + number of the class whose objects it makes, else 0 */
    int is_setter;               /* does it assign an attribute? */
    int prints;                  /* may it write to standard output? */
    int star, stars;             /* is parameter `positional` *args, the last one **kwargs? */
    int runs_long;               /* may it come to a safe point? */
    int nogil;                   /* does it run without Python's lock? */
    const char *const *names;
    const rpm_type *const *types;
    const rpm_type *result;
    void (*call)(Signed *words); /* NULL: the entry calls it itself */
    PyObject **interned;         /* the parameters' names, and... */
    PyObject *defaults;          /* ...a tuple of their defaults, NotImplemented: none */
    PyObject *otherwise;         /* the result for an argument of another type; NULL: TypeError */
} rpm_function;

/* ---- classes ---- */

typedef struct {
    PyObject_HEAD
    Signed handle;   /* of the native object; 0: __init__ has not made it */
    Signed kept;     /* 1 + place among those that native code keeps, 0: it does not */
    int is_extended; /* is it of a class that Python has derived? */
} rpm_object;

/* An object that weak references of Python may refer to. */
typedef struct {
    rpm_object object;
    PyObject *references;
} rpm_weak_object;

typedef struct {
    const char *name;
    int function;        /* number in the table, -1: calling it raises TypeError */
    char kind;           /* 'm'ethod, 's'taticmethod or 'c'lassmethod */
    const char *message; /* of that TypeError */
} rpm_method;

typedef struct {
    const char *name;
    getter get; /* NULL: AttributeError with `message` */
    setter set; /* NULL: it cannot be assigned */
    int is_field; /* is it no property? */
    const char *doc;
    const char *message;
} rpm_attribute;

typedef struct {
    const char *name;
    int base;            /* number of the class, -1: none */
    int exported;        /* is it an attribute of the module? */
    Signed number;       /* subclassrange_min of the native class */
    const char *doc;
    const char *abstract; /* the message of TypeError when it is called, or NULL */
    const rpm_method *methods;
    const rpm_attribute *attributes;
    int read, restore; /* functions that give the attributes of an object, and make one; or -1 */
    int restore_extended; /* and one of a class that Python has derived, -1: as any other */
    int is_view;       /* are its objects views of lists or dicts? */
    int is_weak;       /* are its objects rpm_weak_object? */
    int is_slotted;    /* have those of the source no __dict__? */
    PyObject *type;
    PyObject *values;      /* a dict: what the class itself has for fields */
    PyObject *subclassing; /* a frozenset of names that classes derived from it cannot have, or a str:
                            * why there are none */
} rpm_class;

typedef struct {
    const char *name;
    const rpm_type *type;
} rpm_field;

typedef struct {
    const char *module, *name;
    int base;        /* number in the table, -1: `module` has it */
    int own;         /* does this module make it? */
    int exported;
    int special;     /* does it more with its arguments than keep them? */
    int has_text;    /* does native code compute its text? */
    int from_python; /* can native code take one that Python code raises? */
    Signed number;   /* subclassrange_min of the native class */
    const rpm_field *fields; /* attributes, at the end of the words */
    PyObject *type;
} rpm_exception;

/* How an exception was made: rtyper/boundary/exception_constructors.py. */
typedef struct {
    const char *how;
    const rpm_type *arguments;
} rpm_form;

/* What native code can do with Python's callables of one type. */
typedef struct {
    char what;                 /* 'c'all, '=', '#': hash, '?': bool, 'r'epr; of a member 'm'ethod, 'g'et */
    const char *name;          /* how messages call its result */
    const char *member;        /* "": call the object; else this method of the first argument */
    const rpm_type *arguments; /* a tuple; of '=': the number of the other object */
    const rpm_type *result;
    PyObject *interned;        /* the name of the member, once it was needed */
} rpm_operation;

/* A class that is Python's: an enum, or one of named tuples. */
typedef struct {
    PyObject *type;
    PyObject *members;  /* of an enum, a tuple */
    PyObject *by_value; /* a dict of them, where they are ints */
} rpm_hosted;

/* ---- the module ---- */

/* What another module has, "": that module itself. */
typedef struct {
    const char *name;
    const char *module, *attribute;
} rpm_import;

typedef struct {
    const char *name;
    const char *doc;
    PyMethodDef *methods; /* of all functions, by number */
    const int *exported;  /* numbers of those that the module has, -1 at the end */
    rpm_function *functions;
    int functions_count;
    rpm_class *classes;
    int classes_count;
    rpm_exception *exceptions;
    int exceptions_count;
    const rpm_form *forms;   /* number 1 first */
    rpm_operation *operations;
    rpm_hosted *hosted;
    int hosted_count;
    const char *file;         /* the source of the module */
    const char *host_classes; /* Python: for host_classes in hostside.py, "" if nothing needs it */
    const char *data;        /* Python: of the hosted classes, (defaults, constants, constants of classes, members of
                                exceptions) */
    const char *host_side;   /* Python: translator/extension/hostside.py */
    int knows_threads;       /* must the collector know every thread? */
    int prints;              /* may any function write to standard output? */
    const rpm_import *imports;
} rpm_module;

extern RPY_HIDDEN rpm_module rpm_this; /* generated */

/* The two steps of an import. */
extern RPY_HIDDEN PyObject *rpm_create_module(PyObject *spec, PyModuleDef *definition);
extern RPY_HIDDEN int rpm_exec_module(PyObject *module);

/* ---- calls ---- */

/* Tell the collector of this thread: to be called first where it must know. */
extern RPY_HIDDEN __thread int rpm_thread_is_known;
extern RPY_HIDDEN void rpm_thread_begin(void);
static inline void rpm_thread(void)
{
    if (!rpm_thread_is_known)
        rpm_thread_begin();
}

/* Is another thread at a safe point of native code?  Those who want to run native code wait then;
 * 0 with what a handler of a signal raised meanwhile. */
extern RPY_HIDDEN int rpm_inside;
extern RPY_HIDDEN int rpm_wait(void);
static inline int rpm_enter(void)
{
    return !rpm_inside || rpm_wait();
}

/* A call begins that may take long: have it come to safe points. */
extern RPY_HIDDEN void rpm_long_begin(void);
static inline void rpm_long(void)
{
    if (rpy_running_stack_limit != &rpy_stack_limit)
        rpm_long_begin();
}

/* Around native code that runs without Python's lock. */
extern RPY_HIDDEN void rpm_release_gil(void);
extern RPY_HIDDEN void rpm_take_gil(void);

typedef struct {
    Signed *items;
    Signed used, room;
    Signed small[64];
} rpm_words;

extern RPY_HIDDEN void rpm_words_init(rpm_words *words);
extern RPY_HIDDEN void rpm_words_free(rpm_words *words);
/* Words that are freed at the end of the block. */
#define RPM_WORDS(name) rpm_words name __attribute__((cleanup(rpm_words_free))); rpm_words_init(&name)
typedef struct rpm_hosts rpm_hosts;
extern RPY_HIDDEN int rpm_pack(const rpm_function *f, int index, PyObject *value, rpm_words *words,
                               rpm_hosts *hosts);

extern RPY_HIDDEN int rpm_running; /* native code, called through words, which is at a safe point then */
extern RPY_HIDDEN int rpm_is_running(const rpm_function *f);
static inline int rpm_is_idle(const rpm_function *f)
{
    return !rpm_running || rpm_is_running(f);
}

/* Put the arguments in `out`, in the order of the parameters; borrowed references, but for the
 * tuple of *args and the dict of **kwargs. */
extern RPY_HIDDEN int rpm_bind(const rpm_function *f, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *kwnames, PyObject **out);
/* Argument `index` as a number; 0 with an exception set. */
extern RPY_HIDDEN int rpm_any_int(const rpm_function *f, int index, PyObject *arg, Signed *out);
extern RPY_HIDDEN int rpm_float(const rpm_function *f, int index, PyObject *arg, double *out);
extern RPY_HIDDEN int rpm_bool(const rpm_function *f, int index, PyObject *arg, Bool *out);
extern RPY_HIDDEN int rpm_instance(const rpm_function *f, int index, PyObject *arg, Signed *out);
extern RPY_HIDDEN int rpm_without_init(const rpm_function *f);
/* The repr() that dataclass has made, for an object of a class that Python has derived. */
extern RPY_HIDDEN PyObject *rpm_of_class(PyObject *self, PyObject *text);
/* Is the class that a classmethod is called on native code? */
extern RPY_HIDDEN int rpm_is_native(const rpm_function *f, PyObject *type);
static inline int rpm_self(const rpm_function *f, PyObject *self, Signed *out)
{
    *out = ((rpm_object *)self)->handle;
    return *out != 0 || rpm_without_init(f);
}
/* What a function returns that got a wrong argument; is it of a wrong type? */
extern RPY_HIDDEN PyObject *rpm_wrong(const rpm_function *f);
extern RPY_HIDDEN int rpm_is_of_wrong_type;
/* The wrapper of an instance, None for 0; a new reference. */
extern RPY_HIDDEN PyObject *rpm_wrap(Signed handle);
/* What has to be done before and after each call of native code.  `rpm_after` returns 0 with
 * the exception set that native code raised. */
extern RPY_HIDDEN int rpm_before_output(void);
extern RPY_HIDDEN int rpm_after(const rpm_function *f);
/* The result of a call that was written in words: take these, make it. */
extern RPY_HIDDEN int rpm_take_written(rpm_words *results);
extern RPY_HIDDEN PyObject *rpm_written(const rpm_function *f, const rpm_words *results);
/* The assignment of an attribute: what its setter returns. `rpm_assign`: through words; `rpm_assigned`:
 * with the result of rpm_wrong. */
extern RPY_HIDDEN int rpm_assign(const rpm_function *f, PyObject *self, PyObject *value);
extern RPY_HIDDEN int rpm_assigned(PyObject *result);
extern RPY_HIDDEN int rpm_is_deleted(const rpm_function *f);
static inline int rpm_not_deleted(const rpm_function *f, PyObject *value)
{
    return value != NULL || rpm_is_deleted(f);
}
/* A whole call through words. */
extern RPY_HIDDEN PyObject *rpm_call(const rpm_function *f, PyObject *self, PyObject *const *args,
                                     Py_ssize_t nargs, PyObject *kwnames);
/* The end of __init__: `self` is the wrapper of the new instance. */
extern RPY_HIDDEN PyObject *rpm_made(PyObject *self, Signed handle);
extern RPY_HIDDEN int rpm_not_made(const rpm_function *f, PyObject *self);

/* ---- between the parts of the runtime ---- */

/* The containers that crossed in a call, by number; strong references. */
struct rpm_hosts {
    PyObject **items;
    const rpm_type **types;
    Signed count, room;
    Signed *slots; /* for many: number + 1 by address */
    Signed mask;
    PyObject *few[8];
    const rpm_type *types_of_few[8];
    Signed borrowed; /* numbers of callables that are native code's until the call ends */
    struct rpm_buffer *buffers; /* and memory of objects */
};

/* A native exception, taken out of native code. */
typedef struct {
    Signed number;              /* of its class */
    int cause, context;         /* numbers, or -1 */
    int suppressed;             /* is its context not to be shown? */
    rpm_words words;            /* its text, arguments and attributes */
    int told;                   /* is what is in `words` all? */
    const rpy_location **trace; /* innermost frame first */
    Signed entries;
} rpm_raised;

/* The one that was pending, if any, number 0, and those that led to it. */
typedef struct {
    int count;
    rpm_raised *chain;
    rpm_raised one; /* mostly there is just one */
} rpm_error;

/* All that native code has written; 0 with MemoryError set. */
extern RPY_HIDDEN int rpm_words_take(rpm_words *words, void *writer);
/* The container gets the next number. */
extern RPY_HIDDEN int rpm_add_host(rpm_hosts *hosts, PyObject *host, const rpm_type *type);
extern RPY_HIDDEN void rpm_hosts_init(rpm_hosts *hosts);
extern RPY_HIDDEN void rpm_hosts_free(rpm_hosts *hosts);
extern RPY_HIDDEN int rpm_push(rpm_words *words, Signed word);
extern RPY_HIDDEN PyObject *rpm_unpack(const rpm_type *type, const Signed **words,
                                       rpm_hosts *hosts);
extern RPY_HIDDEN PyObject *rpm_unpack_str(const Signed **words);
/* What a container holds now, as a new one (of a bytearray: bytes); and make it hold that. */
extern RPY_HIDDEN PyObject *rpm_unpack_contents(const rpm_type *type, const Signed **words,
                                                rpm_hosts *hosts);
extern RPY_HIDDEN int rpm_replace_contents(PyObject *host, const rpm_type *type,
                                           PyObject *contents);

extern RPY_HIDDEN int rpm_pack_str(rpm_words *words, PyObject *text);

/* Objects of Python that native code has, by number, from 1 (0: MemoryError). */
extern RPY_HIDDEN Signed rpm_keep_object(PyObject *object);
extern RPY_HIDDEN PyObject *rpm_object_of(Signed number);
extern RPY_HIDDEN void rpm_forget_object(Signed number);
extern RPY_HIDDEN void rpm_release_objects(void); /* those that are forgotten */
/* Native code has an exception of Python once more, once less; its class has assignments checked. */
extern RPY_HIDDEN int rpm_hold(PyObject *error);
extern RPY_HIDDEN void rpm_let_go(PyObject *error);
extern RPY_HIDDEN int rpm_watch_exception(rpm_exception *e);
extern RPY_HIDDEN int rpm_pack_buffer(const rpm_function *f, int index, const rpm_type *type,
                                      PyObject *value, rpm_words *words, rpm_hosts *hosts);
/* Native code cannot use the memory any more; the objects may change its size again. */
extern RPY_HIDDEN void rpm_end_buffers(rpm_hosts *hosts);
extern RPY_HIDDEN void rpm_release_buffers(rpm_hosts *hosts);
/* Argument `index`, or what is in it, is of a wrong type; has another fault.  They return 0. */
extern RPY_HIDDEN int rpm_wrong_type(const rpm_function *f, int index, const rpm_type *type,
                                     PyObject *value);
extern RPY_HIDDEN int rpm_wrong_value(const rpm_function *f, int index, PyObject *type,
                                      const char *message);
extern RPY_HIDDEN int rpm_pack_callable(const rpm_type *type, PyObject *value, rpm_words *words,
                                        rpm_hosts *hosts);
extern RPY_HIDDEN void rpm_free_borrowed(rpm_hosts *hosts);
/* __init__ of an object of a class that Python has derived, where native code calls its methods.
 * rpm_ticket is called by native code, as the first thing: the number of that object; rpm_known_early
 * makes it known to Python before __init__ has ended. */
typedef PyObject *(*rpm_init)(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *kwnames);
extern RPY_HIDDEN PyObject *rpm_init_extended(rpm_init init, PyObject *self, PyObject *const *args,
                                              Py_ssize_t nargs, PyObject *kwnames);
extern RPY_HIDDEN Signed rpm_ticket(void);
extern RPY_HIDDEN int rpm_known_early(Signed handle, Signed ticket);
/* Called by native code: do operation `kind` with an object; the words of its outcome. */
extern RPY_HIDDEN Signed *rpm_python(Signed kind, Signed number, const Signed *arguments);
extern RPY_HIDDEN void rpm_python_done(Signed *outcome);
extern RPY_HIDDEN Signed rpm_python_calls; /* how many there were, and... */
extern RPY_HIDDEN Signed rpm_yields;       /* ...how often others could run during native code */

extern RPY_HIDDEN void rpm_error_take(rpm_error *error);
/* Raise it in Python, in place of what is raised there, and free it.  `hosts`: of the call, NULL:
 * it has no containers. */
extern RPY_HIDDEN void rpm_error_raise(rpm_error *error, rpm_hosts *hosts);
extern RPY_HIDDEN void rpm_error_free(rpm_error *error);
/* Take what is raised in Python, with its traceback. */
extern RPY_HIDDEN PyObject *rpm_take_raised(void);
/* The class, a borrowed reference; NULL with an exception. */
extern RPY_HIDDEN PyObject *rpm_exception_type(rpm_exception *e);
/* A function (or class) of hostside.py; a borrowed reference. */
extern RPY_HIDDEN PyObject *rpm_host_side(const char *name);
/* The hosted classes, a new tuple; NULL with an exception. */
extern RPY_HIDDEN PyObject *rpm_make_hosted(PyObject *module);
extern RPY_HIDDEN int rpm_pack_hosted(const rpm_type *type, PyObject *value, Signed *word);
extern RPY_HIDDEN PyObject *rpm_unpack_hosted(const rpm_type *type, Signed word);
extern RPY_HIDDEN int rpm_make_exceptions(PyObject *module, PyObject *members);
/* What stands for an argument of an exception that does not cross. */
extern RPY_HIDDEN PyObject *rpm_opaque(const rpm_type *type);

/* What was printed goes out. */
extern RPY_HIDDEN int rpm_after_output(void);

extern RPY_HIDDEN int rpm_make_classes(PyObject *module, PyObject *constants);

/* A module, and classes, whose attributes Python code cannot change once `rpm_seal` was called. */
extern RPY_HIDDEN PyObject *rpm_new_module(PyObject *name);
extern RPY_HIDDEN PyObject *rpm_class_type(void);
extern RPY_HIDDEN PyObject *rpm_new_class(const char *name, PyObject *base, PyObject *dict);
extern RPY_HIDDEN void rpm_seal(void);
extern RPY_HIDDEN int rpm_sealed;
/* May `name` be a field of instances of this type?  Then what the type itself has for it; NULL with
 * AttributeError set. */
extern RPY_HIDDEN int rpm_class_value(PyObject *type, PyObject *name, PyObject **value);
/* Members of all objects. */
extern RPY_HIDDEN PyObject *rpm_get_class(PyObject *self, void *closure);
extern RPY_HIDDEN int rpm_set_class(PyObject *self, PyObject *value, void *closure);
extern RPY_HIDDEN PyObject *rpm_cannot_pickle(PyObject *self, PyObject *args);
/* How copy and pickle take an object apart, and make one. */
extern RPY_HIDDEN PyObject *rpm_reduce(PyObject *self, PyObject *args);
extern RPY_HIDDEN PyObject *rpm_reduce_ex(PyObject *self, PyObject *protocol);
extern RPY_HIDDEN PyObject *rpm_set_state(PyObject *self, PyObject *state);
/* The native class that this is, or that Python has derived it from; NULL: none. */
extern RPY_HIDDEN rpm_class *rpm_class_of(PyTypeObject *type);
static inline int rpm_is_extended(const rpm_class *c, PyTypeObject *type)
{
    return c->type != (PyObject *)type;
}
/* The two types above all classes: the second one has weak references. */
extern RPY_HIDDEN int rpm_make_base_types(void);
extern RPY_HIDDEN PyObject *rpm_base_type, *rpm_weak_base_type;
/* __init_subclass__ of all classes.  May Python code set an attribute of a derived class, of one of
 * its objects? */
extern RPY_HIDDEN PyObject *rpm_init_subclass(PyObject *type, PyObject *args, PyObject *words);
extern RPY_HIDDEN int rpm_check_class_attribute(PyObject *type, PyObject *name);
extern RPY_HIDDEN int rpm_set_attribute(PyObject *self, PyObject *name, PyObject *value);
/* Native code has the wrapper as long as the native object lives; it takes a new reference. */
extern RPY_HIDDEN int rpm_keep(rpm_object *wrapper);
extern RPY_HIDDEN Signed rpm_kept, rpm_kept_limit;
extern RPY_HIDDEN void rpm_sweep(void);
/* Is there, besides native code's reference to a wrapper, none but from what only it leads to? */
extern RPY_HIDDEN int rpm_refers_to_itself_only(PyObject *wrapper);

/* What raises TypeError with this message when it is called. */
extern RPY_HIDDEN PyObject *rpm_refusal(const char *message);
/* Run Python source text; the names it defines are in the result. */
extern RPY_HIDDEN PyObject *rpm_run(const char *source, const char *name, int start);

extern RPY_HIDDEN void rpm_threads_start(void);
/* Let SIGINT interrupt native code, when this is the main thread. */
extern RPY_HIDDEN void rpm_breaks_start(void);
/* From now on Python cannot be asked for signals. */
extern RPY_HIDDEN void rpm_breaks_end(void);
/* Raise what a handler of a signal raised in native code, if one did. */
extern RPY_HIDDEN int rpm_break_restore(void);

extern RPY_HIDDEN PyObject *rpm_dict; /* the module's __dict__ */
extern RPY_HIDDEN int rpm_busy;       /* values are crossing: no handle may be freed */
extern RPY_HIDDEN void rpm_free_handles(void); /* those that could not be */
static inline void rpm_tidy(void)
{
    if (rpm_busy != 0 || rpm_inside)
        return;
    rpm_free_handles();
    rpm_release_objects();
    if (rpm_kept >= rpm_kept_limit)
        rpm_sweep();
}

/* ---- native code: rtyper/boundary/extension.py ---- */

extern RPY_HIDDEN void *rpx_writer(void);
extern RPY_HIDDEN void rpx_contents(Signed kind, Signed index);
extern RPY_HIDDEN void rpx_restart(void);
extern RPY_HIDDEN void rpx_end(void);
extern RPY_HIDDEN void rpx_release(Signed ticket);
extern RPY_HIDDEN Signed rpx_handle_class(Signed handle);
extern RPY_HIDDEN void rpx_handle_free(Signed handle);
extern RPY_HIDDEN void rpx_sweep(Signed *words);
extern RPY_HIDDEN void rpx_collect(void);
extern RPY_HIDDEN void *rpx_message(void *exc);
extern RPY_HIDDEN Signed rpx_length(void *writer);
extern RPY_HIDDEN void rpx_copy(void *writer, Signed *words);
extern RPY_HIDDEN void rpy_flush(void); /* called only where the table says `prints` */

#endif
