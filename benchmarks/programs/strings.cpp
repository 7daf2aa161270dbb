// The same in C++.
#include <string>
#include <vector>

#include "allocation.h"

#ifdef ARENA
template <class T> struct Memory {
    typedef T value_type;
    Memory() {}
    template <class U> Memory(const Memory<U> &) {}
    T *allocate(size_t n) { return (T *)arena_allocate(n * sizeof(T)); }
    void deallocate(T *, size_t) {}
    bool operator==(const Memory &) const { return true; }
    bool operator!=(const Memory &) const { return false; }
};
typedef std::basic_string<char, std::char_traits<char>, Memory<char>> String;
#else
typedef std::string String;
#endif

int main(int, char **argv)
{
    std::vector<String> texts(atol(argv[1]), "a text to begin with");
    Chance chance{1};
    long steps = atol(argv[2]), total = 0;
    for (long step = 0; step < steps; step++) {
        long i = chance.below(texts.size());
        char number[24];
        snprintf(number, sizeof number, "%ld", step);
        String text = texts[i] + ", " + number;
        total += text.size();
        if (text.size() > 200)
            text = text.substr(text.size() - 20);
        texts[i] = std::move(text);
    }
    printf("total %ld\n", total);
}
