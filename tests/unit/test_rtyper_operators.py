"""Properties, and methods for operators.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class Base:
    lim = 5


class Sub(Base):
    def __init__(self, n):
        self.n = n


PS = [Base(), Sub(4)]
LST = [Sub(1), Sub(2), Base()]


class Prop:
    def __init__(self, x):
        self._x = x

    @property
    def x(self):
        return self._x + 1


@agrees(*range(-2, 6))
def test_property_of_an_instance(i):
    return Prop(i).x


class WithEq:
    def __init__(self, x):
        self.x = x

    def __eq__(self, o):
        return self.x == o.x

    def __hash__(self):
        return 1


@agrees(*range(-2, 6))
def test_user_equality(i):
    return WithEq(i) == WithEq(2)


@agrees(*range(-2, 6))
def test_user_equality_with_none(i):
    return WithEq(i) == None


class WithBool:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        return self.x > 2


@agrees(*range(-2, 6))
def test_user_truth(i):
    return 1 if WithBool(i) else 0


class WithLen:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return self.x


@agrees(*range(-2, 6))
def test_user_length(i):
    return len(WithLen(i + 2))


@agrees(*range(-2, 6))
def test_truth_by_length(i):
    return 1 if WithLen(i + 2) else 0


class WithOps:
    def __init__(self, x):
        self.x = x

    def __add__(self, o):
        return WithOps(self.x + o.x)

    def __lt__(self, o):
        return self.x < o.x

    def __getitem__(self, i):
        return self.x + i

    def __setitem__(self, i, v):
        self.x = v

    def __contains__(self, i):
        return i == self.x

    def __neg__(self):
        return WithOps(-self.x)

    def __iter__(self):
        return iter([1, 2])

    def __str__(self):
        return "W"

    def __repr__(self):
        return "WR"

    def __iadd__(self, o):
        self.x += o
        return self

    def __int__(self):
        return self.x


@agrees(*range(-2, 6))
def test_user_addition(i):
    return (WithOps(i) + WithOps(2)).x


@agrees(*range(-2, 6))
def test_user_order(i):
    return WithOps(i) < WithOps(2)


@agrees(*range(-2, 6))
def test_user_indexing(i):
    return WithOps(i)[3]


@agrees(*range(-2, 6))
def test_user_item_assignment(i):
    w = WithOps(1)
    w[0] = i
    return w.x


@agrees(*range(-2, 6))
def test_user_containment(i):
    return 3 in WithOps(i)


@agrees(*range(-2, 6))
def test_user_negation(i):
    return (-WithOps(i)).x


@agrees(*range(-2, 6))
def test_user_iterator(i):
    t = 0
    for x in WithOps(i):
        t += x
    return t


@agrees(*range(-2, 6))
def test_user_in_place_addition(i):
    w = WithOps(1)
    w += i
    return w.x


@agrees(*range(-2, 6))
def test_default_equality(i):
    w = WithOps(i)
    return w == w


@agrees(*range(-2, 6))
def test_instances_in_a_list(i):
    a = Sub(i)
    return a in [a, Sub(2)]


@agrees(*range(-2, 6))
def test_getattr_with_a_constant_name(i):
    return getattr(Sub(i), "n")


@agrees(*range(-2, 6))
def test_issubclass_of_constants(i):
    return issubclass(Sub, Base)


@agrees(*range(-2, 6))
def test_issubclass_of_a_class_in_a_variable(i):
    c = Sub if i else Base
    return issubclass(c, Sub)


@agrees(*range(-2, 6))
def test_comparing_classes(i):
    o = PS[0] if i else LST[0]
    return type(o) is type(PS[0])
