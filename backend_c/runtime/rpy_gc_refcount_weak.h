/* Weak references of programs that count references, a part of rpy_gc_refcount.c: which objects
 * have a weak pointer to another one, so that it can be cleared.
 */
#ifndef RPY_GC_REFCOUNT_WEAK_H
#define RPY_GC_REFCOUNT_WEAK_H

/* Tables of what is known about objects: none, one or several values. */
typedef struct {
    void *object; /* NULL: nothing here */
    Unsigned value;
} pair;

typedef struct { /* open addressing; the pairs of an object follow each other, with others between */
    pair *pairs;
    Unsigned mask, count; /* there is room for mask + 1 */
} pair_table;

static Unsigned home_of(const pair_table *table, const void *object)
{
    return ((Unsigned)object >> 3) * 0x9e3779b97f4a7c15UL >> 20 & table->mask;
}

static void put_pair(pair_table *table, void *object, Unsigned value)
{
    Unsigned i = home_of(table, object);
    while (table->pairs[i].object != NULL)
        i = (i + 1) & table->mask;
    table->pairs[i].object = object;
    table->pairs[i].value = value;
    table->count++;
}

static void add_pair(pair_table *table, void *object, Unsigned value)
{
    if (table->pairs == NULL || 4 * table->count > 3 * table->mask) {
        pair_table old = *table;
        Unsigned i, room = old.pairs == NULL ? 0 : old.mask + 1, more = room ? 2 * room : 64;
        table->pairs = calloc(more, sizeof(pair));
        if (table->pairs == NULL)
            rpy_fatal_error("no memory left to note objects");
        table->mask = more - 1;
        table->count = 0;
        for (i = 0; i < room; i++)
            if (old.pairs[i].object != NULL)
                put_pair(table, old.pairs[i].object, old.pairs[i].value);
        free(old.pairs);
    }
    put_pair(table, object, value);
}

/* Close the gap with pairs that may stand nearer to their home. */
static void remove_pair(pair_table *table, Unsigned gap)
{
    pair *pairs = table->pairs;
    Unsigned i = gap;
    table->count--;
    for (;;) {
        pairs[gap].object = NULL;
        do {
            i = (i + 1) & table->mask;
            if (pairs[i].object == NULL)
                return;
        } while (((i - home_of(table, pairs[i].object)) & table->mask) < ((i - gap) & table->mask));
        pairs[gap] = pairs[i];
        gap = i;
    }
}

/* Remove a pair of the object and give its value; 0 when there is none, which is no value. */
static Unsigned take_value(pair_table *table, void *object)
{
    Unsigned i = home_of(table, object), value;
    if (table->pairs == NULL)
        return 0;
    for (; table->pairs[i].object != NULL; i = (i + 1) & table->mask)
        if (table->pairs[i].object == object) {
            value = table->pairs[i].value;
            remove_pair(table, i);
            return value;
        }
    return 0;
}

static pair_table weak; /* targets, and the objects that refer to them */

static void **weak_place(void *object)
{
    return (void **)((char *)object + type_of(object)->weak);
}

/* The object, which is about to die or to refer to another target, refers to its target no more. */
static void forget_weak(void *object)
{
    void *target = *weak_place(object);
    Unsigned i;
    if (target == NULL || lives_for_ever(target))
        return;
    i = home_of(&weak, target);
    while (weak.pairs[i].object != target || weak.pairs[i].value != (Unsigned)object)
        i = (i + 1) & weak.mask;
    remove_pair(&weak, i);
}

/* The target dies. */
static void clear_weak(void *target)
{
    void *object;
    while ((object = (void *)take_value(&weak, target)) != NULL)
        *weak_place(object) = NULL;
    ((header *)target)->tid &= ~RPY_GC_WEAK_TARGET;
}

void rpy_gc_store_weak(void *object, void **place, void *target)
{
    forget_weak(object);
    *place = target;
    if (target != NULL && !lives_for_ever(target)) {
        ((header *)target)->tid |= RPY_GC_WEAK_TARGET;
        add_pair(&weak, target, (Unsigned)object);
    }
}

#endif
