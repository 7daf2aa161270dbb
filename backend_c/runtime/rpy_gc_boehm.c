/* Allocation through libgc. */
#define GC_THREADS
#define GC_NO_THREAD_REDIRECTS /* threads are registered below */
#include <gc.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_gc_boehm.h"
#include "rpy_gil.h"

/* ---- objects with finalizers ---- */

/* Flags beside the type, while the dead are put in order. */
#define RPY_QUEUE_SEEN ((Unsigned)1 << 63)
#define RPY_QUEUE_CANDIDATE ((Unsigned)1 << 62)
#define RPY_QUEUE_REFERRED ((Unsigned)1 << 61)
#define RPY_QUEUE_OUTSIDE(object) (GC_base(object) == NULL)
#define RPY_QUEUE_REALLOC(items, before, after) visible_realloc(items, before, after)

/* Memory where the collector looks for pointers. */
static void *visible_realloc(void *items, size_t before, size_t after)
{
    void *more = GC_MALLOC_UNCOLLECTABLE(after);
    if (more != NULL && items != NULL)
        memcpy(more, items, before);
    GC_FREE(items);
    return more;
}

#include "rpy_gc_finalizer_queue.h"

typedef struct registration {
    Signed number;
    struct registration *next;
} registration;

static finalizer_queue found, dead;
static int finalizing, put_back;
static Signed dead_number;

/* libgc has found it dead, and keeps it until this returns. */
static void note_dead(void *object, void *data)
{
    registration *each;
    for (each = data; each != NULL; each = each->next)
        enqueue(&found, object, each->number);
}

void rpy_gc_register_finalizer(void *object, Signed number)
{
    registration *data;
    GC_finalization_proc before;
    void *data_before;
    if (GC_base(object) == NULL) { /* prebuilt: only __del__ runs, at the end */
        if (number == 0)
            enqueue(&found, object, number);
        return;
    }
    data = GC_MALLOC(sizeof(registration));
    if (data == NULL)
        rpy_fatal_error("no memory left for the collector");
    data->number = number;
    GC_register_finalizer_no_order(object, note_dead, data, &before, &data_before);
    if (before != NULL)
        data->next = data_before;
}

/* Those that others lead to have to wait until these are gone, but for the end of the program. */
static void take_found(int all)
{
    Unsigned i;
    for (i = 0; i < found.length; i++)
        found.items[i].object->tid |= RPY_QUEUE_CANDIDATE;
    order_finalizers(&found);
    forget_seen();
    for (i = 0; i < found.length; i++) {
        finalizable *each = &found.items[i];
        if (all) {
            if (each->number == 0)
                enqueue(&dead, each->object, 0);
        } else if (each->object->tid & RPY_QUEUE_REFERRED) {
            put_back = 1;
            rpy_gc_register_finalizer(each->object, each->number);
        } else {
            enqueue(&dead, each->object, each->number);
        }
    }
    for (i = 0; i < found.length; i++)
        found.items[i].object->tid &= ~(RPY_QUEUE_CANDIDATE | RPY_QUEUE_REFERRED);
    /* let the collector not find them */
    memset(found.items, 0, found.length * sizeof(finalizable));
    found.length = 0;
}

Bool rpy_gc_finalizers_due(void)
{
    return !finalizing && (dead.length || GC_should_invoke_finalizers());
}

void *rpy_gc_next_dead(void)
{
    void *object;
    if (dead.first == dead.length) {
        dead.first = dead.length = 0;
        GC_invoke_finalizers();
        if (found.length)
            take_found(0);
    }
    if (finalizing != (dead.length != 0)) {
        finalizing = !finalizing;
        if (finalizing)
            rpy_trace_put_away();
        else
            rpy_trace_take_back();
    }
    if (!finalizing)
        return NULL;
    object = dead.items[dead.first].object;
    dead_number = dead.items[dead.first].number;
    dead.items[dead.first++].object = NULL;
    return object;
}

Signed rpy_gc_dead_number(void)
{
    return dead_number;
}

Bool rpy_gc_finalizers_waiting(void)
{
    return put_back && !finalizing;
}

void rpy_gc_condemn(void)
{
    GC_gcollect();
    GC_finalize_all();
    if (found.length)
        take_found(1);
}

/* ---- memory ---- */

__attribute__((constructor)) static void start(void)
{
    Unsigned maximum = rpy_size_from_environment("RPYTHON_GC_MAX", 0);
    GC_INIT();
    GC_set_finalize_on_demand(1);
    GC_set_java_finalization(1);
    GC_set_warn_proc(GC_ignore_warn_proc);
    if (maximum)
        GC_set_max_heap_size(maximum);
}

/* No more bytes than these, 0 or less for any number. */
void rpy_gc_set_max_heap_size(Signed size)
{
    GC_set_max_heap_size(size > 0 ? (GC_word)size : 0);
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

void rpy_gc_boehm_set_weak(void **place, void *target)
{
    *place = target;
    if (GC_base(place) == NULL || GC_base(target) == NULL)
        return; /* prebuilt */
    if (GC_general_register_disappearing_link(place, target) == GC_NO_MEMORY)
        rpy_fatal_error("no memory left for weak references");
}

void rpy_gc_boehm_collect(void)
{
    put_back = 0;
    GC_gcollect();
}

int rpy_gc_thread_prepare(rpy_thread *thread)
{
    (void)thread;
    GC_allow_register_threads();
    return 1;
}

void rpy_gc_thread_begin(rpy_thread *thread)
{
    struct GC_stack_base base;
    (void)thread;
    if (GC_get_stack_base(&base) != GC_SUCCESS || GC_register_my_thread(&base) != GC_SUCCESS)
        rpy_fatal_error("the collector does not know where the stack of a thread begins");
}

void rpy_gc_thread_end(rpy_thread *thread)
{
    (void)thread;
    GC_unregister_my_thread();
}

int rpy_gc_host_thread(void)
{
    struct GC_stack_base base;
    return GC_get_stack_base(&base) == GC_SUCCESS && GC_register_my_thread(&base) == GC_SUCCESS;
}
