/* The large objects of the old generation, a part of rpy_gc_gen.c: they lie in memory of their own.
 *
 * One whose items hold pointers can be too large to be looked at as a whole because one item was
 * written to.  It is remembered which of its *slots*, its words, were: by bits, which lie in front
 * of it, from its address downwards:
 *
 *     ... bits of slots 64 to 127 | bits of slots 0 to 63 | state | object
 */
#ifndef RPY_GC_LARGE_H
#define RPY_GC_LARGE_H

#include <stdlib.h>
#include <string.h>

#include "rpy_gc_old.h"

static array large_objects;
static array unswept_large; /* while sweeping: those not looked at */
static array written;       /* objects with bits that are set */

/* The state: is it in `written`?  And the number of words of bits. */
#define SLOT_STATE(object) (((Unsigned *)(object))[-1])
#define SLOT_WORD(object, i) (((Unsigned *)(object))[-2 - (Signed)(i)])
#define IS_WRITTEN ((Unsigned)1)
#define SLOT_WORDS(object) (SLOT_STATE(object) >> 1)

static void free_large(header *object)
{
    if (object->tid & RPY_GC_SLOTS)
        free((Unsigned *)object - 1 - SLOT_WORDS(object));
    else
        free(object);
}

/* A zeroed object, old and not marked; NULL when there is no memory. */
static header *new_large(Unsigned size, Unsigned tid)
{
    int slots = rpy_gc_types[tid].in_item != 0;
    Unsigned words = slots ? (size / 8 + 63) / 64 : 0;
    Unsigned *memory = calloc(1, size + (slots ? 1 + words : 0) * sizeof(Unsigned));
    header *object;
    if (memory == NULL)
        return NULL;
    object = (header *)(memory + (slots ? 1 + words : 0));
    object->tid = tid | RPY_GC_OLD | (slots ? RPY_GC_SLOTS : 0);
    if (slots)
        SLOT_STATE(object) = words << 1;
    if (!push(&large_objects, object)) {
        free(memory);
        return NULL;
    }
    old_bytes += size;
    return object;
}

/* Memory of the old generation for an object; NULL when there is none. */
static inline header *new_old(Unsigned size, Unsigned tid)
{
    return RPY_LIKELY(size <= LARGE) ? new_cell(size) : new_large(size, tid);
}

static int has_slot(header *object, void *place)
{
    return (Unsigned)((char *)place - (char *)object) < size_of(object);
}

/* A pointer to a young object was, or is going to be, stored there. */
static void note_slot(header *object, void *slot)
{
    Unsigned i = (Unsigned)((char *)slot - (char *)object) / sizeof(void *);
    SLOT_WORD(object, i / 64) |= (Unsigned)1 << i % 64;
    if (!(SLOT_STATE(object) & IS_WRITTEN)) {
        SLOT_STATE(object) |= IS_WRITTEN;
        must_push(&written, object);
    }
}

/* Call visit(slot) for every slot of the object that was written to; none is any more. */
#define FOR_EACH_WRITTEN_SLOT(object, visit)                                             \
    do {                                                                                 \
        Unsigned word_, words_ = SLOT_WORDS(object);                                     \
        SLOT_STATE(object) &= ~IS_WRITTEN;                                               \
        for (word_ = 0; word_ < words_; word_++) {                                       \
            Unsigned bits_ = SLOT_WORD(object, word_);                                   \
            if (bits_ == 0)                                                              \
                continue;                                                                \
            SLOT_WORD(object, word_) = 0;                                                \
            for (; bits_ != 0; bits_ &= bits_ - 1)                                       \
                visit((void **)(object) + 64 * word_ + (Unsigned)__builtin_ctzl(bits_)); \
        }                                                                                \
    } while (0)

static void unsweep_large(void)
{
    unswept_large = large_objects;
    memset(&large_objects, 0, sizeof large_objects);
}

/* Free the next one if it is not marked; how many bytes of small objects cost as much. */
static Unsigned sweep_large(void)
{
    header *object = unswept_large.items[--unswept_large.length];
    Unsigned cost = LARGE;
    if (object->tid & RPY_GC_MARKED) {
        object->tid &= ~RPY_GC_MARKED;
        must_push(&large_objects, object);
    } else {
        Unsigned size = size_of(object);
        old_bytes -= size;
        cost += size / 16;
        spoil(object + 1, size - sizeof *object);
        free_large(object);
    }
    if (unswept_large.length == 0) {
        free(unswept_large.items);
        memset(&unswept_large, 0, sizeof unswept_large);
    }
    return cost;
}

#endif
