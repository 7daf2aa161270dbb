/* The small objects of the old generation, a part of rpy_gc_gen.c: blocks of cells of one size,
 * and what to do with the cells that are not marked.
 */
#ifndef RPY_GC_OLD_H
#define RPY_GC_OLD_H

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "rpy_core.h"
#include "rpy_gc_gen.h"

typedef rpy_gc_header header;

/* ---- objects ---- */

static const rpy_gc_type *type_of(const void *object)
{
    return &rpy_gc_types[RPY_GC_TYPE(object)];
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

static int make_room(array *a)
{
    Unsigned room = a->room ? 2 * a->room : 1024;
    void **items = realloc(a->items, room * sizeof(void *));
    if (items == NULL)
        return 0;
    a->items = items;
    a->room = room;
    return 1;
}

/* False when there is no memory. */
static inline int push(array *a, void *item)
{
    if (RPY_UNLIKELY(a->length == a->room) && !make_room(a))
        return 0;
    a->items[a->length++] = item;
    return 1;
}

static inline void must_push(array *a, void *item)
{
    if (!push(a, item))
        rpy_fatal_error("no memory left for the collector");
}

/* ---- blocks of cells ---- */

#define LARGE ((Unsigned)2048) /* larger objects get memory of their own */

static Unsigned old_bytes;    /* in use in the old generation */
static Unsigned least_growth; /* bytes that it grows by, at least, until it is marked again */

/* Free cells side by side.  What stands for the header of an object has no type; above it, there is the
 * number of the cells (12 bits), and how many cells behind this run another one starts, which will
 * be used a little later (12 bits): its memory, which is slow to answer, is asked for in time. */
typedef struct run {
    Unsigned header;
    struct run *next;
} run;

#define RUN_HEADER(cells) ((Unsigned)(cells) << 32)
#define RUN_AHEAD(cells) ((Unsigned)(cells) << 44)
#define IS_RUN(cell) (RPY_GC_TYPE(cell) == 0)
#define RUN_CELLS(cell) (((const run *)(cell))->header >> 32 & 0xfff)
#define CELLS_AHEAD(cell) (((const run *)(cell))->header >> 44)
#define RUNS_AHEAD ((Unsigned)8)

#define BLOCK_SIZE ((Unsigned)64 << 10)
#define CLASSES (LARGE / 8 + 1)

typedef struct block {
    struct block *next;
    Unsigned cell_size;
    Unsigned cells;
} block;

#define FIRST_CELL(b) ((char *)(b) + 32)
#define CELL(b, i) (FIRST_CELL(b) + (i) * (b)->cell_size)

/* By size of cells in words: the cells that are used next, then the other free ones. */
static struct {
    char *next, *end;
    run *runs;
} free_cells[CLASSES];

static block *blocks[CLASSES];
static block *free_blocks;
static Unsigned free_block_count;
static array returned_blocks; /* free ones whose memory the system has back */

/* While sweeping: what was not looked at, and the first class that may have some. */
static block *unswept[CLASSES];
static Unsigned unswept_class;

static void *map(Unsigned size)
{
    void *result = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return result == MAP_FAILED ? NULL : result;
}

static int collect_always; /* for tests: RPYTHON_GC_DEBUG=1; 2: in tiny steps */

/* For tests: whoever still looks there shall see nothing sensible. */
static void spoil(void *memory, Unsigned size)
{
    if (collect_always)
        memset(memory, 0xdb, size);
}

static run *make_run(void *memory, Unsigned cells, Unsigned cell_size)
{
    run *r = memory;
    RPY_MEMORY_IS_USED(r, sizeof *r);
    r->header = RUN_HEADER(cells);
    r->next = NULL;
    RPY_MEMORY_IS_FREE(r + 1, cells * cell_size - sizeof *r);
    return r;
}

static int new_block(Unsigned class)
{
    block *b = free_blocks;
    Unsigned i;
    if (b != NULL) {
        free_blocks = b->next;
        free_block_count--;
    } else if (returned_blocks.length) {
        b = returned_blocks.items[--returned_blocks.length];
    } else {
        /* many at once: a block is too small to ask the system for */
        char *memory = map(16 * BLOCK_SIZE);
        if (memory == NULL)
            return 0;
        for (i = 1; i < 16; i++)
            must_push(&returned_blocks, memory + i * BLOCK_SIZE);
        b = (block *)memory;
    }
    b->next = blocks[class];
    b->cell_size = class * 8;
    b->cells = (BLOCK_SIZE - 32) / b->cell_size;
    blocks[class] = b;
    free_cells[class].runs = make_run(FIRST_CELL(b), b->cells, b->cell_size);
    return 1;
}

/* Nothing is in the block.  The old generation grows by a quarter, or some megabytes, until the next
 * sweep: it may have the memory for that. */
static void free_block(block *b)
{
    RPY_MEMORY_IS_USED(b, BLOCK_SIZE); /* by cells of whatever size */
    if (free_block_count * BLOCK_SIZE > least_growth + old_bytes / 4 &&
        push(&returned_blocks, b)) {
        madvise(b, BLOCK_SIZE, MADV_DONTNEED);
        return;
    }
    b->next = free_blocks;
    free_blocks = b;
    free_block_count++;
}

/* Make the unmarked cells of the next block free. */
static void sweep_block(Unsigned class)
{
    block *b = unswept[class];
    run *first = NULL, **last = &first;
    Unsigned starts[RUNS_AHEAD]; /* of the last runs */
    Unsigned i = 0, used = 0, runs = 0;
    unswept[class] = b->next;
    while (i < b->cells) {
        Unsigned start = i;
        while (i < b->cells) {
            header *cell = (header *)CELL(b, i);
            if (cell->tid & RPY_GC_MARKED) {
                cell->tid &= ~RPY_GC_MARKED;
                used++;
                break;
            }
            if (IS_RUN(cell)) {
                i += RUN_CELLS(cell);
            } else {
                spoil(cell, b->cell_size);
                old_bytes -= b->cell_size;
                i++;
            }
        }
        if (i > start) {
            Unsigned *before = &starts[runs++ % RUNS_AHEAD];
            *last = make_run(CELL(b, start), i - start, b->cell_size);
            last = &(*last)->next;
            if (runs > RUNS_AHEAD)
                ((run *)CELL(b, *before))->header |= RUN_AHEAD(start - *before);
            *before = start;
        }
        i++; /* the marked one */
    }
    if (used == 0) {
        free_block(b);
    } else {
        b->next = blocks[class];
        blocks[class] = b;
        *last = free_cells[class].runs;
        free_cells[class].runs = first;
    }
}

static RPY_COLD int next_run(Unsigned class)
{
    run *r;
    int tries = 2; /* nothing may be free in very many blocks */
    while ((r = free_cells[class].runs) == NULL)
        if (unswept[class] != NULL && tries-- > 0)
            sweep_block(class);
        else if (!new_block(class))
            return 0;
    __builtin_prefetch((char *)r + CELLS_AHEAD(r) * class * 8, 1);
    free_cells[class].runs = r->next;
    free_cells[class].next = (char *)r;
    free_cells[class].end = (char *)r + RUN_CELLS(r) * class * 8;
    return 1;
}

/* A cell of the old generation, not zeroed; NULL when there is no memory. */
static inline void *new_cell(Unsigned size)
{
    Unsigned class = size / 8;
    char *cell;
    if (RPY_UNLIKELY(free_cells[class].next == free_cells[class].end) && !next_run(class))
        return NULL;
    cell = free_cells[class].next;
    free_cells[class].next = cell + size;
    RPY_MEMORY_IS_USED(cell, size);
    old_bytes += size;
    return cell;
}

static void free_cell(void *cell, Unsigned size)
{
    run *r;
    spoil(cell, size);
    r = make_run(cell, 1, size);
    r->next = free_cells[size / 8].runs;
    free_cells[size / 8].runs = r;
    old_bytes -= size;
}

/* So that the cells of each block can be looked at one by one. */
static void describe_free_cells(void)
{
    Unsigned class;
    for (class = 1; class < CLASSES; class++) {
        Unsigned free = (Unsigned)(free_cells[class].end - free_cells[class].next);
        if (free)
            make_run(free_cells[class].next, free / (class * 8), class * 8);
    }
}

/* The small objects are those of a sweep that starts. */
static void unsweep_blocks(void)
{
    describe_free_cells();
    memcpy(unswept, blocks, sizeof blocks);
    memset(blocks, 0, sizeof blocks);
    memset(free_cells, 0, sizeof free_cells);
    unswept_class = 1;
}

#endif
