/* Objects with finalizers, a part of rpy_gc_refcount.c.
 *
 * When the last reference goes, the queue of finalizers takes one: the object lives on until
 * its finalizer has run, and longer if that brought it back to life.
 */
#ifndef RPY_GC_REFCOUNT_FINALIZERS_H
#define RPY_GC_REFCOUNT_FINALIZERS_H

#undef RPY_GC_LAYOUT
#define RPY_GC_LAYOUT(object) type_of(object)

#define RPY_QUEUE_SEEN ((Unsigned)1 << 26)
#define RPY_QUEUE_CANDIDATE ((Unsigned)1 << 27)
#define RPY_QUEUE_REFERRED ((Unsigned)1 << 28)
#define RPY_QUEUE_OUTSIDE(object) lives_for_ever(object)
#define RPY_QUEUE_REALLOC(items, before, after) realloc(items, after)

#include "rpy_gc_finalizer_queue.h"

int rpy_gc_due; /* is a finalizer to be run? */

/* What they were registered with: the number below, above it a larger one each time. */
static pair_table registered;
static Unsigned registrations;
#define NUMBER_BITS 16

static finalizer_queue due;
static int finalizing; /* are finalizers being run? */
static Signed dead_number;

void rpy_gc_register_finalizer(void *object, Signed number)
{
    if (lives_for_ever(object) && number != 0)
        return; /* it does not die; __del__ runs at the end */
    ((header *)object)->tid |= RPY_GC_HAS_FINALIZER;
    add_pair(&registered, object, ++registrations << NUMBER_BITS | (Unsigned)number);
}

/* The object, which has no reference any more, gets one for each time that it is finalized. */
static void live_for_finalizer(header *object)
{
    Unsigned value;
    object->tid &= ~RPY_GC_HAS_FINALIZER & (RPY_GC_ONE - 1);
    while ((value = take_value(&registered, object)) != 0) {
        enqueue(&due, object, (Signed)(value & (((Unsigned)1 << NUMBER_BITS) - 1)));
        object->tid += RPY_GC_ONE;
    }
    rpy_gc_due = !finalizing;
}

/* Its reference moves to the program. */
void *rpy_gc_next_dead(void)
{
    void *object;
    if (finalizing != (due.first < due.length)) {
        finalizing = !finalizing;
        if (finalizing)
            rpy_trace_put_away();
        else
            rpy_trace_take_back();
    }
    rpy_gc_due = 0;
    if (!finalizing) {
        due.first = due.length = 0;
        return NULL;
    }
    object = due.items[due.first].object;
    dead_number = due.items[due.first++].number;
    return object;
}

Signed rpy_gc_dead_number(void)
{
    return dead_number;
}

static int by_registration(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return p->value < q->value ? -1 : 1;
}

/* At the end of the program: all that is left and has a __del__. */
void rpy_gc_condemn(void)
{
    Unsigned i, n = 0, before = due.length;
    finalizer_queue all = { NULL, 0, 0, 0 };
    for (i = 0; registered.pairs != NULL && i <= registered.mask; i++)
        if (registered.pairs[i].object != NULL &&
            (registered.pairs[i].value & (((Unsigned)1 << NUMBER_BITS) - 1)) == 0)
            registered.pairs[n++] = registered.pairs[i];
    if (n == 0)
        return;
    qsort(registered.pairs, n, sizeof(pair), by_registration);
    for (i = 0; i < n; i++) {
        header *object = registered.pairs[i].object;
        object->tid |= RPY_QUEUE_CANDIDATE;
        enqueue(&all, object, 0);
    }
    registered.pairs = NULL; /* no other finalizer runs, but for new ones */
    registered.count = 0;
    order_finalizers(&all);
    forget_seen();
    for (i = 0; i < n; i++) {
        header *object = all.items[i].object;
        object->tid &= ~(RPY_QUEUE_CANDIDATE | RPY_QUEUE_REFERRED | RPY_GC_HAS_FINALIZER);
        rpy_gc_acquire(object);
        enqueue(&due, object, 0);
    }
    rpy_gc_due = !finalizing && due.length > before;
}

#endif
