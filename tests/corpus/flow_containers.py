"""Literals, unpacking, comprehensions, f-strings."""

from corpus import runs

TABLE = [1, 2, 3]


@runs(())
def empty_containers():
    return [], (), {}


@runs((1, 2))
def literals(a, b):
    return [a, b], (a, b), {a, b}, {a: b, b: a}


@runs(())
def constant_list():
    return [1, 2, 3, 4]


@runs(())
def constant_list_is_new():
    x = [1, 2, 3]
    y = [1, 2, 3]
    x.append(4)
    return x, y


@runs(())
def constant_tuple():
    return (1, ("a", 2.5), None)


@runs(())
def constant_set():
    return {1, 2, 3, 10}


@runs((2,))
def constant_keys(x):
    return {"a": x, "b": 1, "c": x + 1}


@runs((2,))
def one_key(x):
    return {"a": x}


@runs((1,), (5,))
def in_constant_list(x):
    return x in [1, 2, 3]


@runs((1,), (5,))
def in_constant_tuple(x):
    return x in (1, 2, 3)


@runs((3,))
def repeat(n):
    return [0] * n, [None, 1] * n


@runs(([1, 2],), ([],))
def star_in_list(xs):
    return [0, *xs], [*xs, 9]


@runs(((1, 2),), ((),))
def star_in_tuple(xs):
    return (0, *xs)


@runs(((1, 2), [3]))
def several_stars(xs, ys):
    return [*xs, 5, *ys], (*xs, 6, *ys, 7)


@runs(({"a": 1}, {"b": 2}))
def star_in_dict(a, b):
    return {**a, "x": 0, **b}


@runs(({1}, [2]))
def star_in_set(a, b):
    return {*a, *b, 3}


@runs((1,), (0,))
def conditional_items(c):
    return [1 if c else 2, *([3] if c else [4, 5])]


@runs(((1, 2),), ([3, 4],), ((1, 2, 3),), ("ab",))
def unpack(pair):
    a, b = pair
    return a, b


@runs(((1, (2, 3)),), ((1, 2),))
def unpack_nested(x):
    a, (b, c) = x
    return a + b + c


@runs(())
def unpack_constant():
    a, b, c = 1, "x", None
    return [a, b, c]


@runs((1, 2))
def unpack_made_tuple(a, b):
    t = a, b
    c, d = t
    return d, c, t


@runs(([1, 2],))
def unpack_to_places(x):
    d = {}
    d["a"], x[0] = x
    return d, x


@runs(([3, 4, 5],))
def list_comprehension(xs):
    return [x * 2 for x in xs]


@runs(([3, 0, 5],))
def comprehension_if(xs):
    return [x for x in xs if x]


@runs(([1, 2, 3, 4, 5, 6],))
def comprehension_two_ifs(xs):
    return [x for x in xs if x > 1 if x % 2]


@runs(([[1, 2], [3]],))
def comprehension_two_fors(rows):
    return [x for row in rows for x in row]


@runs(([[1, 2], [3]],))
def comprehension_nested(rows):
    return [[x + 1 for x in row] for row in rows]


@runs(([1, 2], 5))
def comprehension_uses_local(xs, k):
    m = k * 2
    return [x * m + k for x in xs]


@runs(([[1, 2], [3]], 5))
def comprehension_nested_uses_local(rows, k):
    return [[x + k + len(row) for x in row] for row in rows]


@runs(([1, 2], "keep"))
def comprehension_variable_is_local(xs, x):
    ys = [x for x in xs]
    return x, ys


@runs(([1, 2],))
def comprehension_variable_assigned_later(xs):
    ys = [x for x in xs]
    x = len(ys)
    return x


@runs(([(1, 2), (3, 4)],))
def comprehension_unpack(pairs):
    return [a * b for a, b in pairs]


@runs(([1, 2, 3],))
def comprehension_iterable(xs):
    return [x for x in [y + 1 for y in xs]]


@runs(([1, 2, 3],))
def comprehension_in_condition(xs):
    if [x for x in xs if x > 2]:
        return "some"
    return "none"


@runs(([[1], [], [2]],))
def comprehension_in_loop(rows):
    r = []
    for row in rows:
        r.append([x + 1 for x in row])
    return r


@runs(([1, 2],), (5,), ([0],))
def comprehension_in_try(xs):
    try:
        return [10 // x for x in xs]
    except TypeError:
        return "type"
    except ZeroDivisionError:
        return "zero"


@runs(([1, 2], [3]))
def two_comprehensions(xs, ys):
    return [x for x in xs] + [x for x in ys]


@runs((3,))
def comprehension_conditional(n):
    return ["even" if i % 2 == 0 else "odd" for i in range(n)]


@runs(([1, 2, 3],), ([],))
def comprehension_in_while(xs):
    n = 0
    while [x for x in xs if x > n]:
        n += 1
    return n


@runs(([1, 2, 2],))
def set_comprehension(xs):
    return {x + 1 for x in xs}


@runs((["a", "b"],))
def dict_comprehension(xs):
    return {x: i for i, x in enumerate(xs)}


@runs(([5, 6, 7],))
def comprehension_walrus(xs):
    last = None
    ys = [last := x for x in xs]
    return ys, last


@runs(([5, 6, 7],))
def comprehension_global(xs):
    return [x + TABLE[0] for x in xs]


@runs(([5, 6, 7],))
def comprehension_argument(xs):
    return sum([x for x in xs]), len([x for x in xs if x > 5])


@runs((5,), ("a",))
def f_string(x):
    return f"x is {x}"


@runs((5,), (1.5,))
def f_string_alone(x):
    return f"{x}"


@runs(("a'b",))
def f_string_conversion(x):
    return f"{x!r} {x!s} {x!a}"


@runs((3.14159, 8))
def f_string_spec(x, w):
    return f"{x:.2f}|{x:{w}.1f}|{x!r:>{w}}"


@runs(("a", 2))
def f_string_parts(a, b):
    return f"<{a}{b}{a + str(b)}>"


@runs((7,))
def f_string_debug(x):
    return f"{x=} {x + 1 = }"


@runs((7,))
def f_string_nested(x):
    return f"{f'{x}!'}?"


@runs(())
def f_string_constant():
    return f"plain"  # noqa: F541


@runs((1, 2))
def percent_format(a, b):
    return "%d and %s" % (a, b)


@runs(("x",))
def percent_s(a):
    return "<%s>" % (a,)


@runs(([3, 1, 2],))
def big_list(x):
    return [
        x, 1, x, 3, x, 5, x, 7, x, 9, x, 11, x, 13, x, 15, x, 17, x, 19, x, 21, x, 23, x, 25,
        x, 27, x, 29, x, 31, x, 33, x, 35,
    ]  # fmt: skip


@runs((1,))
def big_dict(x):
    return {
        1: x, 2: 2, 3: 3, 4: x, 5: 5, 6: 6, 7: 7, 8: 8, 9: x, 10: 1, 11: 2, 12: 3, 13: 4, 14: 5,
        15: x, 16: 7, 17: 8, 18: 9, 19: x,
    }  # fmt: skip


@runs(([1, 2], [3], True), ([1, 2], [3], False))
def comprehension_conditional_iterable(a, b, c):
    k = 10
    return [x + k for x in (a if c else b)]


@runs(((1, 2), True), ((1, 2), False))
def conditional_star_tuple(a, c):
    return (0, *a) if c else (9,)


@runs(([1, 2, 3],), ([None, 0],))
def comprehension_conditional_filter(xs):
    return [x for x in xs if (x > 1 if x is not None else False)]


@runs(([[1, 2, 3]], 1), ([[1, 2, 3]], 0))
def augmented_slice_conditional(x, c):
    x[0][1:2] += [7] if c else [8, 9]
    return x
