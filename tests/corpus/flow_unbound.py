"""Local variables that may have no value where they are read."""

from corpus import Log, check, runs


@runs((0,), (1,))
def after_branch(c):
    if c:
        x = 1
    return x


@runs(([],), ([1, 2],))
def after_loop(xs):
    for x in xs:
        last = x
    return last, x


@runs((5,), (2,), (0,))
def first_time(n):
    out = []
    for k in range(n):
        if k == 2:
            first = k
        elif k > 2:
            out.append(first + k)
    return out, first


@runs((0,), (3,))
def after_del(n):
    x = n
    if n:
        del x
    try:
        return x
    except UnboundLocalError as e:
        return str(e)


@runs((True,), (False,))
def delete_unbound(c):
    if c:
        x = 1
    try:
        del x
    except NameError:
        return "none"
    try:
        return x
    except NameError as e:
        return str(e)


@runs((0,), (2,), (3,), (4,))
def swallowed(n):
    with Log(Exception) as a, Log(ValueError) as b:
        value = check(n)
    return a.events, b.events, value


@runs((0,), (1,))
def after_except(n):
    try:
        check(n)
    except KeyError as e:
        e = None
    return e


@runs((0,), (2,))
def retried(n):
    while True:
        try:
            value = 10 // n
        except ZeroDivisionError:
            n = 5
            continue
        break
    return value


@runs((0, 0), (1, 0), (1, 1), (0, 1))
def correlated(a, b):
    if a:
        x = 1
    if b:
        y = 2
    total = 0
    for i in range(2):
        if a:
            total += x + i
        if b:
            total += y
    return total


@runs((True, [1, 2]), (False, [1, 2]), (False, []))
def around_comprehension(c, xs):
    if c:
        i = 10
    squares = [i * i for i in xs]
    return squares, i


@runs((True, [1, 2]), (False, [1, 2]))
def not_needed_after_comprehension(c, xs):
    if c:
        i = 10
        print(i)
    return [i for i in xs]


@runs((True,), (False,))
def generator_body(c):
    def numbers():
        if c:
            x = 1
        yield 0
        yield x

    out = []
    try:
        for x in numbers():
            out.append(x)
    except UnboundLocalError as e:
        out.append(str(e))
    return out
