/* Queues of dead objects whose finalizers the program is to run, and the order in which it
 * does so.  A part of the collectors that find dead objects; the includer defines
 *
 *     RPY_QUEUE_SEEN, RPY_QUEUE_CANDIDATE, RPY_QUEUE_REFERRED    flags in the header
 *     RPY_QUEUE_OUTSIDE(object)                                is it not to be looked at?
 *
 * What was registered twice is finalized twice.  rtyper/finalizers.py has the program's part.
 */
#ifndef RPY_GC_FINALIZER_QUEUE_H
#define RPY_GC_FINALIZER_QUEUE_H

#include <stdlib.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_gc_types.h"

typedef struct {
    rpy_gc_header *object;
    Signed number; /* what it was registered with: rtyper/finalizers.py knows what it means */
} finalizable;

typedef struct {
    finalizable *items;
    Unsigned first, length, room; /* from `first`, they are waiting to be finalized */
} finalizer_queue;

static void enqueue(finalizer_queue *list, void *object, Signed number)
{
    if (list->length == list->room) {
        Unsigned room = list->room ? 2 * list->room : 256;
        finalizable *items = RPY_QUEUE_REALLOC(list->items, list->room * sizeof(finalizable),
                                               room * sizeof(finalizable));
        if (items == NULL)
            rpy_fatal_error("no memory left for the collector");
        list->items = items;
        list->room = room;
    }
    list->items[list->length].object = object;
    list->items[list->length++].number = number;
}

static int by_address(const void *a, const void *b)
{
    Unsigned p = (Unsigned)((const finalizable *)a)->object;
    Unsigned q = (Unsigned)((const finalizable *)b)->object;
    return p < q ? -1 : p > q;
}

typedef struct {
    void **items;
    Unsigned length, room;
} object_stack;

static object_stack order_stack; /* to look at, and (odd) those of which all was looked at */
static object_stack order_seen;  /* what the flag SEEN was given to */
static object_stack order_done;  /* dead objects of which all was looked at */

static void push_object(object_stack *list, void *object)
{
    if (list->length == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->items = realloc(list->items, list->room * sizeof(void *));
        if (list->items == NULL)
            rpy_fatal_error("no memory left for the collector");
    }
    list->items[list->length++] = object;
}

static inline void push_unseen(void **place)
{
    rpy_gc_header *object = *place;
    if (object != NULL && !RPY_QUEUE_OUTSIDE(object) &&
        (!(object->tid & RPY_QUEUE_SEEN) || object->tid & RPY_QUEUE_CANDIDATE))
        push_object(&order_stack, object);
}

/* Look at all that is reached from a dead object, depth first. */
static void order_from(rpy_gc_header *root)
{
    push_object(&order_stack, root);
    while (order_stack.length) {
        rpy_gc_header *object = order_stack.items[--order_stack.length];
        if ((Unsigned)object & 1) {
            push_object(&order_done, (char *)object - 1);
            continue;
        }
        if (object->tid & RPY_QUEUE_CANDIDATE && object != root)
            object->tid |= RPY_QUEUE_REFERRED;
        if (object->tid & RPY_QUEUE_SEEN)
            continue;
        object->tid |= RPY_QUEUE_SEEN;
        push_object(&order_seen, object);
        if (object->tid & RPY_QUEUE_CANDIDATE)
            push_object(&order_stack, (char *)object + 1);
        FOR_EACH_POINTER(object, push_unseen);
    }
}

/* Put dead objects, which have the flag CANDIDATE, in the order of their finalizers: first,
 * as they were registered, those to which no other one leads (of a cycle, it is the first); then
 * the others, which get the flag REFERRED, each before those that it leads to.  All that they
 * lead to has the flag SEEN, and is in order_seen. */
static void order_finalizers(finalizer_queue *found)
{
    Unsigned i, kept = 0, referred = 0;
    finalizable *others;
    order_seen.length = order_done.length = 0;
    for (i = 0; i < found->length; i++)
        if (!(found->items[i].object->tid & RPY_QUEUE_SEEN))
            order_from(found->items[i].object);
    for (i = 0; i < found->length; i++)
        referred += (found->items[i].object->tid & RPY_QUEUE_REFERRED) != 0;
    if (referred == 0)
        return;
    others = malloc(referred * sizeof(finalizable));
    if (others == NULL)
        rpy_fatal_error("no memory left for the collector");
    referred = 0;
    for (i = 0; i < found->length; i++)
        if (found->items[i].object->tid & RPY_QUEUE_REFERRED)
            others[referred++] = found->items[i];
        else
            found->items[kept++] = found->items[i];
    qsort(others, referred, sizeof(finalizable), by_address);
    for (i = order_done.length; i-- > 0;) { /* who was left last leads to those before */
        finalizable key, *entry;
        key.object = order_done.items[i];
        if (!(key.object->tid & RPY_QUEUE_REFERRED))
            continue;
        entry = bsearch(&key, others, referred, sizeof(finalizable), by_address);
        while (entry > others && entry[-1].object == key.object)
            entry--;
        for (; entry < others + referred && entry->object == key.object; entry++)
            found->items[kept++] = *entry;
    }
    free(others);
}

static void forget_seen(void)
{
    while (order_seen.length)
        ((rpy_gc_header *)order_seen.items[--order_seen.length])->tid &= ~RPY_QUEUE_SEEN;
}

#endif
