/* Objects that the program is told of when they are dead, a part of rpy_gc_refcount.c.
 *
 * When the last reference goes, the list of those to be told takes one: the object lives on until
 * the program was told, and longer if that brought it back to life.
 */
#ifndef RPY_GC_REFCOUNT_TOLD_H
#define RPY_GC_REFCOUNT_TOLD_H

#undef RPY_GC_LAYOUT
#define RPY_GC_LAYOUT(object) type_of(object)

#define RPY_TOLD_SEEN ((Unsigned)1 << 26)
#define RPY_TOLD_CANDIDATE ((Unsigned)1 << 27)
#define RPY_TOLD_REFERRED ((Unsigned)1 << 28)
#define RPY_TOLD_OUTSIDE(object) lives_for_ever(object)
#define RPY_TOLD_REALLOC(items, before, after) realloc(items, after)

#include "rpy_gc_told.h"

int rpy_gc_due; /* is the program to be told of dead objects? */

/* What they were registered with: the number below, above it a larger one each time. */
static pair_table registered;
static Unsigned registrations;
#define NUMBER_BITS 16

static told_list to_tell;
static int telling; /* is the program being told? */
static Signed dead_number;

void rpy_gc_register_finalizer(void *object, Signed number)
{
    if (lives_for_ever(object) && number != 0)
        return; /* it does not die; __del__ is told at the end */
    ((header *)object)->tid |= RPY_GC_TOLD;
    add_pair(&registered, object, ++registrations << NUMBER_BITS | (Unsigned)number);
}

/* The object, which has no reference any more, gets one for each time that it is told. */
static void live_to_be_told(header *object)
{
    Unsigned value;
    object->tid &= ~RPY_GC_TOLD & (RPY_GC_ONE - 1);
    while ((value = take_value(&registered, object)) != 0) {
        add_told(&to_tell, object, (Signed)(value & (((Unsigned)1 << NUMBER_BITS) - 1)));
        object->tid += RPY_GC_ONE;
    }
    rpy_gc_due = !telling;
}

/* Its reference moves to the program. */
void *rpy_gc_next_dead(void)
{
    void *object;
    if (telling != (to_tell.first < to_tell.length)) {
        telling = !telling;
        if (telling)
            rpy_trace_put_away();
        else
            rpy_trace_take_back();
    }
    rpy_gc_due = 0;
    if (!telling) {
        to_tell.first = to_tell.length = 0;
        return NULL;
    }
    object = to_tell.items[to_tell.first].object;
    dead_number = to_tell.items[to_tell.first++].number;
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
    Unsigned i, n = 0, before = to_tell.length;
    told_list all = { NULL, 0, 0, 0 };
    for (i = 0; registered.pairs != NULL && i <= registered.mask; i++)
        if (registered.pairs[i].object != NULL &&
            (registered.pairs[i].value & (((Unsigned)1 << NUMBER_BITS) - 1)) == 0)
            registered.pairs[n++] = registered.pairs[i];
    if (n == 0)
        return;
    qsort(registered.pairs, n, sizeof(pair), by_registration);
    for (i = 0; i < n; i++) {
        header *object = registered.pairs[i].object;
        object->tid |= RPY_TOLD_CANDIDATE;
        add_told(&all, object, 0);
    }
    registered.pairs = NULL; /* nobody else is told, but for new ones */
    registered.count = 0;
    order_told(&all);
    forget_seen();
    for (i = 0; i < n; i++) {
        header *object = all.items[i].object;
        object->tid &= ~(RPY_TOLD_CANDIDATE | RPY_TOLD_REFERRED | RPY_GC_TOLD);
        rpy_gc_acquire(object);
        add_told(&to_tell, object, 0);
    }
    rpy_gc_due = !telling && to_tell.length > before;
}

#endif
