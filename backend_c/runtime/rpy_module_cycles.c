/* Wrappers that only what they refer to refers to: through their own __dict__ or slots.
 *
 *     node.me = node                   node.call = node.method
 *
 * The references from what a wrapper leads to are counted, as Python's cycle collector counts them
 * (trial deletion; Bacon and Rajan 2001).  Other wrappers, classes and modules are not looked into:
 * what they refer to is taken for used.
 */
#include "rpy_module.h"

#define MOST 64 /* objects that are looked into, too */

typedef struct {
    PyObject *objects[MOST]; /* the wrapper first */
    Py_ssize_t counts[MOST]; /* of references from these objects */
    int is_used[MOST];       /* does something else refer to it, perhaps by way of others? */
    int count;
    int used_from; /* is what is visited used? */
} graph;

static int is_looked_into(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return (PyType_GetFlags(type) & Py_TPFLAGS_HAVE_GC) != 0 && !PyType_Check(object) &&
           !PyModule_Check(object) && !PyObject_TypeCheck(object, (PyTypeObject *)rpm_base_type);
}

static int place_of(const graph *g, const PyObject *object)
{
    int i;
    for (i = 0; i < g->count; i++)
        if (g->objects[i] == object)
            return i;
    return -1;
}

static int visit(PyObject *object, void *arg)
{
    graph *g = arg;
    int place = place_of(g, object);
    if (g->used_from) {
        if (place >= 0 && g->is_used[place] == 0)
            g->is_used[place] = 1;
        return 0;
    }
    if (place < 0) {
        if (!is_looked_into(object))
            return 0;
        if (g->count == MOST)
            return 0;
        place = g->count++;
        g->objects[place] = object;
        g->counts[place] = 0;
        g->is_used[place] = 0;
    }
    g->counts[place]++;
    return 0;
}

static void traverse(graph *g, PyObject *object)
{
    traverseproc function = (traverseproc)PyType_GetSlot(Py_TYPE(object), Py_tp_traverse);
    if (function != NULL)
        function(object, visit, g);
}

int rpm_refers_to_itself_only(PyObject *wrapper)
{
    graph g = { .objects = { wrapper }, .count = 1 };
    int i, found = 1;
    if ((PyType_GetFlags(Py_TYPE(wrapper)) & Py_TPFLAGS_HAVE_GC) == 0)
        return 0;
    for (i = 0; i < g.count; i++)
        traverse(&g, g.objects[i]);
    if (Py_REFCNT(wrapper) != g.counts[0] + 1) /* native code has one */
        return 0;
    for (i = 1; i < g.count; i++)
        g.is_used[i] = Py_REFCNT(g.objects[i]) != g.counts[i];
    g.used_from = 1;
    while (found) { /* 2: what it refers to was visited */
        found = 0;
        for (i = 1; i < g.count; i++)
            if (g.is_used[i] == 1) {
                g.is_used[i] = 2;
                traverse(&g, g.objects[i]);
                found = 1;
            }
    }
    return !g.is_used[0];
}
