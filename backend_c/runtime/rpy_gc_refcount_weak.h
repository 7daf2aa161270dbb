/* Weak references of programs that count references, a part of rpy_gc_refcount.c: which objects
 * have a weak pointer to another one, so that it can be cleared.
 */
#ifndef RPY_GC_REFCOUNT_WEAK_H
#define RPY_GC_REFCOUNT_WEAK_H

typedef struct {
    void *target, *object; /* the object refers to the target; NULL: nothing here */
} weak_pair;

/* Open addressing by the target: the pairs of one follow each other, with others in between. */
static weak_pair *weak_pairs;
static Unsigned weak_mask, weak_count; /* there is room for weak_mask + 1 */

static Unsigned weak_home(const void *target)
{
    return ((Unsigned)target >> 3) * 0x9e3779b97f4a7c15UL >> 20 & weak_mask;
}

static void **weak_place(void *object)
{
    return (void **)((char *)object + type_of(object)->weak);
}

static void put_weak(void *target, void *object)
{
    Unsigned i = weak_home(target);
    while (weak_pairs[i].target != NULL)
        i = (i + 1) & weak_mask;
    weak_pairs[i].target = target;
    weak_pairs[i].object = object;
    weak_count++;
}

static void add_weak(void *target, void *object)
{
    if (weak_pairs == NULL || 4 * weak_count > 3 * weak_mask) {
        weak_pair *old = weak_pairs;
        Unsigned i, room = old == NULL ? 0 : weak_mask + 1, more = room ? 2 * room : 64;
        weak_pairs = calloc(more, sizeof(weak_pair));
        if (weak_pairs == NULL)
            rpy_fatal_error("no memory left for weak references");
        weak_mask = more - 1;
        weak_count = 0;
        for (i = 0; i < room; i++)
            if (old[i].target != NULL)
                put_weak(old[i].target, old[i].object);
        free(old);
    }
    put_weak(target, object);
}

/* Close the gap with pairs that may stand nearer to their home. */
static void remove_pair(Unsigned gap)
{
    Unsigned i = gap;
    weak_count--;
    for (;;) {
        weak_pairs[gap].target = NULL;
        do {
            i = (i + 1) & weak_mask;
            if (weak_pairs[i].target == NULL)
                return;
        } while (((i - weak_home(weak_pairs[i].target)) & weak_mask) < ((i - gap) & weak_mask));
        weak_pairs[gap] = weak_pairs[i];
        gap = i;
    }
}

/* The object, which is about to die or to refer to another target, refers to its target no more. */
static void forget_weak(void *object)
{
    void *target = *weak_place(object);
    Unsigned i;
    if (target == NULL || lives_for_ever(target))
        return;
    i = weak_home(target);
    while (weak_pairs[i].target != target || weak_pairs[i].object != object)
        i = (i + 1) & weak_mask;
    remove_pair(i);
}

/* The target dies. */
static void clear_weak(void *target)
{
    Unsigned i = weak_home(target);
    while (weak_pairs != NULL && weak_pairs[i].target != NULL) {
        if (weak_pairs[i].target == target) {
            *weak_place(weak_pairs[i].object) = NULL;
            remove_pair(i); /* another one may come here */
        } else {
            i = (i + 1) & weak_mask;
        }
    }
}

void rpy_gc_store_weak(void *object, void **place, void *target)
{
    forget_weak(object);
    *place = target;
    if (target != NULL && !lives_for_ever(target)) {
        ((header *)target)->tid |= RPY_GC_WEAK_TARGET;
        add_weak(target, object);
    }
}

#endif
