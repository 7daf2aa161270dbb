/* Python's values as words; rpy_module_unpack.c is the way back. */
#include <string.h>

#include "rpy_module_layout.h"

/* ---- words ---- */

void rpm_words_init(rpm_words *words)
{
    words->items = words->small;
    words->used = 0;
    words->room = sizeof words->small / sizeof words->small[0];
}

void rpm_words_free(rpm_words *words)
{
    if (words->items != words->small)
        PyMem_Free(words->items);
}

static Signed *make_room(rpm_words *words, Signed count)
{
    Signed *place;
    if (count > words->room - words->used) {
        Signed room = 2 * words->room + count, *items;
        if (words->items == words->small) {
            items = PyMem_Malloc((size_t)room * sizeof(Signed));
            if (items != NULL)
                memcpy(items, words->small, (size_t)words->used * sizeof(Signed));
        } else {
            items = PyMem_Realloc(words->items, (size_t)room * sizeof(Signed));
        }
        if (items == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        words->items = items;
        words->room = room;
    }
    place = words->items + words->used;
    words->used += count;
    return place;
}

int rpm_push(rpm_words *words, Signed word)
{
    Signed *place = make_room(words, 1);
    if (place == NULL)
        return 0;
    *place = word;
    return 1;
}

int rpm_words_take(rpm_words *words, void *writer)
{
    Signed length = rpx_length(writer), *place;
    /* The writer stays where it is: no native code allocates meanwhile. */
    place = make_room(words, length + 1);
    if (place == NULL)
        return 0;
    rpx_copy(writer, place);
    rpy_give_back(writer);
    place[length] = 0;
    return 1;
}

static int push_bytes(rpm_words *words, const char *bytes, Signed size)
{
    Signed count = (size + 7) / 8, *place = make_room(words, count);
    if (place == NULL)
        return 0;
    if (count > 0)
        place[count - 1] = 0;
    memcpy(place, bytes, (size_t)size);
    return 1;
}

/* ---- containers by number ---- */

void rpm_hosts_init(rpm_hosts *hosts)
{
    hosts->items = hosts->few;
    hosts->types = hosts->types_of_few;
    hosts->room = sizeof hosts->few / sizeof hosts->few[0];
    hosts->count = hosts->mask = 0;
    hosts->slots = NULL;
    hosts->borrowed = 0;
    hosts->buffers = NULL;
}

static Signed slot_of(const rpm_hosts *hosts, const void *host)
{
    Signed slot = (Signed)((Unsigned)host >> 4) & hosts->mask;
    while (hosts->slots[slot] != 0 && hosts->items[hosts->slots[slot] - 1] != host)
        slot = (slot + 1) & hosts->mask;
    return slot;
}

/* The number of a container that crossed already, or -1. */
static Signed find_host(const rpm_hosts *hosts, const PyObject *host)
{
    Signed i;
    if (hosts->slots != NULL)
        return hosts->slots[slot_of(hosts, host)] - 1;
    for (i = 0; i < hosts->count; i++)
        if (hosts->items[i] == host)
            return i;
    return -1;
}

static int grow_hosts(rpm_hosts *hosts)
{
    Signed room = 4 * hosts->room, i;
    int first = hosts->items == hosts->few;
    PyObject **items = PyMem_Realloc(first ? NULL : hosts->items, (size_t)room * sizeof *items);
    const rpm_type **types;
    if (items == NULL)
        return 0;
    if (first)
        memcpy(items, hosts->few, sizeof hosts->few);
    hosts->items = items;
    types = PyMem_Realloc(first ? NULL : hosts->types, (size_t)room * sizeof *types);
    if (types == NULL)
        return 0;
    if (first)
        memcpy(types, hosts->types_of_few, sizeof hosts->types_of_few);
    hosts->types = types;
    hosts->room = room;
    PyMem_Free(hosts->slots);
    hosts->slots = PyMem_Calloc((size_t)(2 * room), sizeof(Signed));
    if (hosts->slots == NULL)
        return 0;
    hosts->mask = 2 * room - 1;
    for (i = 0; i < hosts->count; i++)
        hosts->slots[slot_of(hosts, items[i])] = i + 1;
    return 1;
}

int rpm_add_host(rpm_hosts *hosts, PyObject *host, const rpm_type *type)
{
    if (hosts->count == hosts->room && !grow_hosts(hosts)) {
        PyErr_NoMemory();
        return 0;
    }
    Py_INCREF(host);
    hosts->items[hosts->count] = host;
    hosts->types[hosts->count] = type;
    if (hosts->slots != NULL)
        hosts->slots[slot_of(hosts, host)] = hosts->count + 1;
    hosts->count++;
    return 1;
}

void rpm_hosts_free(rpm_hosts *hosts)
{
    Signed i;
    for (i = 0; i < hosts->count; i++)
        Py_DECREF(hosts->items[i]);
    if (hosts->items != hosts->few)
        PyMem_Free(hosts->items);
    if (hosts->types != hosts->types_of_few)
        PyMem_Free(hosts->types);
    PyMem_Free(hosts->slots);
    rpm_free_borrowed(hosts);
    rpm_release_buffers(hosts);
}

/* ---- Python -> words ---- */

typedef struct {
    const rpm_function *function;
    int index;
    rpm_words *words;
    rpm_hosts *hosts;
} packer;

/* What messages call argument `index`: "f() argument 'x'", or the attribute that is assigned. */
static PyObject *shown(const rpm_function *f, int index)
{
    if (f->is_setter)
        return PyUnicode_FromString(f->name);
    return PyUnicode_FromFormat("%s() argument '%s'", f->name, f->names[index]);
}

int rpm_is_of_wrong_type;

int rpm_wrong_type(const rpm_function *f, int index, const rpm_type *type, PyObject *value)
{
    const rpm_type *whole = f->types[index];
    PyObject *given = PyType_GetName(Py_TYPE(value)), *what = shown(f, index);
    rpm_is_of_wrong_type = 1;
    if (given != NULL && what != NULL) {
        if (type == whole)
            PyErr_Format(PyExc_TypeError, "%U must be %s, not %U", what, type->name, given);
        else
            PyErr_Format(PyExc_TypeError, "%U must be %s: it has %U where %s belongs", what,
                         whole->name, given, type->name);
    }
    Py_XDECREF(given);
    Py_XDECREF(what);
    return 0;
}

/* Another exception about the argument. */
int rpm_wrong_value(const rpm_function *f, int index, PyObject *type, const char *message)
{
    PyObject *what = shown(f, index);
    if (what != NULL)
        PyErr_Format(type, "%U %s", what, message);
    Py_XDECREF(what);
    return 0;
}

static int get_int(const rpm_function *f, int index, const rpm_type *type, PyObject *value,
                   Signed *out)
{
    int overflow;
    if (!PyLong_CheckExact(value))
        return rpm_wrong_type(f, index, type, value);
    if (rpm_read_int(value, out))
        return 1;
    *out = PyLong_AsLongAndOverflow(value, &overflow);
    return !overflow || rpm_wrong_value(f, index, PyExc_OverflowError, "does not fit in 64 bits");
}

int rpm_any_int(const rpm_function *f, int index, PyObject *arg, Signed *out)
{
    return get_int(f, index, f->types[index], arg, out);
}

int rpm_float(const rpm_function *f, int index, PyObject *arg, double *out)
{
    if (!PyFloat_CheckExact(arg))
        return rpm_wrong_type(f, index, f->types[index], arg);
    *out = rpm_read_float(arg);
    return 1;
}

int rpm_bool(const rpm_function *f, int index, PyObject *arg, Bool *out)
{
    if (!PyBool_Check(arg))
        return rpm_wrong_type(f, index, f->types[index], arg);
    *out = arg == Py_True;
    return 1;
}

static int get_instance(const rpm_function *f, int index, const rpm_type *type, PyObject *value,
                        Signed *out)
{
    PyTypeObject *wanted = (PyTypeObject *)rpm_this.classes[type->number].type;
    if (!Py_IS_TYPE(value, wanted) && !PyType_IsSubtype(Py_TYPE(value), wanted))
        return rpm_wrong_type(f, index, type, value);
    *out = ((rpm_object *)value)->handle;
    return *out != 0 || rpm_wrong_value(f, index, PyExc_TypeError, "is not made: its __init__() was"
                                                               " not called");
}

int rpm_instance(const rpm_function *f, int index, PyObject *arg, Signed *out)
{
    const rpm_type *type = f->types[index];
    if (type->kind == RPM_OPTIONAL) {
        if (arg == Py_None) {
            *out = 0;
            return 1;
        }
        if (!PyObject_TypeCheck(arg, (PyTypeObject *)rpm_this.classes[type->items[0]->number].type))
            return rpm_wrong_type(f, index, type, arg);
        type = type->items[0];
    }
    return get_instance(f, index, type, arg, out);
}

int rpm_pack_str(rpm_words *words, PyObject *value)
{
    Py_ssize_t size, length = PyUnicode_GetLength(value), i;
    const char *utf8 = PyUnicode_AsUTF8AndSize(value, &size);
    Py_UCS4 *chars, most = 0;
    int done;
    if (utf8 != NULL && size == length) /* ASCII */
        return rpm_push(words, length) && rpm_push(words, 0) &&
               push_bytes(words, utf8, length);
    if (utf8 == NULL)
        PyErr_Clear(); /* surrogates */
    chars = PyMem_Malloc((size_t)(length + 1) * sizeof(Py_UCS4));
    if (chars == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    done = PyUnicode_AsUCS4(value, chars, length + 1, 0) != NULL;
    for (i = 0; i < length && done; i++)
        most = chars[i] > most ? chars[i] : most;
    if (done && most > 0xff) {
        done = rpm_push(words, length) && rpm_push(words, 1) &&
               push_bytes(words, (const char *)chars, 4 * length);
    } else if (done) {
        char *narrow = (char *)chars;
        for (i = 0; i < length; i++)
            narrow[i] = (char)chars[i];
        done = rpm_push(words, length) && rpm_push(words, 0) &&
               push_bytes(words, narrow, length);
    }
    PyMem_Free(chars);
    return done;
}

static int pack(packer *p, const rpm_type *type, PyObject *value);

static int changed_size(packer *p)
{
    return rpm_wrong_value(p->function, p->index, PyExc_RuntimeError, "changed while it was passed");
}

/* As many ints of one digit as the list begins with, of the given layout. */
static inline Signed read_small_ints(rpm_layout_kind layout, PyObject *list, Signed size,
                                     Signed *out)
{
    PyObject *const *items = ((const rpm_list_object *)list)->items;
    const PyTypeObject *ints = &PyLong_Type; /* not asked for again, where it is in a library */
    Signed i = 0;
    while (i < size && items[i]->ob_type == ints && rpm_read_int_as(layout, items[i], &out[i]))
        i++;
    return i;
}

/* The items of a list of ints or floats: nothing runs in between that could change it. */
static int pack_numbers(packer *p, const rpm_type *type, PyObject *list, Py_ssize_t size)
{
    Signed *place = make_room(p->words, size);
    union { double number; Signed word; } bits;
    Py_ssize_t i = 0;
    if (place == NULL)
        return 0;
    if (type->kind == RPM_INT && rpm_layout == RPM_TAGGED)
        i = read_small_ints(RPM_TAGGED, list, size, place);
    else if (type->kind == RPM_INT && rpm_layout == RPM_SIZED)
        i = read_small_ints(RPM_SIZED, list, size, place);
    for (; i < size; i++) {
        PyObject *item = rpm_list_item(list, i);
        if (type->kind == RPM_INT) {
            if (!get_int(p->function, p->index, type, item, &place[i]))
                return 0;
        } else {
            if (!PyFloat_CheckExact(item))
                return rpm_wrong_type(p->function, p->index, type, item);
            bits.number = rpm_read_float(item);
            place[i] = bits.word;
        }
    }
    return 1;
}

static int pack_contents(packer *p, const rpm_type *type, PyObject *value)
{
    Py_ssize_t i, size;
    PyObject *key, *item, *iterator;
    switch (type->kind) {
    case RPM_BYTEARRAY:
        size = PyByteArray_Size(value);
        return rpm_push(p->words, size) && push_bytes(p->words, PyByteArray_AsString(value), size);
    case RPM_LIST:
        size = PyList_Size(value);
        if (!rpm_push(p->words, size))
            return 0;
        if (type->items[0]->kind == RPM_INT || type->items[0]->kind == RPM_FLOAT)
            return pack_numbers(p, type->items[0], value, size);
        for (i = 0; i < size; i++) {
            item = PyList_GetItem(value, i); /* the list may have become shorter */
            if (item == NULL || !pack(p, type->items[0], item))
                return 0;
        }
        return PyList_Size(value) == size || changed_size(p);
    case RPM_DICT:
        size = PyDict_Size(value);
        if (!rpm_push(p->words, size))
            return 0;
        for (i = 0; PyDict_Next(value, &i, &key, &item);)
            if (!pack(p, type->items[0], key) || !pack(p, type->items[1], item))
                return 0;
        return PyDict_Size(value) == size || changed_size(p);
    default:
        size = PySet_Size(value);
        iterator = PyObject_GetIter(value);
        if (iterator == NULL || !rpm_push(p->words, size)) {
            Py_XDECREF(iterator);
            return 0;
        }
        for (i = 0; (item = PyIter_Next(iterator)) != NULL; i++) {
            int done = pack(p, type->items[0], item);
            Py_DECREF(item);
            if (!done)
                break;
        }
        Py_DECREF(iterator);
        return item == NULL && !PyErr_Occurred();
    }
}

static int pack_container(packer *p, const rpm_type *type, PyObject *value)
{
    Signed number = find_host(p->hosts, value);
    if (number >= 0) {
        if (p->hosts->types[number]->number != type->number) {
            PyErr_Format(PyExc_TypeError, "%s(): one object is given as %s and as %s",
                         p->function->name, p->hosts->types[number]->name, type->name);
            return 0;
        }
        return rpm_push(p->words, number);
    }
    return rpm_push(p->words, p->hosts->count) && rpm_add_host(p->hosts, value, type) &&
           pack_contents(p, type, value);
}

static int has_type(const rpm_type *type, PyObject *value)
{
    switch (type->kind) {
    case RPM_NONE: return value == Py_None;
    case RPM_FLOAT: return PyFloat_CheckExact(value);
    case RPM_BOOL: return PyBool_Check(value);
    case RPM_STR: return PyUnicode_CheckExact(value);
    case RPM_BYTES: return PyBytes_CheckExact(value);
    case RPM_BYTEARRAY: return PyByteArray_CheckExact(value);
    case RPM_TUPLE: return PyTuple_CheckExact(value) && PyTuple_Size(value) == type->count;
    case RPM_VARTUPLE: return PyTuple_CheckExact(value);
    case RPM_RANGE: return Py_IS_TYPE(value, &PyRange_Type);
    case RPM_ENUM:
    case RPM_INTENUM:
    case RPM_NAMEDTUPLE: return Py_IS_TYPE(value, (PyTypeObject *)rpm_this.hosted[type->number].type);
    case RPM_LIST: return PyList_CheckExact(value);
    case RPM_DICT: return PyDict_CheckExact(value);
    case RPM_SET: return Py_IS_TYPE(value, &PySet_Type);
    case RPM_FROZENSET: return Py_IS_TYPE(value, &PyFrozenSet_Type);
    case RPM_CALLABLE: return PyCallable_Check(value);
    default: return 1; /* looked at later */
    }
}

static int pack_range(packer *p, PyObject *value)
{
    static const char *const parts[] = { "start", "stop", "step" };
    int i, done = 1;
    for (i = 0; i < 3 && done; i++) {
        PyObject *part = PyObject_GetAttrString(value, parts[i]);
        int overflow = 0;
        done = part != NULL && rpm_push(p->words, PyLong_AsLongAndOverflow(part, &overflow));
        if (overflow)
            done = rpm_wrong_value(p->function, p->index, PyExc_OverflowError, "does not fit in 64 bits");
        Py_XDECREF(part);
    }
    return done;
}

/* Is the value of this part of a union? */
static int is_part(const rpm_type *type, PyObject *value)
{
    switch (type->kind) {
    case RPM_INT: return PyLong_CheckExact(value);
    case RPM_INSTANCE:
        return PyObject_TypeCheck(value, (PyTypeObject *)rpm_this.classes[type->number].type);
    default: return has_type(type, value);
    }
}

static int pack(packer *p, const rpm_type *type, PyObject *value)
{
    union { double number; Signed word; } bits;
    Py_ssize_t i;
    if (!has_type(type, value))
        return rpm_wrong_type(p->function, p->index, type, value);
    switch (type->kind) {
    case RPM_NONE:
    case RPM_OPAQUE:
        return 1;
    case RPM_INT:
        return get_int(p->function, p->index, type, value, &bits.word) &&
               rpm_push(p->words, bits.word);
    case RPM_FLOAT:
        bits.number = PyFloat_AsDouble(value);
        return rpm_push(p->words, bits.word);
    case RPM_BOOL:
        return rpm_push(p->words, value == Py_True);
    case RPM_STR:
        return rpm_pack_str(p->words, value);
    case RPM_BYTES:
        i = PyBytes_Size(value);
        return rpm_push(p->words, i) && push_bytes(p->words, PyBytes_AsString(value), i);
    case RPM_ENUM:
    case RPM_INTENUM:
        if (!rpm_pack_hosted(type, value, &bits.word))
            return rpm_wrong_type(p->function, p->index, type, value);
        return rpm_push(p->words, bits.word);
    case RPM_TUPLE:
    case RPM_NAMEDTUPLE:
        for (i = 0; i < type->count; i++)
            if (!pack(p, type->items[i], PyTuple_GetItem(value, i)))
                return 0;
        return 1;
    case RPM_VARTUPLE:
        if (!rpm_push(p->words, PyTuple_Size(value)))
            return 0;
        for (i = 0; i < PyTuple_Size(value); i++)
            if (!pack(p, type->items[0], PyTuple_GetItem(value, i)))
                return 0;
        return 1;
    case RPM_BUFFER:
        return rpm_pack_buffer(p->function, p->index, type, value, p->words, p->hosts);
    case RPM_RANGE:
        return pack_range(p, value);
    case RPM_UNION:
        for (i = 0; i < type->count; i++)
            if (is_part(type->items[i], value))
                return rpm_push(p->words, i) && pack(p, type->items[i], value);
        return rpm_wrong_type(p->function, p->index, type, value);
    case RPM_OPTIONAL:
        if (value == Py_None)
            return rpm_push(p->words, 0);
        return rpm_push(p->words, 1) && pack(p, type->items[0], value);
    case RPM_INSTANCE:
        return get_instance(p->function, p->index, type, value, &bits.word) &&
               rpm_push(p->words, bits.word);
    case RPM_CALLABLE:
        return rpm_pack_callable(type, value, p->words, p->hosts);
    case RPM_FROZENSET:
        return pack_contents(p, type, value);
    default:
        if (Py_EnterRecursiveCall(" while passing an argument"))
            return 0;
        i = pack_container(p, type, value);
        Py_LeaveRecursiveCall();
        return (int)i;
    }
}

int rpm_pack(const rpm_function *f, int index, PyObject *value, rpm_words *words,
             rpm_hosts *hosts)
{
    packer p = { f, index, words, hosts };
    return pack(&p, f->types[index], value);
}
