/* The layouts of a program's objects: generated, in rpy_tables.c or, for a small program, program.c. */
#ifndef RPY_GC_TYPES_H
#define RPY_GC_TYPES_H

#include "rpy_base.h"

/* Where the pointers are in the objects of a type.  Offsets are in bytes. */
typedef struct {
    Unsigned size;           /* of objects without variable part, rounded */
    Unsigned item_size;
    Unsigned length;         /* offset of the number of items */
    Unsigned items;          /* offset of the items; 0: no variable part */
    unsigned short pointers; /* how many offsets of the fixed part follow `first`... */
    unsigned short in_item;  /* ...and, after them, of one item */
    unsigned int first;      /* index in rpy_gc_offsets */
    unsigned int weak;       /* offset of a pointer that is not followed; 0: there is none */
} rpy_gc_type;

extern RPY_HIDDEN const rpy_gc_type rpy_gc_types[];
extern RPY_HIDDEN const Unsigned rpy_gc_last_type;
extern RPY_HIDDEN const unsigned int rpy_gc_offsets[];

#endif
