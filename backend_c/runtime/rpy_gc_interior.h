/* Included by the generational collector, behind `move`: pointers into young objects, which move
 * with them.  They are among the roots of every thread. */

/* Pointers into young objects: where they are, what they are, the object they point into. */
typedef struct {
    void **place;
    char *pointer, *object;
} interior;

static interior *interiors;
static Unsigned interiors_length, interiors_room;

static int by_pointer(const void *a, const void *b)
{
    const char *p = ((const interior *)a)->pointer, *q = ((const interior *)b)->pointer;
    return p < q ? -1 : p > q;
}

static void collect_interiors(void **root, void **top)
{
    for (; root < top; root++) {
        if (*root != RPY_GC_INTERIOR)
            continue;
        root++;
        if (!is_young(*root))
            continue;
        if (interiors_length == interiors_room) {
            interiors_room = interiors_room ? 2 * interiors_room : 64;
            interiors = realloc(interiors, interiors_room * sizeof(interior));
            if (interiors == NULL)
                rpy_fatal_error("no memory left for the collector");
        }
        interiors[interiors_length].place = root;
        interiors[interiors_length++].pointer = *root;
    }
}

/* Look for the objects from the start of the nursery, while their sizes can be read. */
static void find_interiors(void)
{
    rpy_thread *thread;
    char *object, *next;
    Unsigned i = 0;
    interiors_length = 0;
    collect_interiors(rpy_gc_roots_bottom, rpy_gc_roots);
    for (thread = rpy_threads; thread != NULL; thread = thread->next)
        collect_interiors(thread->roots_bottom, thread->roots);
    if (interiors_length == 0)
        return;
    qsort(interiors, interiors_length, sizeof(interior), by_pointer);
    for (object = nursery; i < interiors_length; object = next) {
        next = object + size_of(object);
        for (; i < interiors_length && interiors[i].pointer < next; i++)
            interiors[i].object = object;
    }
}

static void move_interiors(void)
{
    Unsigned i;
    for (i = 0; i < interiors_length; i++) {
        void *object = interiors[i].object;
        move(&object);
        *interiors[i].place = (char *)object + (interiors[i].pointer - interiors[i].object);
    }
}
