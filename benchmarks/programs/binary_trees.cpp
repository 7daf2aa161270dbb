// The same in C++: with new and delete, or (-DARENA) with an arena that is emptied at once.
#include <cstdio>
#include <cstdlib>

#ifdef ARENA
static char *arena, *arena_free;
static void *allocate(size_t size)
{
    char *result = arena_free;
    arena_free += size;
    return result;
}
#endif

struct Node {
    Node *left, *right;
    Node(Node *l, Node *r) : left(l), right(r) {}
#ifdef ARENA
    static void *operator new(size_t size) { return allocate(size); }
#else
    ~Node()
    {
        delete left;
        delete right;
    }
#endif
};

static Node *make(int depth)
{
    return depth == 0 ? new Node(nullptr, nullptr) : new Node(make(depth - 1), make(depth - 1));
}

static long check(Node *node)
{
    return node->left == nullptr ? 1 : 1 + check(node->left) + check(node->right);
}

static long made(int depth)
{
#ifdef ARENA
    char *before = arena_free;
    long result = check(make(depth));
    arena_free = before;
#else
    Node *tree = make(depth);
    long result = check(tree);
    delete tree;
#endif
    return result;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
#ifdef ARENA
    arena = arena_free = (char *)malloc((size_t)16 << (n + 4));
#endif
    Node *kept = make(n);
    printf("stretch %ld\n", made(n + 1));
    for (int depth = 4; depth <= n; depth += 2) {
        long iterations = 1L << (n - depth + 4), total = 0;
        for (long i = 0; i < iterations; i++)
            total += made(depth);
        printf("%ld trees of depth %d check %ld\n", iterations, depth, total);
    }
    printf("long lived %ld\n", check(kept));
}
