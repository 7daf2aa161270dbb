/* Which objects can be reached? A part of rpy_gc_gen.c, which starts it with the roots.
 *
 * An object is *grey* when it is marked and its pointers have not been followed: in `grey`, or, if
 * it is large, in `grey_large`: those are followed in slices.
 *
 * Memory is slow to answer.  So an object that a pointer leads to is asked for, and looked at
 * when some others were asked for after it: meanwhile it waits in the ring `asked_for`.
 */
#ifndef RPY_GC_MARK_H
#define RPY_GC_MARK_H

#include "rpy_gc_large.h"

static array grey, grey_large;

static struct {
    header *object; /* whose pointers are followed, NULL: none */
    Unsigned item;  /* from this one */
} slice;

#define SLICE ((Unsigned)2048) /* items */

#define RING ((Unsigned)32)

typedef struct {
    void *items[RING];
    Unsigned first, length;
} ring;

/* Let `item` wait; NULL or, where there is no room, the one that has waited longest. */
static inline void *wait_in(ring *r, void *item)
{
    void *before;
    if (r->length < RING) {
        r->items[(r->first + r->length++) % RING] = item;
        return NULL;
    }
    before = r->items[r->first];
    r->items[r->first] = item;
    r->first = (r->first + 1) % RING;
    return before;
}

/* The one that has waited longest; NULL: nobody waits. */
static inline void *take_from(ring *r)
{
    void *item;
    if (r->length == 0)
        return NULL;
    item = r->items[r->first];
    r->first = (r->first + 1) % RING;
    r->length--;
    return item;
}

static ring asked_for;

static inline void make_grey(header *object)
{
    if (RPY_UNLIKELY((object->tid & RPY_GC_SLOTS) != 0))
        must_push(&grey_large, object);
    else
        must_push(&grey, object);
}

static inline void mark(header *object)
{
    if (object->tid & (RPY_GC_MARKED | RPY_GC_PREBUILT_FLAG))
        return;
    object->tid |= RPY_GC_MARKED;
    if (has_pointers(type_of(object)))
        make_grey(object);
}

/* It can be reached. */
static inline void reach(header *object)
{
    if (object == NULL)
        return;
    __builtin_prefetch(object, 1);
    object = wait_in(&asked_for, object);
    if (object != NULL)
        mark(object);
}

static inline void follow(void **place)
{
    reach(*place);
}

/* Follow the pointers of the next items of the large object, about `budget` bytes of them; the
 * number of bytes. */
static Unsigned follow_slice(Unsigned budget)
{
    header *object = slice.object;
    const rpy_gc_type *type = type_of(object);
    Unsigned first = slice.item;
    Unsigned end = *(Unsigned *)((char *)object + type->length);
    Unsigned most = budget / type->item_size + 1;
    if (most > SLICE)
        most = SLICE; /* what they lead to comes first */
    if (end - first > most)
        end = first + most;
    else
        slice.object = NULL;
    slice.item = end;
    if (first == 0)
        FOR_EACH_FIXED_POINTER(object, type, follow);
    FOR_EACH_POINTER_OF_ITEMS(object, type, first, end, follow);
    return (end - first) * type->item_size;
}

/* Follow the pointers of about `budget` bytes of objects; false when there are no more. */
static int follow_some(Unsigned budget)
{
    Unsigned done = 0;
    while (done < budget) {
        header *object;
        if (grey.length) {
            object = grey.items[--grey.length];
            done += size_of(object);
            FOR_EACH_POINTER(object, follow);
        } else if ((object = take_from(&asked_for)) != NULL) {
            mark(object);
        } else if (slice.object != NULL) {
            done += follow_slice(budget - done);
        } else if (grey_large.length) {
            slice.object = grey_large.items[--grey_large.length];
            slice.item = 0;
        } else {
            return 0;
        }
    }
    return 1;
}

/* Items of the object, which is marked, were moved to other places in it: those that would still
 * have been followed may lie among those that were. */
static void items_moved(header *object, void *from, void *to)
{
    if (slice.object == object && to < from) {
        Unsigned slots = (Unsigned)((void **)from - (void **)to);
        slice.item -= slots < slice.item ? slots : slice.item;
    }
}

#endif
