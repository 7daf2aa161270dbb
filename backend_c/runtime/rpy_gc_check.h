/* Is the heap in order?  For tests (RPYTHON_GC_DEBUG), a part of rpy_gc_gen.c: after each collection
 * every pointer must lead to an object.
 */
#ifndef RPY_GC_CHECK_H
#define RPY_GC_CHECK_H

static void check_pointer(void **place)
{
    header *object = *place;
    Unsigned tid;
    if (object == NULL)
        return;
    if (is_young(object))
        rpy_fatal_error("heap: a pointer to a young object after a collection");
    tid = RPY_GC_TYPE(object);
    if (tid == 0 || tid > rpy_gc_last_type)
        rpy_fatal_error("heap: a pointer to what is no object");
    if (!(object->tid & RPY_GC_OLD) || object->tid & RPY_GC_MOVED ||
        (object->tid & RPY_GC_MARKED && state == IDLE))
        rpy_fatal_error("heap: an object with wrong flags");
}

static void check_blocks(block *b)
{
    Unsigned i;
    for (; b != NULL; b = b->next)
        for (i = 0; i < b->cells; i++) {
            header *object = (header *)CELL(b, i);
            if (IS_RUN(object)) {
                i += RUN_CELLS(object) - 1;
                continue;
            }
            if (size_of(object) != b->cell_size)
                rpy_fatal_error("heap: an object in a cell of another size");
            FOR_EACH_POINTER(object, check_pointer);
        }
}

/* What is not swept may point to what is gone. */
static void check_heap(void)
{
    Unsigned class, i;
    void *const *prebuilt;
    FOR_EACH_ROOT(check_pointer);
    for (prebuilt = rpy_gc_prebuilt; *prebuilt != NULL; prebuilt++)
        FOR_EACH_POINTER(*prebuilt, check_pointer);
    describe_free_cells();
    for (class = 1; class < CLASSES; class++)
        check_blocks(blocks[class]);
    for (i = 0; i < large_objects.length; i++)
        FOR_EACH_POINTER(large_objects.items[i], check_pointer);
    for (i = 0; i < old_weak.length; i++)
        if (state != DROPPING) /* then, some are there twice, some places are empty */
            check_pointer((void **)weak_place(old_weak.items[i]));
}

#endif
