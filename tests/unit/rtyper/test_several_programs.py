"""Programs of one process: what one of them asked of a class is asked again for the next, which
has other classes below it and other values in it."""

import os

from rpython.translator.api import interpret


class Plain(Exception):
    pass


def name_of_file(odd, n):
    try:
        if n == 0:
            os.stat("/nowhere/x")
        if n == 1:
            raise odd(n)
        raise KeyError(n)
    except Exception as e:
        return str(e.filename)


def test_a_property_of_a_class_that_is_made_after_the_first_program():
    assert interpret(lambda n: name_of_file(Plain, n), [0]) == "/nowhere/x"

    class Odd(Exception):
        @property
        def filename(self):
            return "odd"

    assert interpret(lambda n: name_of_file(Odd, n), [1]) == "odd"


def test_a_value_beside_a_property_is_changed_between_two_programs(monkeypatch):
    class Base:
        @property
        def size(self):
            return 1

    class Fixed(Base):
        size = 2

    def f(n):
        return [Base(), Fixed()][n].size

    assert interpret(f, [1]) == 2
    monkeypatch.setattr(Fixed, "size", 3)
    assert interpret(f, [1]) == f(1) == 3
