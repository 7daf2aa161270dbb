/* Dead objects whose finalizers the program runs, a part of rpy_gc_gen.c.
 *
 * Marking finds those that are not reached.  They live on until their finalizers have run: first
 * those to which no other one leads, in `dead`; then the others, in `waiting`, provided that nobody
 * stored a pointer meanwhile, which might bring one back to life.  Otherwise, these wait until
 * the next major collection has found them dead again.
 */
#ifndef RPY_GC_FINALIZERS_H
#define RPY_GC_FINALIZERS_H

#define RPY_QUEUE_SEEN RPY_GC_MARKED
#define RPY_QUEUE_CANDIDATE RPY_GC_FLAG(5)
#define RPY_QUEUE_REFERRED RPY_GC_FLAG(6)
#define RPY_QUEUE_OUTSIDE(object) ((object)->tid & RPY_GC_PREBUILT_FLAG)
#define RPY_QUEUE_REALLOC(items, before, after) realloc(items, after)

#include "rpy_gc_finalizer_queue.h"

int rpy_gc_due; /* is a finalizer to be run? */

static finalizer_queue registered_young, registered; /* may die; those just made, and old ones */
static finalizer_queue candidates, dead, waiting;
static Unsigned new_registered; /* since the last major collection began */
static int finalizing;             /* are finalizers being run? */
static int put_back;            /* does one have to wait for another collection? */
static Signed dead_number;
static Unsigned minors_before;  /* minor collections when the program began to be finalizable */

static void minor_collection(void);
static void major_collection(void);
static void watch(void);

#define WORTH ((Unsigned)1 << 10) /* bytes outside of the heap that such an object may hold */

#define FOR_EACH_TOLD(list, visit)                                                       \
    do {                                                                                 \
        Unsigned queued_;                                                                  \
        for (queued_ = (list).first; queued_ < (list).length; queued_++)                       \
            visit((void **)&(list).items[queued_].object);                                 \
    } while (0)

static void put_waiting_back(void)
{
    while (waiting.first < waiting.length) {
        finalizable *each = &waiting.items[waiting.first++];
        enqueue(&registered, each->object, each->number);
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
        finalizable *each = &registered.items[i];
        if (i + RING < registered.length)
            __builtin_prefetch(registered.items[i + RING].object);
        if (all ? each->number == 0 : is_dead(each->object)) {
            each->object->tid |= RPY_QUEUE_CANDIDATE;
            enqueue(&candidates, each->object, each->number);
            may_wait &= each->number == 0; /* else the program says when it is gone */
        } else {
            registered.items[kept++] = *each;
        }
    }
    registered.length = kept;
    if (candidates.length == 0)
        return;
    order_finalizers(&candidates);
    for (i = 0; i < candidates.length; i++) {
        finalizable *each = &candidates.items[i];
        if (all || !(each->object->tid & RPY_QUEUE_REFERRED)) {
            enqueue(&dead, each->object, each->number);
        } else if (may_wait) {
            enqueue(&waiting, each->object, each->number);
        } else {
            enqueue(&registered, each->object, each->number);
            put_back = 1;
        }
    }
    for (i = 0; i < candidates.length; i++)
        candidates.items[i].object->tid &= ~(RPY_QUEUE_CANDIDATE | RPY_QUEUE_REFERRED);
    rpy_gc_due = !finalizing;
}

void rpy_gc_register_finalizer(void *object, Signed number)
{
    if (((header *)object)->tid & RPY_GC_PREBUILT_FLAG && number != 0)
        return; /* it does not die; __del__ runs at the end */
    new_registered++;
    enqueue(is_young(object) ? &registered_young : &registered, object, number);
}

/* Did nobody store a pointer since finalizers began to run?  Pointers in static data are not
 * known to be stored. */
static int nobody_is_back(void)
{
    return statistics.minor == minors_before && remembered.length == 0 && !was_stored &&
           rpy_gc_static_pointers[0] == NULL;
}

void *rpy_gc_next_dead(void)
{
    finalizable *next = NULL;
    if (!finalizing && dead.first < dead.length) {
        finalizing = 1;
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
    if (finalizing)
        rpy_trace_take_back();
    finalizing = 0;
    watch();
    return NULL;
}

void rpy_gc_condemn(void)
{
    if (nursery == NULL)
        return;
    minor_collection(); /* no pause: the program has ended */
    major_collection();
    order_seen.length = 0; /* what an earlier collection saw may be gone */
    find_dead(1);
    forget_seen();
}

Signed rpy_gc_dead_number(void)
{
    return dead_number;
}

Bool rpy_gc_finalizers_waiting(void)
{
    return put_back && !finalizing;
}

#endif
