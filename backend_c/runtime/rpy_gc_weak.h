/* Weak pointers, which are not followed; a part of rpy_gc_gen.c.
 *
 * When marking has ended, those to what is not marked become NULL: some in each step, for a program
 * may have millions.  What is looked for through a weak pointer meanwhile is dead if it is not
 * marked (rpy_gc_weak).  Then, objects with finalizers that are dead are noted, and marked with all
 * they lead to: rpy_gc_finalizers.h.  Last, it is forgotten which of the objects with weak pointers will be
 * swept.  All that gets old until that starts is marked.
 */
#ifndef RPY_GC_WEAK_H
#define RPY_GC_WEAK_H

#include "rpy_gc_mark.h"

#define WEAK_COST ((Unsigned)16) /* bytes of objects that take as long to look at */

int rpy_gc_clearing; /* are weak pointers becoming NULL? */

static array young_weak, old_weak; /* objects with a weak pointer; the young ones: just copied */
static Unsigned weak_seen, weak_kept; /* of old_weak, in the phase that runs */

static header **weak_place(void *object)
{
    return (header **)((char *)object + type_of(object)->weak);
}

static int is_dead(header *object)
{
    return !(object->tid & (RPY_GC_MARKED | RPY_GC_PREBUILT_FLAG));
}

/* At the end of a minor collection: what did not move is dead. */
static void move_weak(void)
{
    while (young_weak.length) {
        header *object = young_weak.items[--young_weak.length];
        header **weak = weak_place(object);
        if (is_young(*weak))
            *weak = (*weak)->tid & RPY_GC_MOVED ? ((header **)*weak)[1] : NULL;
        must_push(&old_weak, object);
    }
}

static void begin_weak(void)
{
    weak_seen = weak_kept = 0;
}

/* The next object with a weak pointer, and ask for one that comes a little later; NULL where there
 * is no more, or the budget is used up. */
static inline header *next_weak(Unsigned *budget)
{
    if (weak_seen == old_weak.length || *budget < WEAK_COST)
        return NULL;
    *budget -= WEAK_COST;
    if (weak_seen + RING < old_weak.length)
        __builtin_prefetch(old_weak.items[weak_seen + RING], 1);
    return old_weak.items[weak_seen++];
}

static inline void clear_dead(header **weak)
{
    if (*weak != NULL && is_dead(*weak))
        *weak = NULL;
}

static ring weak_soon; /* places of weak pointers; what they lead to was asked for */

/* The nursery is empty.  Weak pointers to what is not marked become NULL; were these all? */
static int clear_some(Unsigned *budget)
{
    header *object, **weak;
    while ((object = next_weak(budget)) != NULL) {
        weak = weak_place(object);
        __builtin_prefetch(*weak);
        weak = wait_in(&weak_soon, weak);
        if (weak != NULL)
            clear_dead(weak);
    }
    if (weak_seen < old_weak.length)
        return 0;
    while ((weak = take_from(&weak_soon)) != NULL)
        clear_dead(weak);
    return 1;
}

/* Forget objects with weak pointers that are not marked; were these all? */
static int drop_some(Unsigned *budget)
{
    header *object;
    while ((object = next_weak(budget)) != NULL)
        if (!is_dead(object))
            old_weak.items[weak_kept++] = object;
    if (weak_seen < old_weak.length)
        return 0;
    old_weak.length = weak_kept;
    return 1;
}

void *rpy_gc_weak(void *object)
{
    return object == NULL || is_young(object) || !is_dead(object) ? object : NULL;
}

#endif
