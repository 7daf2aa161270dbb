/* Places in the old generation reserved for young objects whose identity hash was asked for, a
 * part of rpy_gc_gen.c.
 */
#ifndef RPY_GC_HASH_H
#define RPY_GC_HASH_H

#include <string.h>

#include "rpy_gc_large.h"

static array hashed;       /* objects and their places */
static void **hash_table;  /* the same by address: open addressing, pairs too */
static Unsigned hash_mask; /* the number of pairs there is room for, minus 1 */

/* Where the object is in the table, or may be put. */
static void **hash_entry(void *object)
{
    Unsigned i = (Unsigned)object >> 3 & hash_mask;
    while (hash_table[2 * i] != NULL && hash_table[2 * i] != object)
        i = (i + 1) & hash_mask;
    return hash_table + 2 * i;
}

static void reserve_place(void *object, void *place)
{
    Unsigned i;
    void **entry;
    must_push(&hashed, object);
    must_push(&hashed, place);
    if (hash_table == NULL || hashed.length > hash_mask) {
        Unsigned room = hash_table == NULL ? 1024 : 2 * (hash_mask + 1);
        free(hash_table);
        hash_table = calloc(room, 2 * sizeof(void *));
        if (hash_table == NULL)
            rpy_fatal_error("no memory left for the collector");
        hash_mask = room - 1;
        for (i = 0; i + 2 < hashed.length; i += 2) {
            entry = hash_entry(hashed.items[i]);
            entry[0] = hashed.items[i];
            entry[1] = hashed.items[i + 1];
        }
    }
    entry = hash_entry(object);
    entry[0] = object;
    entry[1] = place;
}

static void copy_length(header *from, header *to)
{
    Unsigned at = type_of(from)->length;
    memcpy((char *)to + at, (char *)from + at, sizeof(Unsigned));
}

/* The program's new objects can use the freed places; the nursery starts again. */
static void forget_places(void)
{
    Unsigned i;
    for (i = 0; i < hashed.length; i += 2) {
        header *object = hashed.items[i];
        Unsigned size = size_of(object);
        if (object->tid & RPY_GC_MOVED)
            continue;
        if (size <= LARGE)
            free_cell(hashed.items[i + 1], size);
        else /* an object without anything in it, which a major collection will free */
            copy_length(object, hashed.items[i + 1]);
    }
    if (hashed.length)
        memset(hash_table, 0, (hash_mask + 1) * 2 * sizeof(void *));
    hashed.length = 0;
}

#endif
