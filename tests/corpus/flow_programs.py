"""Small programs: several constructs together."""

from corpus import runs


@runs(("hello world hello",), ("",))
def word_counts(text):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    return sorted(counts.items())


@runs(("+++[>++<-]>.",), ("[",), ("]",))
def match_brackets(program):
    stack = []
    pairs = {}
    for i, c in enumerate(program):
        if c == "[":
            stack.append(i)
        elif c == "]":
            if not stack:
                raise ValueError(f"unmatched ] at {i}")
            j = stack.pop()
            pairs[i] = j
            pairs[j] = i
    if stack:
        raise ValueError("unmatched [")
    return pairs


@runs(("1 2 + 3 *",), ("1 +",), ("1 0 /",), ("2 x",))
def rpn(text):
    stack = []
    for token in text.split():
        if token in ("+", "-", "*", "/"):
            try:
                b = stack.pop()
                a = stack.pop()
            except IndexError:
                return "underflow"
            if token == "+":
                stack.append(a + b)
            elif token == "-":
                stack.append(a - b)
            elif token == "*":
                stack.append(a * b)
            else:
                try:
                    stack.append(a // b)
                except ZeroDivisionError:
                    return "division by zero"
        else:
            try:
                stack.append(int(token))
            except ValueError as e:
                return f"bad token: {e}"
    return stack[-1]


@runs(([5, 3, 8, 1],), ([],), ([1],))
def quicksort(items):
    if len(items) <= 1:
        return items
    pivot = items[0]
    less = [x for x in items[1:] if x < pivot]
    more = [x for x in items[1:] if x >= pivot]
    return less + [pivot] + more


@runs(([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4), ([], 1))
def binary_search(items, x):
    low, high = 0, len(items)
    while low < high:
        mid = (low + high) // 2
        if items[mid] == x:
            return mid
        if items[mid] < x:
            low = mid + 1
        else:
            high = mid
    return -1


@runs((bytes([1, 2, 255]),), (b"",))
def crc(data):
    c = 0xFFFFFFFF
    for byte in data:
        c ^= byte
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
    return c ^ 0xFFFFFFFF


@runs(([[1, 2], [3, 4]], [[0, 1], [1, 0]]))
def matrix_product(a, b):
    n = len(a)
    result = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            s = 0
            for k in range(n):
                s += a[i][k] * b[k][j]
            result[i][j] = s
    return result


@runs((1,), (9,), (10,))
def newton(n):
    x = n
    while True:
        y = (x + n // x) // 2
        if y >= x:
            return x
        x = y


@runs(("a=1;b=2;c",), ("",))
def parse_pairs(text):
    result = {}
    errors = 0
    for part in text.split(";"):
        key, sep, value = part.partition("=")
        if not sep:
            errors += 1
            continue
        try:
            result[key] = int(value)
        except ValueError:
            errors += 1
    return result, errors


@runs((3,))
def hanoi_moves(n):
    moves = []
    todo = [(n, "a", "b", "c")]
    while todo:
        k, src, via, dst = todo.pop()
        if k == 0:
            continue
        if k == 1:
            moves.append(src + dst)
        else:
            todo.append((k - 1, via, src, dst))
            todo.append((1, src, via, dst))
            todo.append((k - 1, src, dst, via))
    return moves


@runs(("abcbdab", "bdcaba"), ("", "x"))
def longest_common_subsequence(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        previous = 0
        for j, y in enumerate(b):
            saved = row[j + 1]
            row[j + 1] = previous + 1 if x == y else max(row[j], row[j + 1])
            previous = saved
    return row[-1]


@runs(([("a", 1), ("b", None), ("c", 3)],))
def filter_and_describe(items):
    lines = []
    for name, value in items:
        if value is None or name == "skip":
            continue
        lines.append(f"{name:>3}: {value * 2!r}")
    return "\n".join(lines)
