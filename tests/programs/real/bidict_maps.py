"""bidict==0.24.1: dicts both ways."""

from bidict import bidict


def main():
    m = bidict({"a": 1, "b": 2})
    m["c"] = 3
    print(m, m.inverse[2], len(m), "a" in m)
    m.inverse[4] = "d"
    del m["a"]
    print(m, list(m.items()), m.inverse)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
