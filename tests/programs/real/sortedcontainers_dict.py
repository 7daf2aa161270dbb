"""sortedcontainers==2.4.0: a SortedDict and a SortedSet."""

from sortedcontainers import SortedDict, SortedSet


def main():
    ages = SortedDict({"tom": 31, "ann": 28})
    ages["kim"] = 45
    ages.setdefault("bob", 19)
    print(list(ages), list(ages.items()), ages.peekitem(0), ages.popitem())
    del ages["ann"]
    print(ages, len(ages), "bob" in ages, ages.get("zed", 0))
    primes = SortedSet([7, 3, 5, 2])
    primes.add(11)
    print(primes, primes & {2, 3, 4}, list(primes | {13}), primes[1], primes.isdisjoint({4}))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
