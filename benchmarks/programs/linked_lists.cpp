// The same in C++.
#include <vector>

#include "allocation.h"

struct Node : Allocated {
    long value;
    Node *next;
    Node(long v, Node *n) : value(v), next(n) {}
};

static void change(std::vector<Node *> &heads, Chance chance, long steps)
{
    long n = heads.size();
    for (long step = 0; step < steps; step++) {
        long a = chance.below(n), b = chance.below(n);
        Node *node = heads[a];
        if (node == nullptr)
            continue;
        heads[a] = node->next;
        if (step % 3 == 0) {
            heads[b] = new Node(step, heads[b]);
            delete node;
        } else {
            node->next = heads[b];
            heads[b] = node;
        }
    }
}

static long total(const std::vector<Node *> &heads)
{
    long result = 0;
    for (Node *node : heads)
        for (; node != nullptr; node = node->next)
            result = (result * 31 + node->value) & 0xffffffff;
    return result;
}

int main(int, char **argv)
{
    long nodes = atol(argv[1]);
    std::vector<Node *> heads(nodes / 8);
    for (long i = 0; i < nodes; i++)
        heads[i % heads.size()] = new Node(i, heads[i % heads.size()]);
    change(heads, Chance{1}, atol(argv[2]));
    printf("total %ld\n", total(heads));
}
