/* A generational collector with two generations.
 *
 * Young objects lie in the nursery, one behind the other.  When it is full, a minor collection
 * copies those that are still used to the old generation and starts again: what died young
 * costs nothing.  It finds them from the roots and from the old objects that were written to
 * since: those in which the write barrier has found a young one stored, and put in `remembered`.
 *
 * Old objects do not move.  Small ones lie in blocks of cells of one size (rpy_gc_old.h), large ones
 * in memory of their own (rpy_gc_large.h).  When the old generation has grown enough since the last
 * time, a major collection marks what can be reached (rpy_gc_mark.h) and makes the rest free.  It
 * does so in steps, one after each minor collection, so that the program never waits long:
 *
 *     rpy_gc_bump fails -> rpy_gc_slow -> collect: minor_collection, step -> object
 *
 * While it marks, an object is white (not reached), grey (marked: its pointers have not been
 * followed) or black (marked, followed).  No black object may point to a white one for long: what
 * the program stores in a marked object is marked or, if it is young, the object is among the
 * `remembered`, and followed again at the next minor collection; an object that grows old is grey;
 * and the roots are looked at again before marking may end.
 *
 * Weak pointers are not followed.  When it is known which objects live, those to others become
 * NULL (rpy_gc_weak.h).  Then, objects with finalizers that are dead are noted, and kept
 * (rpy_gc_finalizers.h).
 *
 * An object whose identity hash was asked for while young has a cell of the old generation
 * reserved, whose address is the hash; it moves there.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rpy_core.h"
#include "rpy_gc_gen.h"
#include "rpy_gc_hash.h"
#include "rpy_gc_mark.h"
#include "rpy_gc_pauses.h"
#include "rpy_gc_threads.h"
#include "rpy_log.h"
#include "rpy_sampler.h"

char *rpy_gc_free, *rpy_gc_limit;
void **rpy_gc_roots, **rpy_gc_roots_bottom;
Unsigned rpy_gc_watched, rpy_gc_watched_size;

/* ---- state ---- */

static char *nursery, *nursery_end; /* the end of the part that is in use */
static Unsigned nursery_size;       /* of all of it */
static Unsigned largest_young;      /* larger objects are never in it */
static array remembered; /* old objects that may point to young ones */
static array to_scan;    /* objects whose pointers were not looked at */

static Unsigned next_major;      /* run a major collection when there are so many */
static Unsigned heap_maximum;
/* Of the major collection.  What gets old from MARKING on is marked: rpy_gc_weak.h. */
static enum phase { IDLE, SWEEPING, MARKING, CLEARING, DROPPING } state;
static Unsigned large_bytes;     /* in large objects made since the last collection */

static struct {
    Unsigned minor, major, copied;
    Unsigned objects; /* copied; three for each object or slot that was written to */
} statistics;

#define ZEROED_AHEAD ((Unsigned)64 << 10) /* fits in the cache that is used next */

/* ---- objects ---- */

static int is_young(const void *object)
{
    return (Unsigned)((const char *)object - nursery) < nursery_size;
}

static int was_stored; /* since it was 0, anything that is watched? */

#include "rpy_gc_weak.h"
#include "rpy_gc_finalizers.h"

#define FOR_EACH_ROOT_OF(bottom, top, visit)                                             \
    do {                                                                                 \
        void **root_of_, **top_ = (top);                                                 \
        for (root_of_ = (bottom); root_of_ < top_; root_of_++)                           \
            if (*root_of_ == RPY_GC_INTERIOR)                                            \
                root_of_++;                                                              \
            else                                                                         \
                visit(root_of_);                                                         \
    } while (0)

#define FOR_EACH_ROOT(visit)                                                             \
    do {                                                                                 \
        void **root_;                                                                    \
        void *const *static_;                                                            \
        rpy_thread *thread_;                                                             \
        int number_;                                                                     \
        FOR_EACH_ROOT_OF(rpy_gc_roots_bottom, rpy_gc_roots, visit);                      \
        for (thread_ = rpy_threads; thread_ != NULL; thread_ = thread_->next) {          \
            FOR_EACH_ROOT_OF(thread_->roots_bottom, thread_->roots, visit);              \
            number_ = 0;                                                                 \
            while ((root_ = rpy_thread_exception_root(thread_, number_++)) != NULL)      \
                visit(root_);                                                            \
        }                                                                                \
        for (static_ = rpy_gc_static_pointers; *static_ != NULL; static_++)              \
            visit((void **)*static_);                                                    \
        for (root_ = NULL; (root_ = rpy_next_exception_root(root_)) != NULL;)            \
            visit(root_);                                                                \
        FOR_EACH_TOLD(dead, visit);                                                      \
        FOR_EACH_TOLD(waiting, visit);                                                   \
    } while (0)

/* ---- minor collections ---- */

static inline header *copy_out(header *object)
{
    const rpy_gc_type *type = type_of(object);
    Unsigned size = type->items == 0 ? type->size : size_of(object);
    header *copy = RPY_UNLIKELY((object->tid & RPY_GC_HASHED) != 0)
                       ? hash_entry(object)[1]
                       : new_old(size, RPY_GC_TYPE(object));
    if (RPY_UNLIKELY(copy == NULL))
        rpy_fatal_error("out of memory in a collection");
    if (size <= 64) {
        Unsigned i;
        for (i = 1; i < size / 8; i++)
            ((Unsigned *)copy)[i] = ((Unsigned *)object)[i];
    } else {
        memcpy(copy + 1, object + 1, size - sizeof *copy);
    }
    if (size <= LARGE)
        copy->tid = (object->tid & ~RPY_GC_HASHED) | RPY_GC_OLD;
    object->tid |= RPY_GC_MOVED;
    ((void **)object)[1] = copy;
    statistics.copied += size;
    statistics.objects++;
    if (RPY_UNLIKELY(type->weak))
        must_push(&young_weak, copy);
    if (has_pointers(type))
        must_push(&to_scan, copy);
    if (state >= MARKING) {
        copy->tid |= RPY_GC_MARKED;
        if (state == MARKING && has_pointers(type))
            make_grey(copy);
    }
    return copy;
}

static inline void move(void **place)
{
    header *object = *place;
    if (is_young(object))
        *place = object->tid & RPY_GC_MOVED ? ((void **)object)[1] : copy_out(object);
}

/* Memory is slow to answer: an object is asked for, and moved when some others were asked for. */
static ring soon; /* places of pointers to young objects */

static inline void move_soon(void **place)
{
    if (!is_young(*place))
        return;
    __builtin_prefetch(*place, 1);
    place = wait_in(&soon, place);
    if (place != NULL)
        move(place);
}

/* The same for a place that is not near the one before. */
static ring slots;

static inline void move_slot(void **place)
{
    statistics.objects += 3; /* they are not near each other */
    __builtin_prefetch(place, 1);
    place = wait_in(&slots, place);
    if (place != NULL)
        move_soon(place);
}

static void look_at_remembered(void)
{
    Unsigned i;
    for (i = 0; i < remembered.length; i++) {
        header *object = remembered.items[i];
        if (i + RING < remembered.length)
            __builtin_prefetch(remembered.items[i + RING], 1);
        object->tid |= RPY_GC_OLD;
        FOR_EACH_POINTER(object, move_soon);
    }
    statistics.objects += 3 * remembered.length;
    while (written.length) {
        void **slot;
        header *object = written.items[--written.length];
        FOR_EACH_WRITTEN_SLOT(object, move_slot);
        while ((slot = take_from(&slots)) != NULL)
            move_soon(slot);
    }
}

/* What was stored in marked objects can be reached.  (It does not count as a part of a step: those
 * would be too short where very many objects are written to, and marking would not end.) */
static void follow_remembered(void)
{
    Unsigned i;
    for (i = 0; i < remembered.length; i++) {
        header *object = remembered.items[i];
        if (i + RING < remembered.length)
            __builtin_prefetch(remembered.items[i + RING]);
        if (object->tid & (RPY_GC_MARKED | RPY_GC_PREBUILT_FLAG))
            FOR_EACH_POINTER(object, follow);
    }
}

#include "rpy_gc_interior.h"

static void minor_collection(void)
{
    void **place;
    Unsigned before = statistics.copied;
    enum rpy_log_level level = rpy_log_begin("gc-minor");
    statistics.minor++;
    find_interiors();
    FOR_EACH_ROOT(move);
    move_interiors();
    while (registered_young.first < registered_young.length) {
        finalizable *each = &registered_young.items[registered_young.first++];
        move((void **)&each->object); /* only a major collection finds it dead */
        enqueue(&registered, each->object, each->number);
    }
    registered_young.first = registered_young.length = 0;
    look_at_remembered();
    do {
        while (to_scan.length) {
            void *object = to_scan.items[--to_scan.length];
            FOR_EACH_POINTER(object, move_soon);
        }
        if ((place = take_from(&soon)) != NULL)
            move(place);
    } while (place != NULL || to_scan.length);
    if (state == MARKING)
        follow_remembered();
    remembered.length = 0;
    move_weak();
    forget_places();
    rpy_gc_free = rpy_gc_limit = nursery;
    RPY_MEMORY_IS_USED(nursery, nursery_size);
    spoil(nursery, nursery_size);
    RPY_MEMORY_IS_FREE(nursery, nursery_size);
    rpy_log_print(level, "%lu bytes survived, %lu bytes in old objects",
                  statistics.copied - before, old_bytes);
    rpy_log_end("gc-minor", level);
}

/* ---- major collections, when the nursery is empty ---- */

static void watch(void)
{
    int everything = state == MARKING || finalizing;
    rpy_gc_watched = everything ? 1 : (Unsigned)nursery;
    rpy_gc_watched_size = everything ? ~(Unsigned)0 - 1 : nursery_size;
}

static void enter(enum phase next)
{
    state = next;
    rpy_gc_clearing = state == CLEARING;
    watch();
}

static void begin_marking(void)
{
    void *const *prebuilt;
    statistics.major++;
    enter(MARKING);
    new_registered = 0;
    FOR_EACH_ROOT(follow);
    for (prebuilt = rpy_gc_prebuilt; *prebuilt != NULL; prebuilt++)
        FOR_EACH_POINTER(*prebuilt, follow);
}

/* What was not marked is dead. */
static void end_marking(Unsigned budget)
{
    if (state == CLEARING) {
        if (!clear_some(&budget))
            return;
        find_dead(0);
        begin_weak();
        enter(DROPPING);
    }
    if (!drop_some(&budget))
        return;
    enter(SWEEPING);
    unsweep_blocks();
    unsweep_large();
}

/* Look at about `budget` bytes of objects. */
static void mark_some(Unsigned budget)
{
    if (follow_some(budget))
        return;
    FOR_EACH_ROOT(follow); /* they are others than before */
    if (follow_some(budget))
        return;
    begin_weak();
    enter(CLEARING);
    end_marking(budget / 4); /* most programs have few weak pointers */
}

static void sweep_some(Unsigned budget)
{
    Unsigned done = 0;
    for (; unswept_class < CLASSES; unswept_class++)
        while (unswept[unswept_class] != NULL) {
            if (done >= budget)
                return;
            sweep_block(unswept_class);
            done += BLOCK_SIZE / 4; /* reading headers is quicker than following pointers */
        }
    while (unswept_large.length) {
        if (done >= budget)
            return;
        done += sweep_large();
    }
    enter(IDLE);
    next_major = old_bytes + (old_bytes / 4 > least_growth ? old_bytes / 4 : least_growth);
}

static void step(Unsigned budget)
{
    static const char *const phases[] = {"idle", "sweeping", "marking", "clearing", "dropping"};
    enum rpy_log_level level = rpy_log_begin("gc-collect-step");
    if (state == IDLE)
        begin_marking();
    if (state == MARKING)
        mark_some(budget);
    else if (state == SWEEPING)
        sweep_some(budget);
    else
        end_marking(budget);
    rpy_log_print(level, "%s now, %lu bytes in old objects", phases[state], old_bytes);
    rpy_log_end("gc-collect-step", level);
}

static void major_collection(void)
{
    while (state != IDLE) /* what it has marked may be garbage by now */
        step(~(Unsigned)0);
    do
        step(~(Unsigned)0);
    while (state != IDLE);
}

#include "rpy_gc_pace.h"
#include "rpy_gc_check.h"

/* ---- the beginning and the end ---- */

static void print_statistics(void)
{
    fprintf(stderr,
            "gc: %lu minor and %lu major collections, %lu bytes copied, %lu bytes in use\n",
            statistics.minor, statistics.major, statistics.copied,
            old_bytes + (Unsigned)(rpy_gc_free - nursery));
    print_pauses();
}

/* Before the program: functions that allocate nothing use the stack of roots, too. */
__attribute__((constructor)) static void start(void)
{
    struct rlimit stack;
    Unsigned roots = (Unsigned)4 << 30;
    /* a frame of the C stack has more bytes than there are roots of it here, times four */
    if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY)
        roots = 4 * (Unsigned)stack.rlim_cur;
    rpy_gc_roots_bottom = rpy_gc_roots = map(roots);
    if (rpy_gc_roots == NULL)
        rpy_fatal_error("no memory left for the collector");
}

/* At the first allocation: false when there is no memory. */
static int make_nursery(void)
{
    const char *debug = getenv("RPYTHON_GC_DEBUG");
    Unsigned size = rpy_size_from_environment("RPYTHON_GC_NURSERY", default_nursery());
    heap_maximum = rpy_size_from_environment("RPYTHON_GC_MAX", ~(Unsigned)0);
    if (size > heap_maximum / 4)
        size = heap_maximum / 4;
    size = (size + 4095) & ~(Unsigned)4095;
    if (size < 16 * LARGE)
        size = 16 * LARGE;
    largest_young = size / 8 < LEAST_NURSERY / 2 ? size / 8 : LEAST_NURSERY / 2;
    nursery = map(size);
    if (nursery == NULL)
        return 0;
    nursery_size = size;
    enter(IDLE);
    nursery_end = nursery + (size < FIRST_NURSERY ? size : FIRST_NURSERY);
    rpy_gc_free = rpy_gc_limit = nursery;
    least_growth = 2 * size < LEAST_GROWTH ? 2 * size : LEAST_GROWTH;
    next_major = 2 * least_growth;
    collect_always = debug != NULL ? atoi(debug) : 0;
    if (statistics_wanted())
        atexit(print_statistics);
    return 1;
}

/* No more bytes than these, 0 or less for any number.  The nursery stays as it is. */
void rpy_gc_set_max_heap_size(Signed size)
{
    if (nursery != NULL || make_nursery())
        heap_maximum = size > 0 ? (Unsigned)size : ~(Unsigned)0;
}

/* Is there no room for what the nursery may leave, or for a part of a large one? */
static int is_full(void)
{
    Unsigned part = heap_maximum / 4;
    return old_bytes > heap_maximum - (nursery_size < part ? nursery_size : part);
}

static void collect(int everything)
{
    Unsigned before = now(), grown = statistics.copied, objects = statistics.objects;
    minor_collection();
    grown = statistics.copied - grown;
    objects = statistics.objects - objects;
    owed += PACE * (grown + large_bytes);
    large_bytes = 0;
    if (everything)
        major_collection();
    else if (collect_always == 2)
        step(200);
    else
        step_if_due(objects);
    choose_nursery(grown, objects);
    if (collect_always)
        check_heap();
    note_pause(before);
}

/* ---- what generated code calls ---- */

/* While marking, it is not marked: when it is reached, what is in it by then is followed. */
static void *large_object(Unsigned size, Unsigned tid)
{
    header *object;
    if (size > heap_maximum || old_bytes > heap_maximum - size) {
        collect(1);
        if (size > heap_maximum || old_bytes > heap_maximum - size)
            return NULL;
    }
    object = new_large(size, tid);
    if (object == NULL)
        return NULL;
    large_bytes += size;
    if (state > MARKING)
        object->tid |= RPY_GC_MARKED;
    return object;
}

void *rpy_gc_slow(Unsigned size, Unsigned tid)
{
    char *result;
    if (nursery == NULL && !make_nursery())
        return NULL;
    rpy_sampler_allocation(size > ZEROED_AHEAD ? size : ZEROED_AHEAD);
    if (size > largest_young) {
        /* it might be filled with young objects at once: what it is made of is not looked at
         * before the barrier puts it among the remembered */
        if (collect_always || large_bytes > nursery_size)
            collect(collect_always == 1);
        return large_object(size, tid);
    }
    if (collect_always) {
        collect(collect_always == 1);
    } else if (size > (Unsigned)(nursery_end - rpy_gc_free)) {
        collect(0);
        if (is_full()) {
            collect(1);
            if (is_full())
                return NULL;
        }
    }
    result = rpy_gc_free;
    if ((Unsigned)(rpy_gc_limit - result) < size) {
        Unsigned more = size > ZEROED_AHEAD ? size : ZEROED_AHEAD;
        if (collect_always)
            more = size;
        if (more > (Unsigned)(nursery_end - rpy_gc_limit))
            more = (Unsigned)(nursery_end - rpy_gc_limit);
        RPY_MEMORY_IS_USED(rpy_gc_limit, more);
        memset(rpy_gc_limit, 0, more);
        rpy_gc_limit += more;
    }
    rpy_gc_free = result + size;
    ((header *)result)->tid = tid;
    return result;
}

static inline void remember(header *object)
{
    object->tid &= ~RPY_GC_OLD;
    must_push(&remembered, object);
}

void rpy_gc_remember(void *object, void *value)
{
    was_stored = 1;
    if (is_young(value))
        remember(object);
    else if (state == MARKING && ((header *)object)->tid & (RPY_GC_MARKED | RPY_GC_PREBUILT_FLAG))
        reach(value);
}

/* Young objects are looked for in the slots, and are black and grey when they have grown old. */
static inline void stored(header *object, void *slot, header *value, int black)
{
    was_stored = 1;
    if (is_young(value))
        note_slot(object, slot);
    else if (black)
        reach(value);
}

static int is_black(header *object)
{
    return state == MARKING && object->tid & RPY_GC_MARKED;
}

void rpy_gc_remember_slot(void *object, void *slot, void *value)
{
    if (((header *)object)->tid & RPY_GC_SLOTS)
        stored(object, slot, value, is_black(object));
    else
        rpy_gc_remember(object, value);
}

void rpy_gc_remember_items(void *object, void *items, void *source, Signed n)
{
    void **item = items, **end = item + n;
    int black;
    if (!(((header *)object)->tid & RPY_GC_SLOTS)) {
        remember(object);
        return;
    }
    black = is_black(object);
    if (black && has_slot(object, source)) {
        items_moved(object, source, items);
        black = 0; /* what was reached in one slot was reached */
    }
    for (; item < end; item++)
        stored(object, item, *item, black);
}

Signed rpy_gc_identityhash(void *object)
{
    Unsigned number = ((header *)object)->tid >> 32 & 0xffffff;
    if (number)
        return rpy_gc_prebuilt_hashes[number];
    if (is_young(object)) {
        void *place;
        if (((header *)object)->tid & RPY_GC_HASHED) {
            place = hash_entry(object)[1];
        } else {
            place = new_old(size_of(object), RPY_GC_TYPE(object));
            if (place == NULL)
                rpy_fatal_error("no memory left for an identity hash");
            reserve_place(object, place);
            ((header *)object)->tid |= RPY_GC_HASHED;
        }
        object = place;
    }
    return RPY_IDENTITY(object);
}

void rpy_gc_collect(void)
{
    put_back = 0;
    if (nursery != NULL) /* else there is nothing to collect */
        collect(1);
}
