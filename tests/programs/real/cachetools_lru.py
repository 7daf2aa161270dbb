"""cachetools==5.5.2: caches with a size."""

from cachetools import FIFOCache, LFUCache, LRUCache


def main():
    for cache in (LRUCache(maxsize=2), FIFOCache(maxsize=2), LFUCache(maxsize=2)):
        cache["a"] = 1
        cache["b"] = 2
        cache["a"] += 10
        cache["c"] = 3
        print(sorted(cache.items()), len(cache), cache.currsize, cache.get("b", "none"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
