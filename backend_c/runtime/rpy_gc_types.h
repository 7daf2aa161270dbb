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

#define RPY_GC_LAYOUT(object) (&rpy_gc_types[RPY_GC_TYPE(object)])

/* Call visit(place) for every pointer in the fixed part of the object. */
#define FOR_EACH_FIXED_POINTER(object, type, visit)                                      \
    do {                                                                                 \
        const unsigned int *offset_ = rpy_gc_offsets + (type)->first;                    \
        const unsigned int *end_ = offset_ + (type)->pointers;                           \
        for (; offset_ < end_; offset_++)                                                \
            visit((void **)((char *)(object) + *offset_));                               \
    } while (0)

/* The same for the items from one on and before another one. */
#define FOR_EACH_POINTER_OF_ITEMS(object, type, from, to, visit)                         \
    do {                                                                                 \
        const unsigned int *offset_ = rpy_gc_offsets + (type)->first + (type)->pointers; \
        char *item_ = (char *)(object) + (type)->items + (from) * (type)->item_size;     \
        Unsigned i_, j_;                                                                 \
        for (j_ = (from); j_ < (to); j_++, item_ += (type)->item_size)                   \
            for (i_ = 0; i_ < (type)->in_item; i_++)                                     \
                visit((void **)(item_ + offset_[i_]));                                   \
    } while (0)

/* The same for the whole object. */
#define FOR_EACH_POINTER(object, visit)                                                  \
    do {                                                                                 \
        const rpy_gc_type *type_ = RPY_GC_LAYOUT(object);                                \
        FOR_EACH_FIXED_POINTER(object, type_, visit);                                    \
        if (type_->in_item) {                                                            \
            Unsigned length_ = *(Unsigned *)((char *)(object) + type_->length);          \
            FOR_EACH_POINTER_OF_ITEMS(object, type_, 0, length_, visit);                 \
        }                                                                                \
    } while (0)

static inline int has_pointers(const rpy_gc_type *type)
{
    return type->pointers || type->in_item;
}

#endif
