"""for, while, else, break, continue."""

from corpus import runs


@runs((5,), (0,))
def while_(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


@runs((5,), (0,))
def while_without_return(n):
    while n:
        n -= 1


@runs((5, 2), (0, 0), (3, 7))
def while_and(a, b):
    while a > 0 and b > 0:
        a -= 1
        b -= 1
    return a, b


@runs((5, 2), (0, 0), (3, 7))
def while_or(a, b):
    while a > 0 or b > 0:
        a -= 1
        b -= 1
    return a, b


@runs((10,), (3,))
def while_chained(n):
    i = 0
    while 0 <= i < n:
        i += 3
    return i


@runs((10,), (3,))
def while_true_break(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
    return i


@runs((10,))
def while_true_return(n):
    while True:
        n -= 3
        if n < 0:
            return n


@runs((5, 3), (5, 9))
def while_else(n, stop):
    while n > 0:
        if n == stop:
            r = "found"
            break
        n -= 1
    else:
        r = "not found"
    return r


@runs((10,))
def while_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2:
            continue
        total += n
    return total


@runs(([3, 1, 0, 5],))
def while_not(items):
    while not items[0]:
        items.pop(0)
    while items:
        items.pop()
    return items


@runs((None,))
def while_none(x):
    n = 0
    while x is None:
        n += 1
        if n > 3:
            x = n
    return x


@runs(([(1, (2, None))],), ([None],))
def while_is_not_none(box):
    node = box[0]
    n = 0
    while node is not None:
        n += node[0]
        node = node[1]
    return n


@runs((4,))
def while_walrus(n):
    r = []
    while (n := n - 1) > 0:
        r.append(n)
    return r


@runs(([1, 2, 3],), ([],), ("ab",))
def for_(items):
    r = 0
    for item in items:
        r = r * 7 + len(str(item))
    return r


@runs((5,), (0,))
def for_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


@runs((2, 11, 3))
def for_range_step(a, b, c):
    r = []
    for i in range(a, b, c):
        r.append(i)
    return r


@runs(([1, 2, 3], 2), ([1, 3], 2), ([], 2))
def for_else(items, x):
    for item in items:
        if item == x:
            break
    else:
        return "missing"
    return "found"


@runs(([1, 2, 3],), ([],))
def for_else_without_break(items):
    n = 0
    for item in items:
        n += item
    else:
        n += 100
    return n


@runs(([5, 0, 3],))
def for_continue(items):
    r = 0
    for x in items:
        if not x:
            continue
        r += x
    return r


@runs(([5, 0, 3],), ([],))
def for_return(items):
    for x in items:
        if not x:
            return "zero"


@runs(([[1, 2], [3], []],))
def nested_for(rows):
    total = 0
    for row in rows:
        for x in row:
            total += x
    return total


@runs(([[1, 0, 2], [3], [0]],))
def nested_break(rows):
    r = []
    for row in rows:
        for x in row:
            if not x:
                break
            r.append(x)
        else:
            r.append("end")
            continue
        r.append("broken")
    return r


@runs((3,))
def nested_while(n):
    r = 0
    i = 0
    while i < n:
        j = 0
        while j < i:
            r += i * j
            j += 1
        i += 1
    return r


@runs((5, 4))
def invariant_travels(n, k):
    a = k
    r = 0
    for i in range(n):
        for j in range(i):
            r += a * j
    return r, a


@runs(([(1, 2), (3, 4)],), ([(1, 2, 3)],))
def for_unpack(pairs):
    r = 0
    for a, b in pairs:
        r += a * b
    return r


@runs(([(1, (2, 3))],))
def for_unpack_nested(items):
    r = []
    for a, (b, c) in items:
        r.append(a + b * c)
    return r


@runs((["a", "b"],))
def for_enumerate(items):
    r = ""
    for i, x in enumerate(items):
        r += str(i) + x
    return r


@runs(({"a": 1, "b": 2},))
def for_dict_items(d):
    r = []
    for k, v in d.items():
        r.append(k * v)
    return r


@runs(([1, 2, 3],))
def for_target_is_item(items):
    d = {}
    for d["x"] in items:
        pass
    return d


@runs(([1, 2, 3],), ([],))
def for_over_first_only(items):
    first = None
    for first in items:  # noqa: B007
        break
    return first


@runs((7,))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@runs((48, 36), (17, 5))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@runs((30,))
def sieve(n):
    flags = [True] * n
    primes = []
    for i in range(2, n):
        if flags[i]:
            primes.append(i)
            for j in range(i * i, n, i):
                flags[j] = False
    return primes


@runs(([3, 1, 2],), ([],))
def insertion_sort(items):
    for i in range(1, len(items)):
        x = items[i]
        j = i - 1
        while j >= 0 and items[j] > x:
            items[j + 1] = items[j]
            j -= 1
        items[j + 1] = x
    return items


@runs((27,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@runs((0,), (1,))
def loop_in_branch(x):
    r = 0
    if x:
        for i in range(3):
            r += i
    else:
        while r < 10:
            r += 4
    return r


@runs((3, 5))
def two_loops(a, b):
    r = 0
    for i in range(a):
        r += i
    for i in range(b):
        r -= i
    return r
