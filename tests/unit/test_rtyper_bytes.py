"""bytes and bytearray under CPython and translated."""

from __future__ import annotations

import itertools

import pytest

from rpython.annotator.annotator import RPythonAnnotator
from rpython.annotator.lattice.model import SomeBytes
from rpython.rlib.rarithmetic import r_uint
from rpython.rtyper.rtyper import RPythonTyper
from rpython.translator.api import interpret
from rpython.translator.ir.errors import TranslationError
from tests.unit.differential import agree

SAMPLES = [b"", b"a", b"abcabc", b"\x00\xff\x80", bytes(range(256))]
INDICES = [-300, -4, -3, -1, 0, 1, 2, 3, 255, 256, 1 << 62]


def both(sequences=SAMPLES):
    """Each sample as bytes, then each as a bytearray."""
    return list(sequences), [bytearray(b) for b in sequences]


def test_item():
    def f(b, i):
        return b[i]

    for samples in both():
        agree(f, *itertools.product(samples, INDICES))


def test_item_at_constants():
    def f(b):
        return b[0], b[-1], b[2], b[-3]

    for samples in both():
        agree(f, *samples)


def test_slices():
    def f(b, i, j):
        return b[i:j], b[i:], b[:j], b[:]

    for samples in both(SAMPLES[:4]):
        agree(f, *itertools.product(samples, INDICES, INDICES))


def test_slices_with_step():
    def f(b, i, j, k):
        return b[i:j:k], b[::k], b[i::k], b[:j:k]

    for samples in both([b"", b"abcdefg"]):
        bounds = (-9, -2, 0, 3, 9)
        agree(f, *itertools.product(samples, bounds, bounds, (-3, -1, 0, 1, 2, -(1 << 63))))


def test_slice_copies_a_bytearray():
    def f(a):
        b = a[:]
        b.append(1)
        c = a.copy()
        c.append(2)
        return len(a), len(b), a is b

    agree(f, bytearray(b"abc"))


def test_compare():
    def f(a, b):
        return a == b, a != b, a < b, a <= b, a > b, a >= b

    pairs = [b"", b"a", b"ab", b"b", b"a\x00", b"\xff"]
    for make_a, make_b in itertools.product((bytes, bytearray), repeat=2):
        agree(f, *((make_a(a), make_b(b)) for a in pairs for b in pairs))


def test_add_and_multiply():
    def f(a, b, n):
        return a + b, b + a, a * n, n * b, len(a), not a

    for make_a, make_b in itertools.product((bytes, bytearray), repeat=2):
        agree(f, *((make_a(a), make_b(b), n) for a in SAMPLES[:4] for b in SAMPLES[:3]
                   for n in (-1, 0, 1, 2, 5)))  # fmt: skip


def test_too_long_to_repeat():
    def f(b, n):
        return len(b * n)

    agree(f, (b"ab", 1 << 62), (b"", 1 << 62), (b"ab", -(1 << 62)))
    agree(f, (bytearray(b"ab"), 1 << 62), (bytearray(b""), 1 << 62))


def test_contains():
    def f(b, c, n):
        return c in b, n in b

    for samples in both():
        parts = (b"", b"a", b"bc", b"ca", b"abcabcd", b"\xff")
        agree(f, *itertools.product(samples, parts, (0, 97, 255, 256, -1)))


def test_search():
    def f(b, c, i, j):
        return (
            b.find(c), b.find(c, i), b.find(c, i, j), b.rfind(c), b.rfind(c, i, j),
            b.count(c), b.count(c, i, j), b.startswith(c), b.endswith(c), b.find(c, None, j),
        )  # fmt: skip

    for samples in both(SAMPLES[:4]):
        parts = (b"", b"a", b"bc", b"abcabcd")
        bounds = (-7, -1, 0, 2, 6, 7, 99)
        agree(f, *itertools.product(samples, parts, bounds, bounds))


def test_search_for_a_byte():
    def f(b, c, i, j):
        return b.find(c), b.find(c, i, j), b.rfind(c, i), b.count(c, i, j), b.index(c)

    for samples in both(SAMPLES[:4]):
        agree(f, *itertools.product(samples, (97, 255, 256, -1), (-2, 0, 4), (-1, 3, 9)))


def test_iteration():
    def f(b):
        n = 0
        for x in b:
            n = n * 7 + x
        for i, x in enumerate(reversed(b)):
            n += i * x
        return n

    agree(f, b"", b"a", b"abc\xff")


def test_iteration_over_a_bytearray_that_grows():
    def f(a, n):
        total = 0
        for x in a:
            total += x
            if n > 0:
                n -= 1
                a.append(n)
        return total, bytes(a)

    agree(f, (bytearray(b"ab"), 0), (bytearray(b"ab"), 9), (bytearray(), 3))


def test_exhausted_iterator_stays_exhausted():
    def f(a):
        it = iter(a)
        n = 0
        for x in it:
            n += x
        a.append(1)
        for x in it:
            n += 1000 * x
        return n

    agree(f, bytearray(b"ab"))


def test_unpack():
    def f(b):
        x, y = b
        return x - y

    agree(f, b"ab", b"a", b"abc", b"")


def test_construction():
    def f(items, n):
        return bytes(items), bytearray(items), bytes(range(n)), bytearray(range(n, 0, -2))

    agree(f, ([1, 2, 255], 3), ([], 0), ([256], 1), ([-1], 1), ([1], 256), ([1], 257))


def test_zeros():
    def f(n):
        return bytes(n), bytearray(n)

    agree(f, 0, 5, -1)


def test_conversion():
    def f(b, a):
        return bytes(a), bytearray(b), bytes(b), bytearray(a), b"", bytearray()

    agree(f, (b"abc", bytearray(b"xyz")), (b"", bytearray()))


def test_conversion_copies_a_bytearray():
    def f(a):
        b = bytearray(a)
        b[0] = 0
        c = bytes(a)
        a[1] = 1
        return a, b, c

    agree(f, bytearray(b"abc"))


class Holder:
    def __init__(self, data, start):
        self.data = data
        self.start = start


def test_slice_of_a_converted_bytearray():
    def f(a, i, j):
        h = Holder(a, i)
        b = bytes(h.data)[h.start : j]
        c = bytes(a)[h.start :]
        d = bytes(a)
        e = d[i:j]
        a.append(1)
        return b, c, d, e, bytes(a)[::2], bytes(a)[0]

    agree(f, *((bytearray(b"abcdef"), i, j) for i in (-9, -2, 0, 3, 9) for j in (-3, 0, 4, 9)))


def test_slice_of_a_converted_bytearray_is_taken_before_it_changes():
    def f(a):
        b = bytes(a)
        a[0] = 0
        return b[0:2]

    agree(f, bytearray(b"abc"))


def test_conversion_of_none():
    def f(n):
        a = bytearray(b"ab") if n else None
        return bytes(a)

    def g(n):
        a = b"ab" if n else None
        return bytearray(a)

    def only_none():
        return bytes(None)

    agree(f, 1, 0)
    agree(g, 1, 0)
    agree(only_none, ())


def test_set_item():
    def f(a, i, x):
        try:
            a[i] = x
        except (IndexError, ValueError) as e:
            return str(e), a
        return "", a

    samples = [bytearray(b) for b in (b"", b"abc")]
    agree(f, *itertools.product(samples, (-4, -3, -1, 0, 2, 3), (0, 255)))
    agree(f, *itertools.product([bytearray(b"abc")], (-3, -1, 0, 2), (256, -1, 1 << 62)))


def test_append():
    def f(n, x):
        a = bytearray()
        for i in range(n):
            a.append(i)
        a.append(x)
        return a

    agree(f, *itertools.product((0, 1, 15, 16, 17, 100, 256), (0, 255, 256, -1)))


def test_extend():
    def f(a, b, items):
        a.extend(b)
        a.extend(a)
        a += b
        try:
            a.extend(items)
        except ValueError as e:
            return str(e), a
        return "", a

    for samples in both([b"", b"x", b"hello" * 9]):
        agree(f, *((bytearray(a), b, items) for a in (b"", b"ab") for b in samples
                   for items in ([1, 2], [], [1, 256])))  # fmt: skip


def test_in_place():
    def f(a, n):
        b = a
        b *= n
        b += b"end"
        return a, a is b

    agree(f, *((bytearray(a), n) for a in (b"", b"ab") for n in (-1, 0, 1, 3)))


def test_add_itself_in_place():
    def f(a):
        a += a
        return a

    agree(f, bytearray(), bytearray(b"x"))


def test_delete_and_assign_slices():
    def f(a, i, j, b):
        c = a[:]
        del c[i:j]
        d = a[:]
        d[i:j] = b
        return c, d

    bounds = (-9, -2, 0, 1, 3, 9)
    agree(f, *((bytearray(b"abcdef"), i, j, b) for i in bounds for j in bounds
               for b in (b"", b"X", b"long text")))  # fmt: skip


def test_assign_itself_to_a_slice():
    def f(a, i, j):
        a[i:j] = a
        return a

    agree(f, *((bytearray(b"abcdef"), i, j) for i in (0, 2, 6) for j in (0, 1, 3, 6)))


def test_delete_items():
    def f(a, i, j, k):
        text, left = "", a
        b = a[:]
        del b[i:j:k]
        try:
            del left[i]
        except IndexError as e:
            text = str(e)
        return text, left, b

    bounds = (-9, -2, 0, 1, 3, 9)
    agree(f, *((bytearray(b"abcdefg"), i, j, k) for i in bounds for j in bounds
               for k in (-3, -1, 1, 2)))  # fmt: skip


def test_pop_insert_clear_reverse():
    def f(a, i):
        try:
            x = a.pop()
            y = a.pop(i)
        except IndexError as e:
            return str(e), a
        a.insert(i, x)
        a.reverse()
        b = a.copy()
        a.clear()
        a.append(y)
        return "", a + b

    agree(f, *((bytearray(a), i) for a in (b"", b"a", b"ab", b"abcdef")
               for i in (-9, -2, -1, 0, 1, 4, 9)))  # fmt: skip


TEXTS = ["", "abc", "a\xe9", "a\u20acx", "\U0001f600z", "\x7f\x80\u07ff\u0800\uffff\U00010000"]
NOT_UTF8 = [
    b"\xff", b"a\xc3", b"a\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80", b"\xc0\x80", b"\xf0\x9f\x28z", b"\xf0\x80\x80\x80", b"\xe0\x80\x80",
    b"ok \xc3\xa9 \x80", b"\xf5\x80", b"\xe1", b"\xf1\x80\x80",
]  # fmt: skip


def test_decode():
    def f(b):
        return b.decode(), b.decode("utf-8", "strict"), b.decode(encoding="UTF8")

    for samples in both([*(text.encode() for text in TEXTS), *NOT_UTF8]):
        agree(f, *samples)


def test_decode_latin1():
    def f(b):
        return b.decode("latin-1")

    agree(f, *SAMPLES)


def test_decode_ascii():
    def f(b):
        return b.decode("ascii")

    agree(f, b"", b"abc", b"ab\x80", b"\xff")


def test_undecodable_is_a_value_error():
    def f(b):
        try:
            return b.decode()
        except ValueError:
            return "not text"

    agree(f, b"abc", b"\xff")


TO_PRINT = [b"", b"abc", b"it's", b'"', b"'\"", b"\\ \t\n\r\x00\x1f\x7f\x80\xff ~"]


def test_text():
    def f(b):
        return str(b), repr(b), f"{b}{b!r}", str([b, b]), str((b,))

    for samples in both(TO_PRINT):
        agree(f, *samples)


def test_join():
    def f(sep, items):
        return sep.join(items), sep.join([]), b"".join(items + [sep])

    agree(f, *((sep, items) for sep in (b"", b", ")
               for items in ([b"a"], [b"", b""], [b"a", b"bc", b"\xff"])))  # fmt: skip


def test_built_in_functions():
    def f(b, c):
        pairs = [x * y for x, y in zip(b, c)]
        return max(b), min(b), sum(b), sorted(b), list(b), pairs

    agree(f, (b"abc", bytearray(b"xy")), (b"\xff", bytearray()))


class Record:
    def __init__(self):
        self.array = bytearray()
        self.data = b""


def test_in_containers():
    def f(n):
        record = Record()
        for i in range(n):
            record.array += bytes([i])
            record.data += bytes([i])
        record.array[0] += 3
        record.array[-1] ^= 255
        items = [b"1", record.data]
        named = {"a": record.data, "b": b"y"}
        found = b"1" in items, items.index(record.data), (b"a", n) == (b"a", 2)
        return record.array, named["a"], found

    agree(f, 3, 0, 256)


def test_sized_integers_as_bytes():
    def f(n):
        a = bytearray(3)
        a[r_uint(n)] = r_uint(n)
        a.append(r_uint(n))
        a.append(True)
        return a

    agree(f, 1, 2)


def test_ord():
    def f(b):
        return ord(b)

    for samples in both([b"a", b"\xff", b"", b"ab"]):
        agree(f, *samples)


PREBUILT = bytearray(b"abc")
EMPTY_AT_FIRST = bytearray()
SHARED = [PREBUILT, PREBUILT]


def test_prebuilt_bytearray_keeps_its_identity():
    def f(n):
        PREBUILT.append(n)
        return bytes(SHARED[1]), SHARED[0] is SHARED[1]

    assert interpret(f, [100]) == (b"abcd", True)
    assert bytes(PREBUILT) == b"abc"


def test_truth_of_a_prebuilt_bytearray():
    def f(n):
        before = bool(EMPTY_AT_FIRST)
        EMPTY_AT_FIRST.append(n)
        return before, bool(EMPTY_AT_FIRST), not EMPTY_AT_FIRST, EMPTY_AT_FIRST == b"\x05"

    assert interpret(f, [5]) == (False, True, False, True)


def test_equal_constants_are_one_object():
    r = RPythonTyper(RPythonAnnotator()).getrepr(SomeBytes())
    first, second = (r.convert_const(bytes([120, 121])) for _ in range(2))
    assert first == second


def test_none():
    def f(n):
        b = b"abc" if n else None
        return b[0]

    agree(f, 1, 0)


def test_a_slice_with_a_step_keeps_the_length():
    def f(a):
        a[::2] = b"x"
        return a

    agree(f, bytearray(b"abc"), bytearray(b"a"))
