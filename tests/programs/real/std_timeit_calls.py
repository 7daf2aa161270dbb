"""timeit: how long functions take."""

import timeit


def work():
    sum(range(10))


COUNT = [0]


def counted():
    COUNT[0] += 1


def main():
    print(timeit.timeit(work, number=10) >= 0, timeit.default_timer() > 0)
    print(len(timeit.repeat(counted, number=3, repeat=4)), COUNT[0])
    t = timeit.Timer(counted)
    print(t.timeit(5) >= 0, COUNT[0], len(t.repeat(2, 3)), COUNT[0])
    n, taken = t.autorange()
    print(taken >= 0.2, n > 5)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
