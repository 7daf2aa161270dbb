"""Straight-line code: operators, comparisons, names, attributes, items, slices."""

from corpus import runs

LIMIT = 10
NAMES = ("a", "b", "c")


class Point:
    dimensions = 2

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __repr__(self):
        return f"Point({vars(self)})"

    def norm1(self):
        return abs(self.x) + abs(self.y)


@runs(())
def nothing():
    pass


@runs(())
def return_constant():
    return 42


@runs((1,), ("x",))
def identity(x):
    return x


@runs((5, 3), (-7, 2), (7, -2))
def arithmetic(a, b):
    return a + b - a * b // (b + 10) % 7


@runs((1, 2), (3, 0))
def true_division(a, b):
    return a / b


@runs((2, 3), (2.5, 2))
def power(a, b):
    return a**b


@runs((6, 3), (255, 4))
def bits(a, b):
    return (a & b) | (a ^ b) << 2 >> 1


@runs((5,), (-3,))
def unary(a):
    return -a, +a, ~a


@runs((0,), (1,), ("",), ([1],))
def negate(a):
    return not a


@runs((0,), (1,), ("",), ([1],))
def negate_twice(a):
    return not not a, not a == 1


@runs((1, 2), (2, 1), (2, 2))
def comparisons(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


@runs((1, [1, 2]), (3, [1, 2]))
def membership(x, items):
    return x in items, x not in items


@runs((None,), (1,))
def is_none(x):
    return x is None, x is not None


@runs((1, 2))
def several_names(a, b):
    c = a
    d = b
    c = d
    e = c + a
    return e


@runs((1, 2))
def swap(a, b):
    a, b = b, a
    return a, b


@runs((1, 2, 3))
def rotate(a, b, c):
    a, b, c = c, a, b
    return a, b, c


@runs((1, 2, 3, 4))
def rotate_four(a, b, c, d):
    a, b, c, d = d, c, b, a
    return [a, b, c, d]


@runs((1,))
def chained_assignment(x):
    a = b = c = x + 1
    return a, b, c


@runs((3,))
def globals_are_constants(x):
    return x + LIMIT, NAMES


@runs((Point(1, -2),))
def attributes(p):
    p.x = p.y + 5
    return p.x, p.dimensions


@runs((Point(1, -2),))
def method_call(p):
    return p.norm1()


@runs((Point(1, -2),))
def delete_attribute(p):
    del p.x
    return p.x


@runs((3, 4))
def make_instance(a, b):
    return Point(a, b).norm1()


@runs(())
def class_attribute():
    return Point.dimensions


@runs(([1, 2, 3], 1), ([1, 2, 3], 7), ({"a": 1}, "a"))
def get_item(x, i):
    return x[i]


@runs(([1, 2, 3], 1), ([], 0), ({}, 5))
def set_item(x, i):
    x[i] = 9
    return x


@runs(([1, 2, 3], 1), ([], 0))
def delete_item(x, i):
    del x[i]
    return x


@runs(([1, 2, 3, 4, 5], 1, 3), ("hello", -3, -1))
def slices(x, a, b):
    return x[a:b], x[a:], x[:b], x[:]


@runs(([1, 2, 3, 4, 5], 2), ("hello", -1))
def slice_with_step(x, step):
    return x[::step], x[1:4:step]


@runs(([1, 2, 3, 4, 5], [7, 8, 9]))
def assign_slice(x, y):
    x[1:3] = y
    return x


@runs(([1, 2, 3, 4, 5],))
def delete_slice(x):
    del x[1:3]
    return x


@runs(([[1, 2], [3, 4]],))
def nested_items(rows):
    rows[0][1] += rows[1][0]
    return rows


@runs((1, 2))
def augmented(a, b):
    a += b
    a -= 1
    a *= 7
    a //= 2
    a %= 100
    a <<= 1
    a >>= 2
    a |= 8
    a &= 12
    a ^= 5
    a **= 2
    a /= 4
    return a


@runs((Point(1, 2), [5, 6]))
def augmented_places(p, items):
    p.x += 10
    items[1] *= 3
    items += [1]
    return p.x, items


@runs(([1, 2], [3]))
def augmented_slice(x, y):
    x[1:] += y
    return x


@runs((4,))
def walrus(n):
    return (m := n + 1) * m


@runs((1,))
def delete_name(x):
    y = x
    del y
    return x


@runs((1,))
def use_after_delete(x):
    y = x
    del y
    return y


@runs(())
def unbound_local():
    x  # noqa: B018, F821
    x = 1  # noqa: F841


@runs((3,))
def long_expression(x):
    return ((x + 1) * (x + 2) - (x + 3) * (x + 4)) * (x)


@runs((2,))
def unused_constructions(x):
    (x, x)
    [x]
    return x


@runs((2,))
def unused_operation(x):
    x + "a"  # noqa: B018
    return x


@runs((5,))
def conditional_import(x):
    import math

    return math.floor(x + math.pi)


@runs((5,))
def import_from(x):
    from math import ceil
    from math import floor as fl
    from os import path

    return ceil(x / 2), fl(x / 2), path.basename("a/b")


@runs(())
def import_dotted():
    import os.path
    import os.path as p

    return p.join("a", os.path.basename("c/b"))


@runs((3,))
def print_things(x):
    print("x =", x)
    print()
    print(x, x + 1, sep="-", end="!\n")


@runs(("né", "ö"))
def unicode_text(é, b):
    return "ä" + é + b
