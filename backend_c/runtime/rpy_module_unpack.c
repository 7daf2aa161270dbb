/* Words as Python's values; see rpy_module_words.c. */
#include <string.h>

#include "rpy_module.h"

PyObject *rpm_unpack_str(const Signed **words)
{
    Signed length = *(*words)++, wide = *(*words)++;
    const char *chars = (const char *)*words;
    int order = -1;
    if (wide) {
        *words += (4 * length + 7) / 8;
        return PyUnicode_DecodeUTF32(chars, 4 * length, "surrogatepass", &order);
    }
    *words += (length + 7) / 8;
    return PyUnicode_DecodeLatin1(chars, length, NULL);
}

static PyObject *unpack_bytes(const Signed **words)
{
    Signed length = *(*words)++;
    const char *bytes = (const char *)*words;
    *words += (length + 7) / 8;
    return PyBytes_FromStringAndSize(bytes, length);
}

/* A new container; a list has room for all items, which come next. */
static PyObject *empty(const rpm_type *type, const Signed *words)
{
    switch (type->kind) {
    case RPM_LIST: return PyList_New(words[0]);
    case RPM_DICT: return PyDict_New();
    case RPM_BYTEARRAY: return PyByteArray_FromStringAndSize(NULL, 0);
    default: return PySet_New(NULL);
    }
}

/* The list is `count` times NULL. */
static int fill_list(const rpm_type *item, PyObject *list, Signed count, const Signed **words,
                     rpm_hosts *hosts)
{
    Signed i;
    for (i = 0; i < count; i++) {
        PyObject *value = rpm_unpack(item, words, hosts);
        if (value == NULL || PyList_SetItem(list, i, value) < 0)
            return 0;
    }
    return 1;
}

/* Put what the words say into a new container. */
static int fill(const rpm_type *type, PyObject *container, const Signed **words, rpm_hosts *hosts)
{
    Signed count = *(*words)++, i;
    if (type->kind == RPM_BYTEARRAY) {
        if (PyByteArray_Resize(container, count) < 0)
            return 0;
        memcpy(PyByteArray_AsString(container), *words, (size_t)count);
        *words += (count + 7) / 8;
        return 1;
    }
    if (type->kind == RPM_LIST)
        return fill_list(type->items[0], container, count, words, hosts);
    for (i = 0; i < count; i++) {
        PyObject *item = rpm_unpack(type->items[0], words, hosts), *value = NULL;
        int failed = item == NULL;
        if (!failed && type->kind == RPM_DICT) {
            value = rpm_unpack(type->items[1], words, hosts);
            failed = value == NULL || PyDict_SetItem(container, item, value) < 0;
            Py_XDECREF(value);
        } else if (!failed) {
            failed = PySet_Add(container, item) < 0;
        }
        Py_XDECREF(item);
        if (failed)
            return 0;
    }
    return 1;
}

static PyObject *unpack_container(const rpm_type *type, const Signed **words, rpm_hosts *hosts)
{
    Signed number = *(*words)++;
    PyObject *container;
    if (number < 0) { /* in an exception: a copy of what is no argument */
        container = empty(type, *words);
        if (container != NULL && !fill(type, container, words, hosts))
            Py_CLEAR(container);
        return container;
    }
    if (number < hosts->count) {
        container = hosts->items[number];
        Py_INCREF(container);
        return container;
    }
    container = empty(type, *words);
    if (container != NULL &&
        (!rpm_add_host(hosts, container, type) || !fill(type, container, words, hosts)))
        Py_CLEAR(container);
    return container;
}

PyObject *rpm_unpack_contents(const rpm_type *type, const Signed **words, rpm_hosts *hosts)
{
    PyObject *container;
    if (type->kind == RPM_BYTEARRAY)
        return unpack_bytes(words);
    container = empty(type, *words);
    if (container != NULL && !fill(type, container, words, hosts))
        Py_CLEAR(container);
    return container;
}

static PyObject *unpack_frozenset(const rpm_type *type, const Signed **words, rpm_hosts *hosts)
{
    PyObject *items = PySet_New(NULL), *result = NULL;
    if (items != NULL && fill(type, items, words, hosts))
        result = PyFrozenSet_New(items);
    Py_XDECREF(items);
    return result;
}

/* The items have types of their own, or one that is the only one. */
static PyObject *unpack_tuple(const rpm_type *type, Signed count, const Signed **words,
                              rpm_hosts *hosts)
{
    PyObject *result = PyTuple_New(count);
    Signed i;
    for (i = 0; result != NULL && i < count; i++) {
        PyObject *item = rpm_unpack(type->items[type->kind == RPM_VARTUPLE ? 0 : i], words, hosts);
        if (item == NULL)
            Py_CLEAR(result);
        else
            PyTuple_SetItem(result, i, item);
    }
    return result;
}

PyObject *rpm_unpack(const rpm_type *type, const Signed **words, rpm_hosts *hosts)
{
    union { double number; Signed word; } bits;
    PyObject *result, *items;
    Signed count;
    switch (type->kind) {
    case RPM_NONE:
        Py_RETURN_NONE;
    case RPM_INT:
        return PyLong_FromLong(*(*words)++);
    case RPM_FLOAT:
        bits.word = *(*words)++;
        return PyFloat_FromDouble(bits.number);
    case RPM_BOOL:
        return PyBool_FromLong(*(*words)++);
    case RPM_STR:
        return rpm_unpack_str(words);
    case RPM_BYTES:
        return unpack_bytes(words);
    case RPM_TUPLE:
        return unpack_tuple(type, type->count, words, hosts);
    case RPM_VARTUPLE:
        count = *(*words)++;
        return unpack_tuple(type, count, words, hosts);
    case RPM_ENUM:
    case RPM_INTENUM:
        return rpm_unpack_hosted(type, *(*words)++);
    case RPM_NAMEDTUPLE:
        items = unpack_tuple(type, type->count, words, hosts);
        result = items == NULL ? NULL
                               : PyObject_CallMethod(rpm_this.hosted[type->number].type, "_make",
                                                     "(O)", items);
        Py_XDECREF(items);
        return result;
    case RPM_RANGE:
        *words += 3;
        return PyObject_CallFunction((PyObject *)&PyRange_Type, "nnn", (*words)[-3], (*words)[-2],
                                     (*words)[-1]);
    case RPM_UNION:
        count = *(*words)++;
        return rpm_unpack(type->items[count], words, hosts);
    case RPM_OPTIONAL:
        if (!*(*words)++)
            Py_RETURN_NONE;
        return rpm_unpack(type->items[0], words, hosts);
    case RPM_INSTANCE:
        return rpm_wrap(*(*words)++);
    case RPM_CALLABLE:
        count = *(*words)++;
        result = rpm_object_of(count < 0 ? -count : count);
        Py_INCREF(result);
        return result;
    case RPM_FROZENSET:
        return unpack_frozenset(type, words, hosts);
    case RPM_GIVEN:
        count = **words;
        result = rpm_unpack(type->items[0], words, hosts);
        if (count >= 0 || result == NULL)
            return result;
        Py_DECREF(result); /* somebody may have it that is not known */
        return rpm_opaque(type);
    case RPM_OPAQUE:
        return rpm_opaque(type);
    default:
        if (Py_EnterRecursiveCall(" while passing a result"))
            return NULL;
        result = unpack_container(type, words, hosts);
        Py_LeaveRecursiveCall();
        return result;
    }
}

/* ---- containers that were arguments ---- */

/* Is the new item, at the place of the old one, equal and as good? */
static int same_item(PyObject *old, PyObject *item)
{
    if (old == item)
        return 1;
    if (Py_TYPE(old) != Py_TYPE(item))
        return 0;
    if (!PyLong_CheckExact(old) && !PyUnicode_CheckExact(old) && !PyBytes_CheckExact(old))
        return 0;
    return PyObject_RichCompareBool(old, item, Py_EQ) == 1;
}

static int replace_list(PyObject *list, PyObject *items)
{
    Py_ssize_t i, length = PyList_Size(list), now = PyList_Size(items);
    for (i = 0; i < length && i < now; i++) {
        PyObject *old = PyList_GetItem(list, i);
        if (same_item(old, PyList_GetItem(items, i))) {
            Py_INCREF(old);
            PyList_SetItem(items, i, old);
        }
    }
    return PyList_SetSlice(list, 0, length, items) == 0;
}

/* Have they the same keys in the same order? */
static int same_keys(PyObject *dict, PyObject *items)
{
    Py_ssize_t i = 0, k = 0;
    PyObject *old, *key;
    if (PyDict_Size(dict) != PyDict_Size(items))
        return 0;
    while (PyDict_Next(dict, &i, &old, NULL) && PyDict_Next(items, &k, &key, NULL))
        if (!same_item(old, key))
            return 0;
    return 1;
}

/* Somebody may be iterating over the dict: where no key changed, it stays as it is. */
static int replace_dict(PyObject *dict, PyObject *items)
{
    if (!same_keys(dict, items))
        PyDict_Clear(dict);
    return PyDict_Update(dict, items) == 0;
}

static int replace_set(PyObject *set, PyObject *items, const rpm_type *item)
{
    PyObject *done;
    int exact = item->kind == RPM_INT || item->kind == RPM_STR || item->kind == RPM_BYTES;
    if (exact && PyObject_RichCompareBool(set, items, Py_EQ) == 1)
        return 1;
    if (PySet_Clear(set) < 0)
        return 0;
    done = PyNumber_InPlaceOr(set, items);
    Py_XDECREF(done);
    return done != NULL;
}

int rpm_replace_contents(PyObject *host, const rpm_type *type, PyObject *contents)
{
    Py_ssize_t size;
    switch (type->kind) {
    case RPM_LIST:
        return replace_list(host, contents);
    case RPM_DICT:
        return replace_dict(host, contents);
    case RPM_BYTEARRAY:
        size = PyBytes_Size(contents);
        if (size != PyByteArray_Size(host) && PyByteArray_Resize(host, size) < 0)
            return 0;
        memcpy(PyByteArray_AsString(host), PyBytes_AsString(contents), (size_t)size);
        return 1;
    default:
        return replace_set(host, contents, type->items[0]);
    }
}
