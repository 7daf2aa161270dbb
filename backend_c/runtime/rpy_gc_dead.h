/* Dead objects that the program is told of, a part of rpy_gc_gen.c.
 *
 * Marking finds those that are not reached.  They live on until the program was told: first those
 * to which no other one leads, in `dead`; then the others, in `waiting`, provided that nobody
 * stored a pointer meanwhile, which might bring one back to life.  Otherwise, these wait until
 * the next major collection has found them dead again.
 */
#ifndef RPY_GC_DEAD_H
#define RPY_GC_DEAD_H

#define RPY_TOLD_SEEN RPY_GC_MARKED
#define RPY_TOLD_CANDIDATE RPY_GC_FLAG(5)
#define RPY_TOLD_REFERRED RPY_GC_FLAG(6)
#define RPY_TOLD_OUTSIDE(object) ((object)->tid & RPY_GC_PREBUILT_FLAG)
#define RPY_TOLD_REALLOC(items, before, after) realloc(items, after)

#include "rpy_gc_told.h"

int rpy_gc_due; /* is the program to be told of dead objects? */

static told_list registered_young, registered; /* may die; those just made, and old ones */
static told_list candidates, dead, waiting;
static Unsigned new_registered; /* since the last major collection began */
static int telling;             /* is the program being told? */
static int put_back;            /* does one have to wait for another collection? */
static Signed dead_number;
static Unsigned minors_before;  /* minor collections when the program began to be told */

static void minor_collection(void);
static void major_collection(void);
static void watch(void);

#define WORTH ((Unsigned)1 << 10) /* bytes outside of the heap that such an object may hold */

#define FOR_EACH_TOLD(list, visit)                                                       \
    do {                                                                                 \
        Unsigned told_;                                                                  \
        for (told_ = (list).first; told_ < (list).length; told_++)                       \
            visit((void **)&(list).items[told_].object);                                 \
    } while (0)

static void put_waiting_back(void)
{
    while (waiting.first < waiting.length) {
        told *each = &waiting.items[waiting.first++];
        add_told(&registered, each->object, each->number);
        put_back = 1;
    }
    waiting.first = waiting.length = 0;
}

/* When it is known what is marked (or, at the end of the program, in any case) and the nursery is
 * empty: find the dead among the registered objects, and mark what they lead to. */
static void find_dead(int all)
{
    Unsigned i, kept = 0;
    int may_wait = waiting.first == waiting.length;
    candidates.length = 0;
    for (i = 0; i < registered.length; i++) {
        told *each = &registered.items[i];
        if (i + RING < registered.length)
            __builtin_prefetch(registered.items[i + RING].object);
        if (all ? each->number == 0 : is_dead(each->object)) {
            each->object->tid |= RPY_TOLD_CANDIDATE;
            add_told(&candidates, each->object, each->number);
            may_wait &= each->number == 0; /* else the program says when it is gone */
        } else {
            registered.items[kept++] = *each;
        }
    }
    registered.length = kept;
    if (candidates.length == 0)
        return;
    order_told(&candidates);
    for (i = 0; i < candidates.length; i++) {
        told *each = &candidates.items[i];
        if (all || !(each->object->tid & RPY_TOLD_REFERRED)) {
            add_told(&dead, each->object, each->number);
        } else if (may_wait) {
            add_told(&waiting, each->object, each->number);
        } else {
            add_told(&registered, each->object, each->number);
            put_back = 1;
        }
    }
    for (i = 0; i < candidates.length; i++)
        candidates.items[i].object->tid &= ~(RPY_TOLD_CANDIDATE | RPY_TOLD_REFERRED);
    rpy_gc_due = !telling;
}

void rpy_gc_register_finalizer(void *object, Signed number)
{
    if (((header *)object)->tid & RPY_GC_PREBUILT_FLAG && number != 0)
        return; /* it does not die; __del__ is told at the end */
    new_registered++;
    add_told(is_young(object) ? &registered_young : &registered, object, number);
}

/* Did nobody store a pointer since the program began to be told?  Pointers in static data are not
 * known to be stored. */
static int nobody_is_back(void)
{
    return statistics.minor == minors_before && remembered.length == 0 && !was_stored &&
           rpy_gc_static_pointers[0] == NULL;
}

void *rpy_gc_next_dead(void)
{
    told *next = NULL;
    if (!telling && dead.first < dead.length) {
        telling = 1;
        rpy_trace_put_away();
        if (waiting.length && remembered.length)
            minor_collection();
        minors_before = statistics.minor;
        was_stored = 0;
        watch();
    }
    if (dead.first < dead.length)
        next = &dead.items[dead.first++];
    else if (waiting.first < waiting.length && nobody_is_back())
        next = &waiting.items[waiting.first++];
    rpy_gc_due = 0;
    if (next != NULL) {
        dead_number = next->number;
        return next->object;
    }
    dead.first = dead.length = 0;
    put_waiting_back();
    if (telling)
        rpy_trace_take_back();
    telling = 0;
    watch();
    return NULL;
}

void rpy_gc_condemn(void)
{
    if (nursery == NULL)
        return;
    minor_collection(); /* no pause: the program has ended */
    major_collection();
    find_dead(1);
    forget_seen();
}

Signed rpy_gc_dead_number(void)
{
    return dead_number;
}

Bool rpy_gc_finalizers_waiting(void)
{
    return put_back && !telling;
}

#endif
