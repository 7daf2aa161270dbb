/* Objects that the program is told of when they are dead: lists of them, and the order in which
 * it is told.  A part of the collectors that find dead objects; the includer defines
 *
 *     RPY_TOLD_SEEN, RPY_TOLD_CANDIDATE, RPY_TOLD_REFERRED    flags in the header
 *     RPY_TOLD_OUTSIDE(object)                                is it not to be looked at?
 *
 * What was registered twice is told twice.  rtyper/finalizers.py has the program's part.
 */
#ifndef RPY_GC_TOLD_H
#define RPY_GC_TOLD_H

#include <stdlib.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_gc_types.h"

typedef struct {
    rpy_gc_header *object;
    Signed number; /* what it was registered with: rtyper/finalizers.py knows what it means */
} told;

typedef struct {
    told *items;
    Unsigned first, length, room; /* from `first`, they are waiting to be told */
} told_list;

static void add_told(told_list *list, void *object, Signed number)
{
    if (list->length == list->room) {
        Unsigned room = list->room ? 2 * list->room : 256;
        told *items = RPY_TOLD_REALLOC(list->items, list->room * sizeof(told), room * sizeof(told));
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
    Unsigned p = (Unsigned)((const told *)a)->object, q = (Unsigned)((const told *)b)->object;
    return p < q ? -1 : p > q;
}

typedef struct {
    void **items;
    Unsigned length, room;
} told_objects;

static told_objects order_stack; /* objects to look at, and (odd) those of which all was looked at */
static told_objects order_seen;  /* what the flag SEEN was given to */
static told_objects order_done;  /* dead objects of which all was looked at */

static void push_told(told_objects *list, void *object)
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
    if (object != NULL && !RPY_TOLD_OUTSIDE(object) &&
        (!(object->tid & RPY_TOLD_SEEN) || object->tid & RPY_TOLD_CANDIDATE))
        push_told(&order_stack, object);
}

/* Look at all that is reached from a dead object, depth first. */
static void order_from(rpy_gc_header *root)
{
    push_told(&order_stack, root);
    while (order_stack.length) {
        rpy_gc_header *object = order_stack.items[--order_stack.length];
        if ((Unsigned)object & 1) {
            push_told(&order_done, (char *)object - 1);
            continue;
        }
        if (object->tid & RPY_TOLD_CANDIDATE && object != root)
            object->tid |= RPY_TOLD_REFERRED;
        if (object->tid & RPY_TOLD_SEEN)
            continue;
        object->tid |= RPY_TOLD_SEEN;
        push_told(&order_seen, object);
        if (object->tid & RPY_TOLD_CANDIDATE)
            push_told(&order_stack, (char *)object + 1);
        FOR_EACH_POINTER(object, push_unseen);
    }
}

/* Put dead objects, which have the flag CANDIDATE, in the order in which they should be told: first,
 * as they were registered, those to which no other one leads (of a cycle, it is the first); then
 * the others, which get the flag REFERRED, each before those that it leads to.  All that they
 * lead to has the flag SEEN, and is in order_seen. */
static void order_told(told_list *found)
{
    Unsigned i, kept = 0, referred = 0;
    told *others;
    order_seen.length = order_done.length = 0;
    for (i = 0; i < found->length; i++)
        if (!(found->items[i].object->tid & RPY_TOLD_SEEN))
            order_from(found->items[i].object);
    for (i = 0; i < found->length; i++)
        referred += (found->items[i].object->tid & RPY_TOLD_REFERRED) != 0;
    if (referred == 0)
        return;
    others = malloc(referred * sizeof(told));
    if (others == NULL)
        rpy_fatal_error("no memory left for the collector");
    referred = 0;
    for (i = 0; i < found->length; i++)
        if (found->items[i].object->tid & RPY_TOLD_REFERRED)
            others[referred++] = found->items[i];
        else
            found->items[kept++] = found->items[i];
    qsort(others, referred, sizeof(told), by_address);
    for (i = order_done.length; i-- > 0;) { /* who was left last leads to those before */
        told key, *entry;
        key.object = order_done.items[i];
        if (!(key.object->tid & RPY_TOLD_REFERRED))
            continue;
        entry = bsearch(&key, others, referred, sizeof(told), by_address);
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
        ((rpy_gc_header *)order_seen.items[--order_seen.length])->tid &= ~RPY_TOLD_SEEN;
}

#endif
