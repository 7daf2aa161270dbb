"""Attributes that may be read before they are set.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class P1:
    def __init__(self, o, n):
        t = self if o is None else o
        t.a = n


@agrees(*range(-2, 6))
def test_init_assigns_through_an_alias(i):
    base = P1(None, 1)
    q = P1(base, i)
    return q.a


class P2:
    def __init__(self, n):
        try:
            self.setup(n)
        except ValueError:
            pass

    def setup(self, n):
        if n > 2:
            raise ValueError
        self.a = n


@agrees(*range(-2, 6))
def test_init_catches_before_assigning(i):
    return P2(i).a


class P3:
    def __init__(self, n):
        if n > 1:
            self.a = 0
        t = self.me().a
        self.a = n + t

    def me(self):
        return self


@agrees(*range(-2, 6))
def test_init_reads_through_a_returned_self(i):
    return P3(i).a


class P4:
    def __init__(self, n):
        self.hook(n)
        self.a = n

    def hook(self, n):
        pass


class P4b(P4):
    def hook(self, n):
        self.b = self.a


@agrees(*range(-2, 6))
def test_overridden_hook_reads_early(i):
    p = P4b(i) if i > 2 else P4(i)
    return p.a


class P5:
    def __init__(self, n):
        for k in range(n):
            self.a = k


@agrees(*range(-2, 6))
def test_init_assigns_in_a_loop(i):
    return P5(i).a


class P6:
    def __init__(self, reg, n):
        reg.append(self)
        if len(reg) > 1:
            n += reg[0].a
        if n % 2:
            n += reg[-1].a
        self.a = n


@agrees(*range(-2, 6))
def test_init_lets_self_escape(i):
    r = []
    x = P6(r, i)
    y = P6(r, 4)
    return y.a


class P7:
    def __init__(self, n):
        self.me = self
        self.n = n
        self.a = self.me.n


@agrees(*range(-2, 6))
def test_init_stores_self(i):
    return P7(i).me.a


class P8:
    def __init__(self, n):
        while True:
            if n > 3:
                break
            self.a = n
            n += 1
        self.b = n


@agrees(*range(-2, 6))
def test_init_assigns_in_a_while_loop(i):
    return P8(i).a + P8(i).b


class P9:
    def __init__(self, n):
        try:
            self.a = 10 // n
        finally:
            self.b = 1


@agrees(*range(-2, 6))
def test_init_with_finally(i):
    return P9(i).a + P9(i).b


class P10a:
    def __init__(self):
        self.a = 1


class P10(P10a):
    def __init__(self, n):
        if n:
            P10a.__init__(self)
        self.b = 2


@agrees(*range(-2, 6))
def test_base_init_called_on_some_paths(i):
    return P10(i).a + P10(i).b


class P11:
    def __init__(self, n):
        s = self
        s.a = n
        u = s
        u.b = s.a + 1


@agrees(*range(-2, 6))
def test_init_assigns_through_local_names(i):
    return P11(i).a + P11(i).b


class P12:
    def __init__(self, n):
        f = self.setit
        f(n)

    def setit(self, n):
        self.a = n


@agrees(*range(-2, 6))
def test_init_calls_its_bound_method(i):
    return P12(i).a


class P13:
    def __init__(self, n, *rest):
        if len(rest):
            self.a = n


@agrees(*range(-2, 6))
def test_init_with_rest_arguments(i):
    p = P13(i, 1) if i > 2 else P13(i)
    return p.a


class P14:
    def __init__(self, n):
        self.init2(n)

    def init2(self, n):
        if n > 0:
            self.init2(n - 1)
        else:
            self.a = 5


@agrees(*range(-2, 6))
def test_init_calls_a_recursive_method(i):
    return P14(i).a


class P15:
    def __init__(self, n):
        try:
            self.always(n)
        except ValueError:
            self.a = n

    def always(self, n):
        x = self.a
        raise ValueError


@agrees(*range(-2, 6))
def test_init_reads_early_in_a_method_that_raises(i):
    return P15(i).a


class P16:
    def __init__(self, n):
        if n > 2:
            return
        self.a = n


@agrees(*range(-2, 6))
def test_init_returns_early(i):
    return P16(i).a


def setter(o, n):
    o.a = n


class P17:
    def __init__(self, n):
        setter(self, n)


@agrees(*range(-2, 6))
def test_function_assigns_attributes(i):
    return P17(i).a
