"""Functions, bound methods and classes as values; arguments.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class A:
    def __init__(self, x):
        self.x = x

    def f(self, y):
        return self.x + y

    def g(self, y, z=2):
        return self.x * y + z

    def h(self):
        return self.x

    @staticmethod
    def s(a):
        return a + 1

    @classmethod
    def make(cls, a):
        return cls(a)

    K = 10


class B(A):
    def f(self, y):
        return self.x - y

    K = 20


def add(a, b):
    return a + b


def sub(a, b=1):
    return a - b


def mul(a, b, *rest):
    return a * b + len(rest)


def fl(a):
    return a * 1.5


def it(a):
    return a + 1


def st(a):
    return str(a)


@agrees(*range(-2, 6))
def test_function_in_a_variable(i):
    f = add if i % 2 else sub
    return f(i, 3)


@agrees(*range(-2, 6))
def test_functions_of_different_signatures(i):
    f = add
    if i == 1:
        f = sub
    elif i == 2:
        f = mul
    return f(i, 3)


@agrees(*range(-2, 6))
def test_functions_called_with_keywords(i):
    f = add if i % 2 else sub
    return f(a=i, b=3) + f(i, b=2)


@agrees(*range(-2, 6))
def test_list_of_functions(i):
    fs = [add, sub, mul]
    t = 0
    for f in fs:
        t = t * 10 + f(i, 2)
    return t


@agrees(*range(-2, 6))
def test_tuple_of_functions(i):
    fs = (add, sub, mul)
    return fs[1](i) + fs[0](i, 2)


FNS = [add, sub, mul]


@agrees(*[(i,) for i in range(4)])
def test_prebuilt_list_of_functions(i):
    return FNS[i](5, 6)


FND = {"add": add, "sub": sub}


@agrees(*range(-2, 6))
def test_prebuilt_dict_of_functions(i):
    return FND["add" if i else "sub"](5, 6)


@agrees(*range(-2, 6))
def test_function_or_none(i):
    f = None
    if i == 1:
        f = add
    if i == 2:
        f = sub
    if f is None:
        return -1
    if f:
        return f(i, i)
    return 0


@agrees(*range(-2, 6))
def test_calling_function_or_none(i):
    f = None
    if i == 1:
        f = add
    if i == 2:
        f = sub
    return f(i, i)


@agrees(*range(-2, 6))
def test_calling_one_function_or_none(i):
    f = None
    if i == 1:
        f = add
    return f(i, i)


@agrees(*range(-2, 6))
def test_truth_of_function_or_none(i):
    f = None
    if i == 1:
        f = add
    if not f:
        return 4
    return f(i, i)


@agrees(*range(-2, 6))
def test_comparing_functions(i):
    f = add if i % 2 else sub
    return (f is add, f == sub, f != add, f is not sub)


@agrees(*range(-2, 6))
def test_star_arguments_to_functions_in_a_variable(i):
    t = (i, 4)
    f = add if i % 2 else sub
    return f(*t)


@agrees(*range(-2, 6))
def test_bound_method(i):
    a = A(i)
    m = a.f
    return m(3)


@agrees(*range(-2, 6))
def test_bound_virtual_method(i):
    a = A(i) if i % 2 else B(i)
    m = a.f
    return m(3)


@agrees(*range(-2, 6))
def test_bound_methods_of_two_classes(i):
    a = A(i)
    b = B(7)
    m = a.f if i % 2 else b.f
    return m(3)


@agrees(*range(-2, 6))
def test_bound_methods_of_two_names(i):
    a = A(i)
    b = B(7)
    m = a.f if i % 2 else b.g
    return m(3)


@agrees(*range(-2, 6))
def test_list_of_bound_methods(i):
    a = A(i)
    b = B(7)
    ms = [a.f, b.g, a.g, b.f]
    t = 0
    for m in ms:
        t = t * 10 + m(2)
    return t


@agrees(*range(-2, 6))
def test_bound_methods_of_two_names_or_none(i):
    m = None
    if i == 1:
        m = A(i).f
    if i == 2:
        m = B(i).g
    if m is None:
        return -1
    return m(4)


@agrees(*range(-2, 6))
def test_bound_method_in_an_attribute(i):
    h = Holder(A(i).f)
    return h.cb(4)


class Holder:
    def __init__(self, cb):
        self.cb = cb


@agrees(*range(-2, 6))
def test_function_in_an_attribute(i):
    h = Holder2(add if i else sub)
    return h.cb(4, 5)


class Holder2:
    def __init__(self, cb):
        self.cb = cb


@agrees(*range(-2, 6))
def test_staticmethods(i):
    return A.s(i) + A(3).s(i)


@agrees(*range(-2, 6))
def test_classmethods(i):
    return A.make(i).h() + B.make(i).f(2)


@agrees(*range(-2, 6))
def test_method_called_through_the_class(i):
    return A.f(B(i), 4)


@agrees(*range(-2, 6))
def test_methods_of_classes_as_functions(i):
    f = A.f if i % 2 else B.f
    return f(B(i), 4)


@agrees(*range(-2, 6))
def test_class_attributes(i):
    return A.K + B.K + B(3).K + (A(1) if i else B(1)).K


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


@agrees(*range(-2, 6))
def test_recursion(i):
    return fact(i + 2)


@agrees(*range(-2, 6))
def test_mutual_recursion(i):
    return even(i + 4)


def dflt(a, b=(1, 2), c=None, d="x"):
    if c is None:
        return a + b[0]
    return a + c.x


@agrees(*range(-2, 6))
def test_defaults(i):
    return dflt(i) + dflt(i, (3, 4)) + dflt(i, c=A(4))


def va(*args):
    return len(args)


def va2(*args):
    return args[0] + args[1]


@agrees(*range(-2, 6))
def test_rest_arguments(i):
    return va2(i, 2) + va2(3, 4)


@agrees(*range(-2, 6))
def test_rest_arguments_of_different_lengths(i):
    return va() + va(1)


def va3(a, *args):
    return a


@agrees(*range(-2, 6))
def test_rest_arguments_after_plain_ones(i):
    return va3(i) + va3(i, 1)


def kwo(a, *, b, c=2):
    return a * 100 + b * 10 + c


@agrees(*range(-2, 6))
def test_keyword_only_arguments(i):
    return kwo(i, b=3) + kwo(b=i, a=2, c=9)


def pos(a, /, b):
    return a - b


@agrees(*range(-2, 6))
def test_positional_only_arguments(i):
    return pos(i, 2) + pos(i, b=3)


def apply(f, x):
    return f(x)


@agrees(*range(-2, 6))
def test_functions_as_arguments(i):
    return apply(it, i) + apply(lambda y: y * 3, i)


@agrees(*range(-2, 6))
def test_class_as_argument(i):
    return apply(A, i).h()


class Callable_:
    def __call__(self, x):
        return x + 3


@agrees(*range(-2, 6))
def test_callable_instances(i):
    return Callable_()(i)


@agrees(*range(-2, 6))
def test_equality_of_bound_methods(i):
    a = A(i)
    return a.f == a.f


@agrees(*range(-2, 6))
def test_name_of_a_function(i):
    return add.__name__


class Ops:
    def __init__(self, t):
        self.t = t

    def run(self, n):
        return self.t[0](n, 1) + self.t[1](n, 2)


@agrees(*range(-2, 6))
def test_tuple_of_functions_in_an_attribute(i):
    return Ops((add, sub)).run(i)


PREM = A(5).f


@agrees(*range(-2, 6))
def test_prebuilt_bound_method(i):
    return PREM(i)


PREML = [A(5).f, B(6).f]


@agrees(*[(0,), (1,), (2,), (-1,)])
def test_prebuilt_list_of_bound_methods(i):
    return PREML[i](i)


@agrees(*range(-2, 6))
def test_virtual_methods_with_keywords(i):
    a = A(i) if i % 2 else B(i)
    return a.g(y=i) + a.g(i, z=5) + a.g(z=1, y=2)


class Init:
    def __init__(self, a, b=2, *, c=3):
        self.v = a * 100 + b * 10 + c


@agrees(*range(-2, 6))
def test_init_with_defaults_and_keywords(i):
    return Init(i).v + Init(i, 5).v + Init(i, c=9).v + Init(b=1, a=i).v + Init(*(i, 2)).v


@agrees(*range(-2, 6))
def test_init_of_a_class_in_a_variable(i):
    c = Init if i % 2 else Init2
    return c(i).v


class Init2(Init):
    def __init__(self, a):
        super().__init__(a, c=a)


def gen(n, f):
    if n == 0:
        return f(n)
    return gen(n - 1, add1 if f is it else it)


def add1(x):
    return x + 10


@agrees(*range(-2, 6))
def test_functions_through_recursion(i):
    return gen(i + 2, it)


@agrees(*range(-2, 6))
def test_conditional_lambda(i):
    f = lambda x: x + 1
    g = (lambda x: x * 2) if i % 2 else f
    return g(i)


def spread(a, *rest):
    return a + len(rest)


@agrees(*range(-2, 6))
def test_star_after_plain_arguments(i):
    t = (i, 4)
    return spread(*t) + spread(1, *t) + spread(*tuple(t))


class Plain:
    def __init__(self, n):
        self.n = n


class Double(Plain):
    def __init__(self, n):
        self.n = n * 2


def pair_or_none(i):
    return (Double(i), 2) if i % 2 else None


def pair_of_base_or_none(i):
    t = pair_or_none(i)
    if i == 4:
        t = (Plain(3), i)
    return t


@agrees(*range(-2, 6))
def test_tuple_or_none_with_a_more_general_item(i):
    t = pair_of_base_or_none(i)
    if t is None:
        return -1
    return t[0].n + t[1]


class TwoMethods:
    def one(self):
        return 1

    def two(self):
        return 2


def method_or_none(i):
    return TwoMethods().one if i % 2 else None


@agrees(*range(-2, 6))
def test_method_or_none_becoming_one_of_two(i):
    method = method_or_none(i)
    if i == 4:
        method = TwoMethods().two
    if method is None:
        return 0
    return method()
