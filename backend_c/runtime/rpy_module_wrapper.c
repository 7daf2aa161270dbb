/* Wrappers: Python's objects that hold the handle of a native object.
 *
 * As long as Python has the wrapper, the native object lives (it is in the table of handles, a root),
 * and there is no other wrapper of it.  When Python lets go of the wrapper, it dies, and native code may
 * have the object longer: then there will be another wrapper.  Not so where Python could tell the two
 * apart, because the wrapper has a __dict__, or the class that Python gave it, or weak references: these
 * are kept.
 *
 * A wrapper that is kept lives as long as the native object.  Neither side sees the references of the
 * other one, so this is found out from time to time (rpm_sweep): native code forgets the handles of
 * all wrappers that nothing in Python refers to, collects, and what is left then gets its handle back.
 */
#include <string.h>

#include "rpy_module.h"
#include <structmember.h>

PyObject *rpm_base_type, *rpm_weak_base_type;

static rpm_object **wrappers; /* by handle; borrowed: a wrapper that dies takes itself out */
static Signed wrappers_room;
static Signed *pending; /* handles to be freed later */
static Signed pending_used, pending_room;

static int set_wrapper(Signed handle, rpm_object *wrapper)
{
    if (handle >= wrappers_room) {
        Signed room = 2 * handle + 64;
        rpm_object **larger = PyMem_Realloc(wrappers, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        memset(larger + wrappers_room, 0, (size_t)(room - wrappers_room) * sizeof *larger);
        wrappers = larger;
        wrappers_room = room;
    }
    wrappers[handle] = wrapper;
    return 1;
}

void rpm_free_handles(void)
{
    while (pending_used > 0) {
        Signed handle = pending[--pending_used];
        if (wrappers[handle] == NULL) /* nobody has asked for it again */
            rpx_handle_free(handle);
    }
}

static void free_handle(Signed handle)
{
    wrappers[handle] = NULL;
    if (rpm_busy == 0 && !rpm_inside) {
        rpx_handle_free(handle);
        return;
    }
    if (pending_used == pending_room) {
        Signed room = 2 * pending_room + 64;
        Signed *larger = PyMem_Realloc(pending, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return; /* the object stays, which is better than nothing */
        pending = larger;
        pending_room = room;
    }
    pending[pending_used++] = handle;
}

static PyObject *class_by_number(Signed number)
{
    int i;
    for (i = 0; i < rpm_this.classes_count; i++)
        if (rpm_this.classes[i].number == number)
            return rpm_this.classes[i].type;
    return NULL;
}

PyObject *rpm_wrap(Signed handle)
{
    PyObject *type, *wrapper;
    if (handle == 0)
        Py_RETURN_NONE;
    if (handle < wrappers_room && wrappers[handle] != NULL) {
        Py_INCREF((PyObject *)wrappers[handle]);
        return (PyObject *)wrappers[handle];
    }
    type = class_by_number(rpx_handle_class(handle));
    if (type == NULL) { /* the class of objects that Python makes only */
        PyErr_SetString(PyExc_TypeError, "the object was given to Python before its __init__() ended");
        return NULL;
    }
    wrapper = PyType_GenericAlloc((PyTypeObject *)type, 0);
    if (wrapper != NULL && set_wrapper(handle, (rpm_object *)wrapper))
        ((rpm_object *)wrapper)->handle = handle;
    else
        Py_CLEAR(wrapper);
    return wrapper;
}

/* ---- making objects ---- */

int rpm_without_init(const rpm_function *f)
{
    PyErr_Format(PyExc_TypeError, "%s(): __init__() of the object was not called", f->name);
    return 0;
}

int rpm_not_made(const rpm_function *f, PyObject *self)
{
    rpm_class *made = &rpm_this.classes[f->makes - 1];
    if (((rpm_object *)self)->handle != 0)
        PyErr_Format(PyExc_TypeError, "%s() was called already", f->name);
    else if (rpm_class_of(Py_TYPE(self)) != made)
        PyErr_Format(PyExc_TypeError, "%s() makes objects of class %s, not of its subclasses",
                     f->name, made->name);
    else
        return 1;
    return 0;
}

/* The objects whose __init__ of native code runs on this thread, innermost first. */
typedef struct making {
    rpm_object *wrapper;
    Signed ticket;
    struct making *outer;
} making;

static __thread making *innermost;

PyObject *rpm_init_extended(rpm_init init, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames)
{
    static Signed tickets;
    making one = { (rpm_object *)self, ++tickets, innermost };
    PyObject *result;
    innermost = &one;
    result = init(self, args, nargs, kwnames);
    innermost = one.outer;
    return result;
}

Signed rpm_ticket(void)
{
    return innermost->ticket;
}

int rpm_known_early(Signed handle, Signed ticket)
{
    const making *each;
    if (handle < wrappers_room && wrappers[handle] != NULL)
        return 1;
    for (each = innermost; each != NULL; each = each->outer)
        if (each->ticket == ticket && each->wrapper->handle == 0) {
            if (!set_wrapper(handle, each->wrapper))
                return 0;
            each->wrapper->handle = handle;
            return rpm_keep(each->wrapper);
        }
    return 1; /* rpm_wrap says what is wrong */
}

PyObject *rpm_made(PyObject *self, Signed handle)
{
    rpm_object *wrapper = (rpm_object *)self;
    if (handle < wrappers_room && wrappers[handle] == wrapper) /* known early */
        Py_RETURN_NONE;
    if (wrapper->handle == 0 && handle < wrappers_room && wrappers[handle] != NULL) {
        PyErr_SetString(PyExc_TypeError, "the object was given to Python before its __init__() ended");
        return NULL;
    }
    if (wrapper->handle != 0 || !set_wrapper(handle, wrapper)) {
        rpx_handle_free(handle);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    wrapper->handle = handle;
    if (wrapper->is_extended) {
        if (!rpm_keep(wrapper))
            return NULL;
        rpm_tidy();
    }
    Py_RETURN_NONE;
}

static PyObject *object_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    rpm_class *found = rpm_class_of(type);
    PyObject *made, *none;
    (void)args;
    (void)kwargs;
    if (found == NULL || (found->abstract != NULL && !rpm_is_extended(found, type))) {
        PyErr_SetString(PyExc_TypeError, found == NULL ? "cannot be called" : found->abstract);
        return NULL;
    }
    if (!rpm_is_extended(found, type))
        return PyType_GenericAlloc(type, 0);
    none = PyTuple_New(0);
    if (none == NULL)
        return NULL;
    made = ((newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new))(type, none, NULL);
    Py_DECREF(none);
    if (made != NULL) /* it has no abstract methods */
        ((rpm_object *)made)->is_extended = 1;
    return made;
}

static void object_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Signed handle = ((rpm_object *)self)->handle;
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (handle != 0)
        free_handle(handle);
    release(self);
    Py_DECREF((PyObject *)type);
}

/* ---- wrappers that are kept ---- */

static rpm_object **kept;
Signed rpm_kept;              /* how many there are */
static Signed kept_room;
Signed rpm_kept_limit = 1000; /* time for a sweep */
static int sweeping;

static int has_one_reference(PyObject *wrapper)
{
    return Py_REFCNT(wrapper) == 1;
}

static void sweep(int (*is_free)(PyObject *wrapper));

/* Before and after a collection of Python's, which somebody may have asked for to see what is left:
 * before it those that refer to themselves, which are Python's garbage then. */
static PyObject *collected(PyObject *self, PyObject *args)
{
    PyObject *info;
    const char *phase;
    (void)self;
    if (!PyArg_ParseTuple(args, "sO", &phase, &info))
        return NULL;
    if (PyDict_Check(info)) {
        PyObject *generation = PyDict_GetItemString(info, "generation");
        int is_start = strcmp(phase, "start") == 0;
        if (generation != NULL && PyLong_Check(generation) && PyLong_AsLong(generation) == 2)
            sweep(is_start ? rpm_refers_to_itself_only : has_one_reference);
    }
    Py_RETURN_NONE;
}

static PyMethodDef collected_method = { "sweep", collected, METH_VARARGS, NULL };

static int watch_collections(void)
{
    static int watching;
    PyObject *gc, *callbacks, *function, *done = NULL;
    if (watching)
        return 1;
    gc = PyImport_ImportModule("gc");
    callbacks = gc == NULL ? NULL : PyObject_GetAttrString(gc, "callbacks");
    function = callbacks == NULL ? NULL : PyCFunction_New(&collected_method, NULL);
    if (function != NULL)
        done = PyObject_CallMethod(callbacks, "append", "O", function);
    watching = done != NULL;
    Py_XDECREF(gc);
    Py_XDECREF(callbacks);
    Py_XDECREF(function);
    Py_XDECREF(done);
    return watching;
}

int rpm_keep(rpm_object *wrapper)
{
    if (!watch_collections())
        return 0;
    if (rpm_kept == kept_room) {
        Signed room = 2 * kept_room + 64;
        rpm_object **larger = PyMem_Realloc(kept, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        kept = larger;
        kept_room = room;
    }
    Py_INCREF((PyObject *)wrapper);
    kept[rpm_kept++] = wrapper;
    wrapper->kept = rpm_kept;
    return 1;
}

static void drop(rpm_object *wrapper)
{
    rpm_object *last = kept[--rpm_kept];
    kept[wrapper->kept - 1] = last;
    last->kept = wrapper->kept;
    wrapper->kept = 0;
    wrappers[wrapper->handle] = NULL;
    wrapper->handle = 0; /* native code has freed it */
}

void rpm_sweep(void)
{
    sweep(has_one_reference);
}

/* Free those that nothing in Python refers to (`is_free`), and native code does not, either. */
static void sweep(int (*is_free)(PyObject *wrapper))
{
    Signed *words, i, count = 0, dead = 0;
    rpm_object **found;
    if (sweeping || rpm_busy != 0 || rpm_inside || rpm_kept == 0)
        return;
    words = PyMem_Malloc((size_t)(rpm_kept + 1) * sizeof *words);
    found = PyMem_Malloc((size_t)rpm_kept * sizeof *found);
    if (words == NULL || found == NULL) { /* it can wait */
        PyMem_Free(words);
        PyMem_Free(found);
        return;
    }
    sweeping = 1;
    if (rpm_this.knows_threads)
        rpm_thread();
    for (i = 0; i < rpm_kept; i++)
        if (is_free((PyObject *)kept[i])) {
            found[count] = kept[i];
            words[++count] = kept[i]->handle;
        }
    words[0] = count;
    if (count > 0)
        rpx_sweep(words);
    rpy_exc = NULL; /* no memory: all are as they were */
    for (i = 0; i < count; i++)
        if (words[i + 1] == 0) {
            drop(found[i]);
            found[dead++] = found[i];
        }
    rpm_kept_limit = 2 * rpm_kept + 1000;
    sweeping = 0;
    for (i = 0; i < dead; i++) /* Python code may run here */
        Py_DECREF((PyObject *)found[i]);
    PyMem_Free(words);
    PyMem_Free(found);
}

/* Python has let go of an object that weak references refer to. */
static void weak_finalize(PyObject *self)
{
    rpm_weak_object *wrapper = (rpm_weak_object *)self;
    PyObject *type, *value, *trace;
    if (wrapper->references == NULL || wrapper->object.handle == 0)
        return;
    PyErr_Fetch(&type, &value, &trace);
    if (!rpm_keep(&wrapper->object))
        PyErr_WriteUnraisable(self);
    PyErr_Restore(type, value, trace);
}

static void weak_dealloc(PyObject *self)
{
    if (((rpm_weak_object *)self)->references != NULL)
        PyObject_ClearWeakRefs(self);
    object_dealloc(self);
}

/* ---- the types ---- */

static PyMethodDef object_methods[] = {
    { "__init_subclass__", (PyCFunction)(void (*)(void))rpm_init_subclass,
      METH_CLASS | METH_VARARGS | METH_KEYWORDS, NULL },
    { "__reduce__", rpm_reduce, METH_NOARGS, NULL },
    { "__reduce_ex__", rpm_reduce_ex, METH_O, NULL },
    { "__setstate__", rpm_set_state, METH_O, NULL },
    { NULL, NULL, 0, NULL }
};

static PyGetSetDef object_attributes[] = {
    { "__class__", rpm_get_class, rpm_set_class, NULL, NULL },
    { NULL, NULL, NULL, NULL, NULL }
};

static PyType_Slot object_slots[] = {
    { Py_tp_new, object_new },
    { Py_tp_dealloc, object_dealloc },
    { Py_tp_setattro, rpm_set_attribute },
    { Py_tp_methods, object_methods },
    { Py_tp_getset, object_attributes },
    { 0, NULL }
};

static PyMemberDef weak_members[] = {
    { "__weaklistoffset__", T_PYSSIZET, offsetof(rpm_weak_object, references), READONLY, NULL },
    { NULL, 0, 0, 0, NULL }
};

static PyType_Slot weak_slots[] = {
    { Py_tp_dealloc, weak_dealloc },
    { Py_tp_finalize, weak_finalize },
    { Py_tp_members, weak_members },
    { 0, NULL }
};

#define FLAGS (Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_IMMUTABLETYPE)

static PyType_Spec object_spec = { NULL, sizeof(rpm_object), 0, FLAGS, object_slots };
static PyType_Spec weak_spec = { NULL, sizeof(rpm_weak_object), 0, FLAGS, weak_slots };

int rpm_make_base_types(void)
{
    PyObject *name = PyUnicode_FromFormat("%s.native_object", rpm_this.name), *bases;
    const char *text = name == NULL ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
    if (text == NULL)
        return 0;
    object_spec.name = weak_spec.name = text; /* `name` lives as long as the module */
    rpm_base_type = PyType_FromSpec(&object_spec);
    bases = rpm_base_type == NULL ? NULL : PyTuple_Pack(1, rpm_base_type);
    if (bases != NULL)
        rpm_weak_base_type = PyType_FromSpecWithBases(&weak_spec, bases);
    Py_XDECREF(bases);
    return rpm_weak_base_type != NULL;
}
