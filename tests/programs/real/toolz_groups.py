"""toolz==1.0.0: functions on sequences and dicts."""

from toolz import (
    compose,
    concat,
    frequencies,
    groupby,
    interleave,
    merge,
    partition,
    pipe,
    sliding_window,
    take,
    unique,
    valmap,
)


def main():
    print(groupby(len, ["cat", "mouse", "dog", "horse"]), frequencies("abracadabra"))
    print(
        list(sliding_window(2, [1, 2, 3])), list(partition(2, [1, 2, 3, 4])), list(take(2, "abc"))
    )
    print(
        list(unique([1, 3, 1, 2])), list(concat([[1], [2, 3]])), list(interleave([[1, 3], [2, 4]]))
    )
    print(merge({"a": 1}, {"b": 2}), valmap(len, {"x": "abc"}), compose(str, abs)(-3))
    print(pipe(3, lambda x: x + 1, lambda x: x * 2))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
