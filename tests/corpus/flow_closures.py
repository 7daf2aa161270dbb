"""Nested functions that capture variables, generators and generator expressions."""

from corpus import check, runs

# ruff: noqa: B023, E731


@runs((3,), (0,))
def by_value(n):
    def add(x, y=n):
        return x + n + y

    return add(1) + add(1, 2)


@runs((3,))
def keyword_default(n):
    def add(x, *, y=n * 2, z=1):
        return x + y + z

    return add(1), add(1, z=5), add(1, y=2)


@runs((4,), (0,))
def assigned_later(n):
    f = lambda: n
    n += 1
    return f()


@runs((3,))
def nonlocal_counter(n):
    count = 0

    def step():
        nonlocal count
        count += n
        return count

    step()
    return step() + count


@runs((5,), (0,))
def recursive(n):
    def go(k):
        return 1 if k == 0 else k * go(k - 1)

    return go(n)


@runs((4,))
def loop_variable(n):
    late = []
    early = []
    for i in range(n):
        late.append(lambda: i)
        early.append(lambda i=i: i)
    return [f() for f in late], [f() for f in early]


@runs(([1, 2, 3],), ([],))
def in_comprehension(xs):
    fs = [lambda y: x + y for x in xs]
    gs = [[lambda: (x, y) for x in xs] for y in xs]
    return [f(1) for f in fs], [g() for row in gs for g in row]


@runs(([1, 2], 5),)
def same_name_in_comprehension(xs, x):
    def f():
        return x

    ys = [x for x in xs]
    zs = [(lambda: x) for x in xs]
    before = f()
    x = 7
    return before, f(), ys, [z() for z in zs], x


@runs((1, 2, 3),)
def nested_twice(a, b, c):
    def outer(x):
        def inner(y):
            return a * 100 + b * 10 + c + x + y

        return inner

    return outer(1)(2)


@runs((True,), (False,))
def may_have_no_value(c):
    def f():
        return x

    if c:
        x = 1
    return f()


@runs((True,), (False,))
def deleted_by_other(c):
    x = 1

    def f():
        nonlocal x
        del x

    if c:
        f()
    try:
        return x
    except UnboundLocalError as e:
        return str(e)


@runs((3,), (0,))
def generator_expression(n):
    total = sum(x * n for x in range(n))
    for k in range(2):
        total += sum(x for x in range(n) if x > k)
    late = (x + total for x in range(n))
    total = 1
    return list(late)


@runs((4,), (0,))
def local_generator(n):
    def count(start):
        for i in range(start, start + n):
            if i % 3 == 1:
                continue
            yield i, n
        yield -1, 0

    out = []
    for pair in count(2):
        out.append(pair)
        if len(out) > 3:
            break
    else:
        out.append((n, n))
    return out


@runs((3,))
def delegation(n):
    def inner(k):
        for i in range(k):
            yield i
        return n * 10

    def outer():
        a = yield from inner(n)
        yield a
        yield from [7, 8]

    return list(outer())


@runs((1,), (3,), (6,))
def generator_with_except(n):
    def source():
        for i in range(n):
            try:
                yield check(i)
            except KeyError:
                yield -1
            except ValueError as e:
                yield str(e)

    out = []
    try:
        for x in source():
            out.append(x)
    except Exception as e:
        out.append(repr(e))
    return out


@runs((2,))
def generator_that_leaks(n):
    def source():
        it = iter(range(n))
        while True:
            yield next(it)

    out = []
    try:
        for x in source():
            out.append(x)
    except RuntimeError as e:
        out.append(str(e))
    return out


@runs((3,))
def endless(n):
    def naturals():
        i = 0
        while True:
            yield i
            i += 1

    numbers = naturals()
    return [next(numbers) for _ in range(n)], next(numbers)
