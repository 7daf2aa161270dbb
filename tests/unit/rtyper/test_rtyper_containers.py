"""Random operations on lists and dicts, the same program under CPython and translated."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from rpython.translator.api import Interpretation
from tests.support.differential import outcome


def drive_list(ops):
    """``ops``: (operation, index, value) triples."""
    a = [3, 1, 2]
    log = []
    for op, i, x in ops:
        try:
            if op == 0:
                a.append(x)
            elif op == 1:
                a.insert(i, x)
            elif op == 2:
                log.append(a.pop(i))
            elif op == 3:
                log.append(a[i])
            elif op == 4:
                a[i] = x
            elif op == 5:
                del a[i]
            elif op == 6:
                a[i:x] = [i, x]
            elif op == 7:
                del a[i:x]
            elif op == 8:
                a = a[i:] + a[:i] + a[::x]
            elif op == 9:
                a.remove(x)
            elif op == 10:
                log.append(a.index(x))
            elif op == 11:
                a.sort(reverse=x > 0)
            elif op == 12:
                a *= x
            elif op == 13:
                a[::x] = a[i:]
            elif op == 14:
                a.extend([y for y in a if y > x])
            elif op == 15:
                log.append(a.count(x) * 2 + (x in a))
        except IndexError as error:
            log.append(-len(str(error)))
        except ValueError as error:
            log.append(-1000 - len(str(error)))
        del a[40:]
    return a, log, sum(a), a == log, a < log


def drive_dict(ops):
    """``ops``: (operation, key, value) triples."""
    d = {1: 10, 2: 20}
    words = {"a": 0}
    log = []
    for op, k, x in ops:
        word = str(k)
        try:
            if op == 0:
                d[k] = x
                words[word] = x
            elif op == 1:
                del d[k]
            elif op == 2:
                log.append(d[k])
                log.append(words[word])
            elif op == 3:
                log.append(d.get(k, x))
            elif op == 4:
                log.append(d.pop(k, x))
                del words[word]
            elif op == 5:
                log.append(d.setdefault(k, x))
                words.setdefault(word, x)
            elif op == 6:
                for i in range(x):
                    d[k + i] = i
                    words[str(k + i) + "€"] = i
            elif op == 7:
                for key in d:
                    if key == k:
                        d[key] = x
                    elif key == x:
                        d[key + 100] = 1
            elif op == 8:
                log.append(d.popitem()[0])
            elif op == 9:
                other = d.copy()
                other[k] = x
                d.update(other)
                log.append(len(other))
            elif op == 10:
                d.clear()
            elif op == 11:
                for key in list(d):
                    if key % 2 == x % 2:
                        del d[key]
        except KeyError as error:
            log.append(-len(str(error)))
        except RuntimeError as error:
            log.append(-1000 - len(str(error)))
    return list(d.items()), list(words), log, len(d), sum(d.values())


small = st.integers(-6, 9)
list_ops = st.lists(st.tuples(st.integers(0, 15), small, small), max_size=20)
dict_ops = st.lists(st.tuples(st.integers(0, 11), st.integers(-3, 9), small), max_size=25)


@cache
def translated(f):
    return Interpretation.of(f, [[(1, 1, 1)]])


def same(f, ops):
    expected = outcome(f, (ops,))
    assert outcome(lambda x: translated(f).run([x], checked=True), (ops,)) == expected


@given(list_ops)
@settings(deadline=None)
def test_lists(ops):
    same(drive_list, ops)


@given(dict_ops)
@settings(deadline=None)
def test_dicts(ops):
    same(drive_dict, ops)
