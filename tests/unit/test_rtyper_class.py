"""Instances and classes.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from dataclasses import dataclass

from differential import agrees


class A:
    tag = 1

    def __init__(self, x):
        self.x = x

    def m(self):
        return self.x + self.tag

    def n(self):
        return self.m() * 2


class B(A):
    tag = 2

    def __init__(self, x):
        super().__init__(x + 100)
        self.y = x

    def m(self):
        return super().m() + 1000


class C(B):
    def m(self):
        return self.y - super().m()

    def n(self):
        return B.n(self) + 5


class D(A):
    tag = 7


class E(C):
    def __init__(self, x, z=3, *, k=4):
        C.__init__(self, x)
        self.z = z + k

    def extra(self):
        return self.z


def make(i):
    if i == 0:
        return A(1)
    if i == 1:
        return B(2)
    if i == 2:
        return C(3)
    if i == 3:
        return D(4)
    if i == 4:
        return E(5, k=9)
    return None


@agrees(*range(-2, 6))
def test_virtual_methods_at_several_levels(i):
    o = make(i)
    return o.m() * 3 + o.n() * 7 + o.tag


@agrees(*range(-2, 6))
def test_isinstance_with_classes_tuples_and_none(i):
    o = make(i)
    r = 0
    if isinstance(o, A):
        r += 1
    if isinstance(o, B):
        r += 2
    if isinstance(o, (C, D)):
        r += 4
    if isinstance(o, (C, D, type(None))):
        r += 8
    if isinstance(o, type(None)):
        r += 16
    if isinstance(o, object):
        r += 32
    if isinstance(o, E):
        r += 64 + o.extra()
    if o:
        r += 128
    if not o:
        r += 256
    if o is None:
        r += 512
    if o == None:
        r += 1024
    if o != None:
        r += 2048
    return r


@agrees(*range(-2, 6))
def test_narrowing_by_isinstance(i):
    o = make(i)
    if isinstance(o, (C, D)) and isinstance(o, E):
        return o.extra()
    if isinstance(o, E) or o is None:
        return -1
    if not isinstance(o, B):
        return o.x
    return o.y


@agrees(*range(-2, 6))
def test_exact_class(i):
    o = make(i)
    if o is None:
        return -1
    r = 0
    if type(o) is A:
        r += 1
    if type(o) is B:
        r += 2
    if type(o) == C:
        r += 4
    if type(o) is not D:
        r += 8
    return r


@agrees(*range(-2, 6))
def test_class_names(i):
    o = make(i)
    if o is None:
        return "none"
    return type(o).__name__ + A.__name__ + B.__name__


@agrees(*range(-2, 6))
def test_instantiating_a_class_in_a_variable(i):
    c = A if i % 2 else B
    o = c(i)
    return o.m() + c.tag


@agrees(*range(-2, 6))
def test_instantiating_a_class_from_a_list(i):
    cs = [A, B, C, D]
    return cs[i](i).m()


@agrees(*range(-2, 6))
def test_instantiating_classes_of_a_tuple(i):
    cs = (A, B, C, D)
    t = 0
    for c in cs:
        t = t * 3 + c(i).m()
    return t


@agrees(*range(-2, 6))
def test_instantiating_a_class_from_a_dict(i):
    d = {0: A, 1: B, 2: D}
    return d[i](3).m()


@agrees(*range(-2, 6))
def test_instantiating_a_class_by_name(i):
    d = {"a": A, "b": B}
    return d["ab"[i]](3).m()


@agrees(*range(-2, 6))
def test_method_of_none_raises(i):
    o = make(i)
    try:
        return o.m()
    except AttributeError as e:
        return -5


@agrees(*range(-2, 6))
def test_message_of_method_of_none(i):
    o = make(i)
    try:
        return str(o.m())
    except AttributeError as e:
        return str(e)


@agrees(*range(-2, 6))
def test_attribute_of_deepest_class(i):
    o = make(i)
    if isinstance(o, E):
        return o.z
    return 0


class Un:
    def __init__(self, n):
        if n > 0:
            self.a = n
        if n > 1:
            self.b = "x"
        if n > 2:
            self.o = Un(n - 1)


@agrees(*range(-2, 6))
def test_attribute_set_on_some_paths(n):
    return Un(n).a


@agrees(*range(-2, 6))
def test_str_attribute_set_on_some_paths(n):
    return Un(n).b


@agrees(*range(-2, 6))
def test_equality_is_identity(i):
    a = A(1)
    b = A(1)
    c = a
    return (a == b, a is b, a is c, a == c, a != b, a is not b, a != c)


@agrees(*range(-2, 6))
def test_equality_of_unrelated_classes(i):
    a = A(1)
    b = Un(5)
    return (a == b, a != b)


@agrees(*range(-2, 6))
def test_identity_of_unrelated_classes(i):
    a = A(1)
    b = Un(5)
    return a is b


@agrees(*range(-2, 6))
def test_comparing_with_none(i):
    a = make(i)
    b = make(i + 1)
    return (a is b, a == b, a != b)


@agrees(*range(0, 5))
def test_class_of_an_instance(i):
    o = make(i) or A(7)
    return o.__class__.__name__ + str(o.__class__ is B)


@dataclass
class Point:
    x: int
    y: int = 3

    def norm(self):
        return self.x * self.x + self.y


@dataclass
class Point3(Point):
    z: int = 4


@agrees(*range(-2, 6))
def test_dataclasses(i):
    p = Point(i) if i % 2 else Point3(i, z=9)
    z = p.z if isinstance(p, Point3) else 0
    return p.norm() + Point(i, 2).norm() + z
