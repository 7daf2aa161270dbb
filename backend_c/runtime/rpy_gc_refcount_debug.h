/* RPYTHON_GC_DEBUG for programs that count references, a part of rpy_gc_refcount.c: every object
 * has memory of its own, which is overwritten when it is freed and not used again for a while;
 * the references that are in the heap are compared with the counts.
 */
#ifndef RPY_GC_REFCOUNT_DEBUG_H
#define RPY_GC_REFCOUNT_DEBUG_H

typedef struct { /* in front of each object */
    Unsigned index; /* in `objects` */
    Unsigned found; /* references to it that are in the heap */
} debug_prefix;

#define PREFIX(object) ((debug_prefix *)(object) - 1)

static header **objects;
static Unsigned objects_length, objects_room;
static Unsigned allocations; /* since the last check */

/* Freed last: as many as there is room for. */
static debug_prefix *graves[4096];
static Unsigned next_grave;

/* The header of freed memory: no type, a last reference to be released. */
#define FREED RPY_GC_ONE

static void check_alive(const header *object)
{
    if ((object->tid & RPY_GC_TYPE_MASK) == 0 ||
        (object->tid & RPY_GC_TYPE_MASK) > rpy_gc_last_type)
        rpy_fatal_error("heap: a reference to what was freed");
}

static void found_in_heap(void **place)
{
    header *object = *place;
    if (object == NULL)
        return;
    check_alive(object);
    if (!lives_for_ever(object))
        PREFIX(object)->found++;
}

/* `exactly`: are there no variables that have references? */
static void check_heap(int exactly)
{
    Unsigned i, lost = 0;
    void *const *place;
    void **owned;
    for (i = 0; i < objects_length; i++)
        PREFIX(objects[i])->found = 0;
    for (i = 0; i < objects_length; i++) {
        FOR_EACH_FIXED_POINTER(objects[i], type_of(objects[i]), found_in_heap);
        FOR_POINTERS_IN_ITEMS(objects[i], length_of(objects[i]), length_of(objects[i]),
                              found_in_heap);
    }
    for (place = rpy_gc_prebuilt; *place != NULL; place++) {
        FOR_EACH_FIXED_POINTER(*place, type_of(*place), found_in_heap);
        FOR_POINTERS_IN_ITEMS(*place, length_of(*place), length_of(*place), found_in_heap);
    }
    for (place = rpy_gc_static_pointers; *place != NULL; place++)
        found_in_heap((void **)*place);
    found_in_heap(&rpy_exc);
    for (owned = NULL; (owned = rpy_next_owned_exception(owned)) != NULL;)
        found_in_heap(owned);
    found_in_heap(&kept);
    for (i = due.first; i < due.length; i++)
        found_in_heap((void **)&due.items[i].object);
    for (i = 0; i < objects_length; i++) {
        Unsigned count = objects[i]->tid >> 32;
        if (lives_for_ever(objects[i]))
            continue;
        if (count < PREFIX(objects[i])->found)
            rpy_fatal_error("heap: an object with more references than counted");
        if (exactly && count != PREFIX(objects[i])->found) {
            fprintf(stderr, "heap: %lu references to an object of type %lu, %lu counted\n",
                    PREFIX(objects[i])->found, RPY_GC_TYPE(objects[i]), count);
            lost++;
        }
    }
    if (lost)
        rpy_fatal_error("heap: references that nobody has");
    allocations = 0;
}

static header *debug_alloc(Unsigned size)
{
    debug_prefix *memory;
    if (allocations++ > objects_length + 1000)
        check_heap(0);
    if (objects_length == objects_room) {
        Unsigned room = objects_room ? 2 * objects_room : 1024;
        header **more = realloc(objects, room * sizeof(header *));
        if (more == NULL)
            return NULL;
        objects = more;
        objects_room = room;
    }
    memory = calloc(1, sizeof(debug_prefix) + size);
    if (memory == NULL)
        return NULL;
    memory->index = objects_length;
    objects[objects_length++] = (header *)(memory + 1);
    large_bytes += size;
    return (header *)(memory + 1);
}

static void debug_free(header *object, Unsigned size)
{
    debug_prefix *memory = PREFIX(object);
    header *last = objects[--objects_length];
    objects[memory->index] = last;
    PREFIX(last)->index = memory->index;
    large_bytes -= size;
    memset(object, 0xdb, size);
    object->tid = FREED;
    free(graves[next_grave]);
    graves[next_grave] = memory;
    next_grave = (next_grave + 1) % (sizeof graves / sizeof *graves);
}

#endif
