// The same in C++.
#include <vector>

#include "allocation.h"

static const long RECORD = 96;

struct Leaf : Allocated {
    long value;
    Leaf(long v) : value(v) {}
};

struct Record : Allocated {
    long key;
    Leaf *left, *right;
    Record(long k) : key(k), left(new Leaf(k + 1)), right(new Leaf(k + 2)) {}
    ~Record()
    {
        delete left;
        delete right;
    }
};

int main(int, char **argv)
{
    std::vector<Record *> table;
    for (long i = 0; i < (atol(argv[1]) << 20) / RECORD; i++)
        table.push_back(new Record(i));
    long steps = atol(argv[2]), result = 0;
    Chance chance{1};
    for (long step = 0; step < steps; step++) {
        Record *&place = table[(chance.below(1 << 20) * 997 + step) % table.size()];
        delete place;
        place = new Record(step);
    }
    for (Record *record : table)
        result += record->key ^ record->left->value ^ record->right->value;
    printf("total %ld\n", result);
}
