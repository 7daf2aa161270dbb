"""if, boolean operators, conditional expressions, chained comparisons, assert."""

from corpus import runs

DEBUG = False
LEVEL = 3


@runs((1,), (0,), ([],))
def if_(x):
    if x:
        return "yes"
    return "no"


@runs((1,), (0,))
def if_else(x):
    if x:
        r = 1
    else:
        r = 2
    return r


@runs((0,), (1,), (2,), (7,))
def elif_(x):
    if x == 0:
        return "zero"
    elif x == 1:
        return "one"
    elif x == 2:
        return "two"
    else:
        return "many"


@runs((1, 2), (2, 1))
def nested_if(a, b):
    if a > 0:
        if b > a:
            r = b
        else:
            r = a
    else:
        r = 0
    return r


@runs((1,), (0,))
def empty_if(x):
    if x:
        pass
    return x


@runs((0,), (3,))
def if_not(x):
    if not x:
        return "empty"
    return x


@runs((None,), (0,))
def if_is_none(x):
    if x is None:
        return "none"
    return "some"


@runs((None,), (0,))
def if_is_not_none(x):
    if x is not None:
        return "some"
    return "none"


@runs((1, 1), (1, 2))
def if_is_not(a, b):
    if a is not b:
        return 1
    return 2


@runs((2, [1]), (1, [1]))
def if_not_in(x, xs):
    if x not in xs:
        return "missing"
    return "found"


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def and_value(a, b):
    return a and b


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def or_value(a, b):
    return a or b


@runs((0, 0, 0), (0, 1, 2), (1, 0, 3), (1, 1, 0))
def and_or_value(a, b, c):
    return a and b or c


@runs((0, 0, 0), (0, 1, 2), (1, 0, 3), (1, 1, 0))
def or_and_value(a, b, c):
    return (a or b) and c


@runs((0, 0, 0), (0, 1, 2), (1, 0, 3), (1, 1, 0), (1, 2, 3))
def and_three(a, b, c):
    return a and b and c


@runs((0, 0, 0), (0, 0, 2), (1, 0, 3))
def or_three(a, b, c):
    x = a or b or c
    return x


@runs((0, 0, 0, 0), (0, 1, 2, 0), (1, 0, 3, 5), (1, 1, 0, 7))
def mixed_value(a, b, c, d):
    return (a and b) or (c and not d)


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def if_and(a, b):
    if a and b:
        return 1
    return 2


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def if_or(a, b):
    if a or b:
        return 1
    return 2


@runs((0, 0, 0), (0, 1, 2), (1, 0, 3), (1, 1, 0))
def if_mixed(a, b, c):
    if (a and b) or c:
        return 1
    return 2


@runs((0, 0, 0), (0, 1, 2), (1, 0, 3), (1, 1, 0))
def if_not_mixed(a, b, c):
    if not (a or b) and c:
        r = 1
    else:
        r = 2
    return r


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def if_not_and(a, b):
    if not (a and b):
        return 1
    return 2


@runs((0, 0), (0, 1), (1, 0), (1, 1))
def not_of_and(a, b):
    return not (a and b)


@runs((3,), (0,))
def conditional_expression(x):
    return 10 if x else 20


@runs((3, 1), (0, 1), (0, 0))
def nested_conditional_expression(x, y):
    return "a" if x else "b" if y else "c"


@runs((3, 1), (0, 1), (0, 0))
def conditional_in_call(x, y):
    return max(1 if x else 2, 3 if y else 4)


@runs((3, 1), (0, 1), (0, 0))
def conditional_condition(x, y):
    if x if y else not x:
        return 1
    return 2


@runs((1, 2, 3), (2, 1, 3), (1, 3, 2))
def chained(a, b, c):
    return a < b < c


@runs((1, 2, 3), (2, 1, 3), (1, 3, 2))
def if_chained(a, b, c):
    if a < b <= c:
        return "sorted"
    return "not sorted"


@runs((1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4), (1, 2, 3, 3))
def chained_four(a, b, c, d):
    return a < b < c < d


@runs((5,), (15,))
def chained_constants(x):
    return 0 <= x < 10


@runs((1, [1], [[1]]), (1, [2], [[2]]), (1, [1], []))
def chained_in(a, b, c):
    return a in b in c


@runs((1,), (0,))
def assert_(x):
    assert x
    return x


@runs((1,), (0,))
def assert_message(x):
    assert x > 0, "x must be positive"
    return x


@runs((1,), (-1,))
def assert_computed_message(x):
    assert x > 0, f"x is {x}"
    return x


@runs((1, 0), (0, 0), (1, 1))
def assert_and(x, y):
    assert x and not y
    return x


@runs((1,))
def constant_branch(x):
    if DEBUG:
        undefined_function(x)  # noqa: F821
    return x


@runs((1,), (4,))
def constant_condition(x):
    if LEVEL > 2 and x:
        return "high"
    return "low"


@runs((1,))
def constant_local(x):
    debug = False
    for _ in range(2):
        if debug:
            undefined_function(x)  # noqa: F821
    return x


@runs((1,))
def debug_constant(x):
    if __debug__:
        return x
    return undefined_function(x)  # noqa: F821


@runs((1,), (2,))
def same_in_both(x):
    if x == 1:
        y = 5
    else:
        y = 5
    return y * 2


@runs((1,), (2,))
def same_variable_in_both(x):
    if x == 1:
        y = x
    else:
        y = x
    return y


@runs((1,), (2,))
def returns_in_both(x):
    if x == 1:
        return "a"
    else:
        return "b"


@runs((1,), (2,), (3,))
def match_values(x):
    match x:
        case 1:
            return "one"
        case 2:
            return "two"
        case _:
            return "other"


@runs((1,), (4,), (3,), (None,))
def match_or_and_guard(x):
    match x:
        case 1 | 2:
            r = "small"
        case None:
            r = "none"
        case y if y > 3:
            r = "big"
        case _:
            r = "three"
    return r


@runs((1, 5), (0, 5))
def branch_merges_values(c, x):
    if c:
        a, b = x, 1
    else:
        a, b = 2, x
    return a - b


@runs((0, 0), (1, 0), (1, 1))
def value_then_test(a, b):
    r = a and b
    if r:
        return "both"
    return "not both"
