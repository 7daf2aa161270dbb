// Objects of the C++ programs come from new and delete, or (-DARENA) from memory that is never
// given back.
#include <cstdio>
#include <cstdlib>

#ifdef ARENA
static char *arena_free, *arena_end;
static void *arena_allocate(size_t size)
{
    size = (size + 7) & ~(size_t)7;
    if (size > (size_t)(arena_end - arena_free)) {
        arena_free = (char *)malloc((size_t)64 << 20);
        arena_end = arena_free + ((size_t)64 << 20);
    }
    char *result = arena_free;
    arena_free += size;
    return result;
}
struct Allocated {
    static void *operator new(size_t size) { return arena_allocate(size); }
    static void operator delete(void *) {}
};
#else
struct Allocated {};
#endif

struct Chance {
    long state;
    long below(long n)
    {
        state = (state * 1103515245 + 12345) & 0x7fffffff;
        return (state >> 8) % n;
    }
};
