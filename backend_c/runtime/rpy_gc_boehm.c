/* Allocation through libgc. */
#include <gc.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_gc_boehm.h"

__attribute__((constructor)) static void start(void)
{
    Unsigned maximum = rpy_size_from_environment("RPYTHON_GC_MAX", 0);
    GC_INIT();
    GC_set_warn_proc(GC_ignore_warn_proc);
    if (maximum)
        GC_set_max_heap_size(maximum);
}

void *rpy_gc_boehm_alloc(Unsigned size, Unsigned tid)
{
    const rpy_gc_type *type = &rpy_gc_types[tid];
    void *object;
    if (type->pointers || type->in_item) {
        object = GC_MALLOC(size);
    } else {
        object = GC_MALLOC_ATOMIC(size); /* nothing to look for in there */
        if (object != NULL)
            memset(object, 0, size);
    }
    if (object != NULL)
        ((rpy_gc_header *)object)->tid = tid;
    return object;
}

void rpy_gc_boehm_collect(void)
{
    GC_gcollect();
}
