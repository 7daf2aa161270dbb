/* Objects whose memory native code reads and writes where it is, while a call lasts.
 *
 * The words: the address, how many items there are, a ticket, which native code is told when it must
 * not use the memory any more, and what the view is of, all as rtyper/ll/ll_outsideview.py reads them.
 */
#include <string.h>

#include "rpy_module.h"

/* In `number` of a type. */
enum {
    MEMORYVIEW = 1, BYTES = 2, BYTEARRAY = 4, ARRAY = 8, ANY = 16, /* which objects */
    INTS = 32, FLOATS = 64                                         /* which items, else bytes */
};

typedef struct rpm_buffer {
    Py_buffer view;
    struct rpm_buffer *next;
} buffer;

static int is_array(PyObject *value)
{
    static PyTypeObject *array;
    PyObject *module = array == NULL ? PyImport_ImportModule("array") : NULL;
    if (module != NULL) {
        array = (PyTypeObject *)PyObject_GetAttrString(module, "array");
        Py_DECREF(module);
    }
    PyErr_Clear();
    return array != NULL && Py_IS_TYPE(value, array);
}

/* What messages about wrong indices call it (a letter, see ll_outside), 0: it is not accepted. */
static char kind_of(int accepted, PyObject *value)
{
    if (PyMemoryView_Check(value))
        return accepted & (MEMORYVIEW | ANY) ? 'm' : 0;
    if (PyBytes_CheckExact(value) && accepted & BYTES)
        return 'b';
    if (PyByteArray_CheckExact(value) && accepted & BYTEARRAY)
        return 'B';
    if (accepted & ARRAY && is_array(value))
        return 'a';
    return accepted & ANY && PyObject_CheckBuffer(value) ? 'm' : 0;
}

/* The format of the items, 0 where they are of another one. */
static char format_of(int accepted, const Py_buffer *view)
{
    const char *format = view->format == NULL ? "B" : view->format;
    const char *formats = accepted & INTS ? "bBhHiIlLqQ" : accepted & FLOATS ? "fd" : "B";
    if (view->ndim != 1 || format[0] == 0 || format[1] != 0)
        return 0;
    return strchr(formats, format[0]) == NULL ? 0 : format[0];
}

int rpm_pack_buffer(const rpm_function *f, int index, const rpm_type *type, PyObject *value,
                    rpm_words *words, rpm_hosts *hosts)
{
    static Signed nothing; /* the memory of what is empty */
    char kind = kind_of(type->number, value), format;
    buffer *taken;
    Signed facts;
    void *memory;
    if (kind == 0)
        return rpm_wrong_type(f, index, type, value);
    taken = PyMem_Malloc(sizeof *taken);
    if (taken == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    if (PyObject_GetBuffer(value, &taken->view, PyBUF_FORMAT | PyBUF_ND | PyBUF_C_CONTIGUOUS) < 0) {
        PyMem_Free(taken);
        return 0;
    }
    taken->next = hosts->buffers;
    hosts->buffers = taken;
    format = format_of(type->number, &taken->view);
    if (format == 0)
        return rpm_wrong_value(f, index, PyExc_BufferError,
                               type->number & INTS     ? "must be a buffer of ints of one dimension"
                               : type->number & FLOATS ? "must be a buffer of floats of one dimension"
                                                       : "must be a buffer of bytes of one dimension");
    memory = taken->view.len == 0 ? &nothing : taken->view.buf;
    if ((Unsigned)memory % (Unsigned)taken->view.itemsize != 0)
        return rpm_wrong_value(f, index, PyExc_BufferError, "must be a buffer of aligned items");
    facts = (unsigned char)format | (Signed)(unsigned char)kind << 8;
    facts |= (Signed)!taken->view.readonly << 16;
    return rpm_push(words, (Signed)memory) &&
           rpm_push(words, taken->view.len / taken->view.itemsize) &&
           rpm_push(words, (Signed)taken) && rpm_push(words, facts);
}

void rpm_end_buffers(rpm_hosts *hosts)
{
    const buffer *each;
    for (each = hosts->buffers; each != NULL; each = each->next)
        rpx_release((Signed)each);
}

void rpm_release_buffers(rpm_hosts *hosts)
{
    while (hosts->buffers != NULL) {
        buffer *taken = hosts->buffers;
        hosts->buffers = taken->next;
        PyBuffer_Release(&taken->view);
        PyMem_Free(taken);
    }
}
