/* What native code prints.
 *
 * It writes to the file descriptors 1 and 2.  Where sys.stdout is the process's own, so does
 * Python; else (sys.stdout was replaced) what was written goes there when the call ends.
 * The linker makes native code call __wrap_rpy_os_write in place of rpy_os_write, and so with
 * rpy_os_lost.
 */
#include <stdlib.h>
#include <string.h>

#include "rpy_module.h"

typedef struct {
    const char *name;
    char *text;
    size_t used, room;
    int keeps;
} output;

static output outputs[2] = { { "stdout", NULL, 0, 0, 0 }, { "stderr", NULL, 0, 0, 0 } };

extern Signed __real_rpy_os_write(Signed fd, const void *buf, Signed count);

extern RPY_HIDDEN Signed __wrap_rpy_os_write(Signed fd, const void *buf, Signed count);
Signed __wrap_rpy_os_write(Signed fd, const void *buf, Signed count)
{
    output *o = &outputs[fd - 1];
    if (fd < 1 || fd > 2 || !o->keeps)
        return __real_rpy_os_write(fd, buf, count);
    if ((size_t)count > o->room - o->used) {
        size_t room = 2 * (o->used + (size_t)count);
        char *larger = realloc(o->text, room);
        if (larger == NULL)
            return __real_rpy_os_write(fd, buf, count);
        o->text = larger;
        o->room = room;
    }
    memcpy(o->text + o->used, buf, (size_t)count);
    o->used += (size_t)count;
    return count;
}

extern Signed __real_rpy_os_lost(Signed fd);

/* Is there None in the place of the stream?  Its methods raise AttributeError then. */
extern RPY_HIDDEN Signed __wrap_rpy_os_lost(Signed fd);
Signed __wrap_rpy_os_lost(Signed fd)
{
    PyObject *stream;
    if (fd < 1 || fd > 2)
        return __real_rpy_os_lost(fd);
    stream = PySys_GetObject(outputs[fd - 1].name);
    return stream == NULL || stream == Py_None;
}

/* Is the stream the process's own, in UTF-8?  -1 with an exception set. */
static int is_own(const char *name, PyObject *stream)
{
    char original[16];
    PyObject *encoding;
    int same;
    PyOS_snprintf(original, sizeof original, "__%s__", name);
    if (PySys_GetObject(original) != stream)
        return 0;
    encoding = PyObject_GetAttrString(stream, "encoding");
    if (encoding == NULL)
        return -1;
    same = PyUnicode_Check(encoding) && PyUnicode_CompareWithASCIIString(encoding, "utf-8") == 0;
    Py_DECREF(encoding);
    return same;
}

int rpm_before_output(void)
{
    int i, own[2];
    for (i = 0; i < 2; i++) {
        PyObject *stream = PySys_GetObject(outputs[i].name), *flushed;
        own[i] = stream == NULL || stream == Py_None ? 0 : is_own(outputs[i].name, stream);
        if (own[i] < 0)
            return 0;
        if (own[i]) {
            flushed = PyObject_CallMethod(stream, "flush", NULL);
            if (flushed == NULL)
                return 0;
            Py_DECREF(flushed);
        }
    }
    for (i = 0; i < 2; i++) /* after all that may run something else */
        outputs[i].keeps = !own[i];
    return 1;
}

static int write_out(output *o)
{
    PyObject *text, *stream, *done = NULL;
    if (o->used == 0)
        return 1;
    text = PyUnicode_DecodeUTF8(o->text, (Py_ssize_t)o->used, "surrogateescape");
    o->used = 0;
    stream = PySys_GetObject(o->name);
    if (text != NULL && stream != NULL && stream != Py_None)
        done = PyObject_CallMethod(stream, "write", "O", text);
    else if (text != NULL)
        Py_INCREF(done = Py_None); /* as print() without a stream */
    Py_XDECREF(text);
    Py_XDECREF(done);
    return done != NULL;
}

int rpm_after_output(void)
{
    rpm_error error;
    int done;
    rpy_flush();
    rpm_error_take(&error);
    outputs[0].keeps = outputs[1].keeps = 0;
    done = write_out(&outputs[0]) && write_out(&outputs[1]);
    if (error.count > 0) {
        rpm_error_raise(&error, NULL);
        return 0;
    }
    return done;
}
