/* Which objects can be reached? A part of rpy_gc_gen.c, which starts it with the roots.
 *
 * An object is *grey* when it is marked and its pointers have not been followed: in `grey`, or, if
 * it is large, in `grey_large`: those are followed in slices.
 *
 * Memory is slow to answer.  So an object that a pointer leads to is asked for, and looked at
 * when as many others were asked for after it: meanwhile it is in the ring `fetched`.
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

#define RING 32
static header *fetched[RING]; /* NULL: a free place */
static Unsigned fetched_next;

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
    header *before;
    if (object == NULL)
        return;
    __builtin_prefetch(object, 1);
    before = fetched[fetched_next];
    fetched[fetched_next] = object;
    fetched_next = (fetched_next + 1) % RING;
    if (before != NULL)
        mark(before);
}

static inline void follow(void **place)
{
    reach(*place);
}

static void mark_fetched(void)
{
    Unsigned i;
    for (i = 0; i < RING; i++) {
        header *object = fetched[(fetched_next + i) % RING];
        fetched[(fetched_next + i) % RING] = NULL;
        if (object != NULL)
            mark(object);
    }
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
    for (;;) {
        while (grey.length) {
            void *object;
            if (done >= budget)
                return 1;
            object = grey.items[--grey.length];
            done += size_of(object);
            FOR_EACH_POINTER(object, follow);
        }
        mark_fetched();
        if (grey.length)
            continue;
        if (slice.object == NULL) {
            if (grey_large.length == 0)
                return 0;
            slice.object = grey_large.items[--grey_large.length];
            slice.item = 0;
        }
        if (done >= budget)
            return 1;
        done += follow_slice(budget - done);
    }
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
