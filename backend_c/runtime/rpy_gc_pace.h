/* How much at once?  A part of rpy_gc_gen.c: the size of the nursery and of the steps of a major
 * collection, so that no pause takes more than a few milliseconds, and memory stays within bounds.
 */
#ifndef RPY_GC_PACE_H
#define RPY_GC_PACE_H

#define PACE 8                            /* bytes of objects looked at for each new one */
#define LEAST_AT_ONCE ((Unsigned)1 << 20) /* bytes of objects looked at in a step: one */
#define MOST_AT_ONCE ((Unsigned)6 << 20)  /* of a few milliseconds, if nothing precedes it */
#define OBJECT_COST ((Unsigned)8)         /* bytes in a step that an object costs in a minor one */
#define MOST_OBJECTS ((Unsigned)350000)   /* in a minor collection of a few milliseconds; */
#define MOST_COPIED ((Unsigned)14 << 20)  /* bytes of them */
#define LEAST_NURSERY ((Unsigned)1 << 20)
#define FIRST_NURSERY ((Unsigned)4 << 20)
#define LEAST_GROWTH ((Unsigned)10 << 20) /* see least_growth */

static Unsigned owed; /* bytes of objects that a step should look at */

/* Three quarters of the level 3 cache, within reason. */
static Unsigned default_nursery(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    long cache = 0; /* not every C library knows */
#endif
    Unsigned size = cache > 0 ? (Unsigned)cache / 4 * 3 : (Unsigned)4 << 20;
    if (size < (Unsigned)2 << 20)
        size = (Unsigned)2 << 20;
    return size > (Unsigned)24 << 20 ? (Unsigned)24 << 20 : size;
}

/* How much of the nursery is used until the next collection, if that is like the last one: `grown`
 * bytes survived, `objects` were looked at.  So much that it takes a few milliseconds; less,
 * because caches are small, where next to nothing survives in less.  While the old generation
 * is marked or swept, that is to happen faster than it grows: each survivor is to be paid for
 * by the next step. */
static void choose_nursery(Unsigned grown, Unsigned objects)
{
    static Unsigned size_when_idle; /* before the major collection that runs; or 0 */
    Unsigned size = (Unsigned)(nursery_end - nursery), before = size;
    Unsigned most = state == IDLE ? MOST_OBJECTS : MOST_OBJECTS / 4 * 3;
    Unsigned most_grown = state == IDLE ? MOST_COPIED : MOST_AT_ONCE / PACE;
    Unsigned least = state == IDLE ? LEAST_NURSERY : LEAST_NURSERY / 2;
    Unsigned seen = grown + (Unsigned)((char *)rpy_gc_roots - (char *)rpy_gc_roots_bottom);
    if (seen < size / 64) {
        size /= 2;
    } else if (objects < most / 2 && grown < most_grown / 4 && seen > size / 16) {
        size *= 2;
    } else {
        for (; objects > most || grown > most_grown; objects /= 2, grown /= 2)
            size /= 2;
    }
    if (size < least)
        size = least;
    if (size > nursery_size)
        size = nursery_size;
    if (state == IDLE && size < size_when_idle)
        size = size_when_idle; /* a major collection has ended */
    size_when_idle = state == IDLE ? 0 : size_when_idle ? size_when_idle : before;
    nursery_end = nursery + size;
}

/* A step of a major collection, where one runs or is due, after a minor one that looked at so many
 * objects. */
static void step_if_due(Unsigned objects)
{
    Unsigned budget = MOST_AT_ONCE;
    if (state == IDLE && old_bytes + new_registered * WORTH <= next_major) {
        owed = 0;
        return;
    }
    budget -= OBJECT_COST * objects < budget ? OBJECT_COST * objects : budget;
    if (budget > owed)
        budget = owed;
    if (budget < LEAST_AT_ONCE)
        budget = LEAST_AT_ONCE;
    owed -= budget < owed ? budget : owed;
    step(budget);
}

#endif
