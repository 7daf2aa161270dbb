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
    Signed number;  /* what it was registered with: rtyper/finalizers.py knows what it means */
    Unsigned registered, order;
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

static int by_order(const void *a, const void *b)
{
    const told *p = a, *q = b;
    if (p->order != q->order)
        return p->order < q->order ? -1 : 1;
    return p->registered < q->registered ? -1 : 1;
}

static void **order_stack; /* objects to look at, and (odd) those of which all was looked at */
static Unsigned order_length, order_room;
static rpy_gc_header **order_seen; /* what the flag SEEN was given to */
static Unsigned seen_length, seen_room;

static void *more_room(void *items, Unsigned *room)
{
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * sizeof(void *));
    if (items == NULL)
        rpy_fatal_error("no memory left for the collector");
    return items;
}

static void push_order(void *item)
{
    if (order_length == order_room)
        order_stack = more_room(order_stack, &order_room);
    order_stack[order_length++] = item;
}

static inline void push_unseen(void **place)
{
    rpy_gc_header *object = *place;
    if (object != NULL && !RPY_TOLD_OUTSIDE(object) &&
        (!(object->tid & RPY_TOLD_SEEN) || object->tid & RPY_TOLD_CANDIDATE))
        push_order(object);
}

/* Look at all that is reached from a dead object, depth first.  `left`: how many were not
 * finished; the last one to be finished will be the first. */
static void order_from(rpy_gc_header *root, told_list *found, Unsigned *left)
{
    push_order(root);
    while (order_length) {
        rpy_gc_header *object = order_stack[--order_length];
        if ((Unsigned)object & 1) {
            told key, *entry;
            key.object = (rpy_gc_header *)((Unsigned)object - 1);
            entry = bsearch(&key, found->items, found->length, sizeof(told), by_address);
            while (entry > found->items && entry[-1].object == key.object)
                entry--;
            --*left;
            for (; entry < found->items + found->length && entry->object == key.object; entry++)
                entry->order = *left;
            continue;
        }
        if (object->tid & RPY_TOLD_CANDIDATE && object != root)
            object->tid |= RPY_TOLD_REFERRED;
        if (object->tid & RPY_TOLD_SEEN)
            continue;
        object->tid |= RPY_TOLD_SEEN;
        if (seen_length == seen_room)
            order_seen = more_room(order_seen, &seen_room);
        order_seen[seen_length++] = object;
        if (object->tid & RPY_TOLD_CANDIDATE)
            push_order((char *)object + 1);
        FOR_EACH_POINTER(object, push_unseen);
    }
}

/* Put dead objects, which have the flag CANDIDATE, in the order in which they should be told: first,
 * as they were registered, those to which no other one leads (of a cycle, it is the first); then
 * the others, which get the flag REFERRED, each before those that it leads to.  All that they
 * lead to has the flag SEEN, and is in order_seen. */
static void order_told(told_list *found)
{
    Unsigned i, left = 2 * found->length;
    told *as_registered = malloc(found->length * sizeof(told));
    if (as_registered == NULL)
        rpy_fatal_error("no memory left for the collector");
    seen_length = 0;
    for (i = 0; i < found->length; i++)
        found->items[i].registered = i;
    memcpy(as_registered, found->items, found->length * sizeof(told));
    qsort(found->items, found->length, sizeof(told), by_address);
    for (i = 0; i < found->length; i++)
        if (!(as_registered[i].object->tid & RPY_TOLD_SEEN))
            order_from(as_registered[i].object, found, &left);
    free(as_registered);
    for (i = 0; i < found->length; i++)
        if (!(found->items[i].object->tid & RPY_TOLD_REFERRED))
            found->items[i].order = found->items[i].registered;
    qsort(found->items, found->length, sizeof(told), by_order);
}

static void forget_seen(void)
{
    while (seen_length)
        order_seen[--seen_length]->tid &= ~RPY_TOLD_SEEN;
}

#endif
