/* The old generation of the generational collector, a part of rpy_gc_gen.c: blocks of cells of
 * one size, large objects in memory of their own, and what to do with what is not marked.
 */
#ifndef RPY_GC_OLD_H
#define RPY_GC_OLD_H

#include <stdlib.h>
#include <sys/mman.h>

#include "rpy_core.h"
#include "rpy_gc_gen.h"

typedef rpy_gc_header header;

/* ---- objects ---- */

static const rpy_gc_type *type_of(const void *object)
{
    return &rpy_gc_types[((const header *)object)->tid & 0xffffffffUL];
}

static Unsigned size_of(const void *object)
{
    const rpy_gc_type *type = type_of(object);
    if (type->items == 0)
        return type->size;
    return RPY_GC_ROUND(type->items +
                        *(const Unsigned *)((const char *)object + type->length) * type->item_size);
}

/* ---- growing arrays ---- */

typedef struct {
    void **items;
    Unsigned length, room;
} array;

/* False when there is no memory. */
static int push(array *a, void *item)
{
    if (a->length == a->room) {
        Unsigned room = a->room ? 2 * a->room : 1024;
        void **items = realloc(a->items, room * sizeof(void *));
        if (items == NULL)
            return 0;
        a->items = items;
        a->room = room;
    }
    a->items[a->length++] = item;
    return 1;
}

static void must_push(array *a, void *item)
{
    if (!push(a, item))
        rpy_fatal_error("no memory left for the collector");
}

/* ---- blocks of cells ---- */

#define LARGE ((Unsigned)2048) /* larger objects get memory of their own */

static Unsigned old_bytes; /* in use in the old generation */

/* A free cell has a header of 0, and the next one's address behind it. */
typedef struct cell {
    header gc;
    struct cell *next;
} cell;

#define BLOCK_SIZE ((Unsigned)64 << 10)
#define CLASSES (LARGE / 8 + 1)

typedef struct block {
    struct block *next;
    Unsigned cell_size;
    Unsigned cells;
} block;

static block *blocks[CLASSES];     /* by size of cells in words */
static cell *free_cells[CLASSES];
static block *free_blocks;
static array large_objects;

/* While sweeping: what was not looked at, and the first class that may have some. */
static block *unswept[CLASSES];
static array unswept_large;
static Unsigned unswept_class;

#define FIRST_CELL(b) ((char *)(b) + 32)

static void *map(Unsigned size)
{
    void *result = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return result == MAP_FAILED ? NULL : result;
}

static void put_cell(cell *c, Unsigned class)
{
    c->gc.tid = 0;
    c->next = free_cells[class];
    free_cells[class] = c;
    RPY_MEMORY_IS_FREE(c + 1, class * 8 - sizeof *c);
}

static int new_block(Unsigned class)
{
    block *b = free_blocks;
    Unsigned i, size = class * 8;
    if (b != NULL) {
        free_blocks = b->next;
    } else {
        /* many at once: a block is too small to ask the system for */
        char *memory = map(16 * BLOCK_SIZE);
        if (memory == NULL)
            return 0;
        for (i = 1; i < 16; i++) {
            block *other = (block *)(memory + i * BLOCK_SIZE);
            other->next = free_blocks;
            free_blocks = other;
        }
        b = (block *)memory;
    }
    b->next = blocks[class];
    b->cell_size = size;
    b->cells = (BLOCK_SIZE - 32) / size;
    blocks[class] = b;
    for (i = b->cells; i-- > 0;)
        put_cell((cell *)(FIRST_CELL(b) + i * size), class);
    return 1;
}

/* Put the unmarked cells of the next block on the free list; give back an empty block. */
static void sweep_block(Unsigned class)
{
    block *b = unswept[class];
    cell *free_before = free_cells[class];
    Unsigned i, used = 0;
    unswept[class] = b->next;
    for (i = 0; i < b->cells; i++) {
        cell *c = (cell *)(FIRST_CELL(b) + i * b->cell_size);
        if (c->gc.tid & RPY_GC_MARKED) {
            c->gc.tid &= ~RPY_GC_MARKED;
            used++;
        } else {
            if (c->gc.tid != 0)
                old_bytes -= b->cell_size;
            put_cell(c, class);
        }
    }
    if (used == 0) {
        free_cells[class] = free_before;
        RPY_MEMORY_IS_USED(b, BLOCK_SIZE); /* by cells of whatever size */
        b->next = free_blocks;
        free_blocks = b;
    } else {
        b->next = blocks[class];
        blocks[class] = b;
    }
}

/* Memory of the old generation, not zeroed; NULL when there is none. */
static void *old_alloc(Unsigned size)
{
    if (size > LARGE) {
        void *object = malloc(size);
        if (object == NULL || !push(&large_objects, object)) {
            free(object);
            return NULL;
        }
        old_bytes += size;
        return object;
    } else {
        Unsigned class = size / 8;
        cell *c;
        while ((c = free_cells[class]) == NULL)
            if (unswept[class] != NULL)
                sweep_block(class);
            else if (!new_block(class))
                return NULL;
        free_cells[class] = c->next;
        RPY_MEMORY_IS_USED(c, class * 8);
        old_bytes += size;
        return c;
    }
}

static void free_cell(void *object, Unsigned class)
{
    put_cell(object, class);
    old_bytes -= class * 8;
}

#endif
