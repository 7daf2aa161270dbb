"""HeapDict==1.0.1: a priority queue whose priorities change."""

from heapdict import heapdict


def main():
    queue = heapdict()
    for name, priority in (("read", 5), ("eat", 1), ("sleep", 3), ("write", 4)):
        queue[name] = priority
    queue["read"] = 0
    print(queue.peekitem(), len(queue), queue["sleep"], "eat" in queue)
    del queue["write"]
    while queue:
        print(queue.popitem())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
