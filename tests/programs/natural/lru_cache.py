"""Caches: LRU by hand, TTL with a fake clock, memoizing decorators."""
import functools
from collections import OrderedDict


class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self._data = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key, default=None):
        if key not in self._data:
            self.misses += 1
            return default
        self._data.move_to_end(key)
        self.hits += 1
        return self._data[key]

    def put(self, key, value):
        if key in self._data:
            self._data.move_to_end(key)
        self._data[key] = value
        if len(self._data) > self.capacity:
            old, _ = self._data.popitem(last=False)
            return old
        return None

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        items = ", ".join(f"{k}={v}" for k, v in self._data.items())
        return f"<{type(self).__name__} {items} ({self.hits} hits, {self.misses} misses)>"


class Clock:
    def __init__(self):
        self.now = 0.0

    def tick(self, seconds):
        self.now += seconds


class TTLCache(LRUCache):
    def __init__(self, capacity, clock, ttl=10):
        super().__init__(capacity)
        self.clock = clock
        self.ttl = ttl
        self._expires = {}

    def put(self, key, value):
        evicted = super().put(key, value)
        self._expires.pop(evicted, None)
        self._expires[key] = self.clock.now + self.ttl
        return evicted

    def get(self, key, default=None):
        if self._expires.get(key, 0) < self.clock.now and key in self._data:
            del self._data[key]
        return super().get(key, default)


def memoize(func):
    cache = {}

    @functools.wraps(func)
    def wrapper(*args):
        if args not in cache:
            cache[args] = func(*args)
        return cache[args]

    wrapper.cache = cache
    return wrapper


@memoize
def edit_distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return edit_distance(a[1:], b[1:])
    return 1 + min(edit_distance(a[1:], b), edit_distance(a, b[1:]), edit_distance(a[1:], b[1:]))


@functools.lru_cache(maxsize=None)
def collatz(n):
    """Length of the Collatz sequence from n."""
    if n == 1:
        return 1
    return 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


class Shape:
    def __init__(self, w, h):
        self.w, self.h = w, h
        self.computed = 0

    @functools.cached_property
    def area(self):
        self.computed += 1
        return self.w * self.h


def main():
    cache = LRUCache(3)
    for i, key in enumerate("abcad"):
        evicted = cache.put(key, i)
        if evicted:
            print("evicted", evicted)
    print(cache.get("a"), cache.get("b"), cache.get("b", "none"))
    print(cache)
    clock = Clock()
    ttl = TTLCache(2, clock, ttl=5)
    ttl.put("x", 1)
    clock.tick(3)
    ttl.put("y", 2)
    print(ttl.get("x"))
    clock.tick(3.5)
    print(ttl.get("x"), ttl.get("y"), len(ttl))
    print(ttl)
    print(edit_distance("kitten", "sitting"), len(edit_distance.cache))
    best = max(range(1, 1000), key=collatz)
    print(best, collatz(best), collatz.__doc__)
    info = collatz.cache_info()
    print(info.misses, info.hits > 0, info.maxsize)
    s = Shape(3, 4.5)
    print(s.area, s.area, s.computed)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
