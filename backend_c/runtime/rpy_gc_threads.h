/* Included by a collector with stacks of roots, after what `map` is: each thread has one. */
#include "rpy_gil.h"

int rpy_gc_thread_prepare(rpy_thread *thread)
{
    thread->roots_size = 4 * thread->stack_size; /* see start() */
    thread->roots_bottom = thread->roots = map(thread->roots_size);
    return thread->roots != NULL;
}

void rpy_gc_thread_dispose(rpy_thread *thread)
{
    munmap(thread->roots_bottom, thread->roots_size);
}

void rpy_gc_thread_switch(rpy_thread *from, rpy_thread *to)
{
    if (from != NULL) {
        from->roots = rpy_gc_roots;
        from->roots_bottom = rpy_gc_roots_bottom;
    }
    rpy_gc_roots = to->roots;
    rpy_gc_roots_bottom = to->roots_bottom;
}
