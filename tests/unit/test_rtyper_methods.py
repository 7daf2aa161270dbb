"""Methods of parts of a hierarchy, callbacks, iterators, properties.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class M:
    pass


class M1(M):
    def go(self):
        return 1


class M2(M):
    def go(self):
        return 2


class M3(M2):
    pass


@agrees(*range(-2, 6))
def test_method_of_some_subclasses_only(i):
    o = M()
    if i == 1:
        o = M1()
    if i == 2:
        o = M2()
    if i == 3:
        o = M3()
    return o.go()


class N:
    def go(self):
        return self.sub()


class N1(N):
    def sub(self):
        return 5


@agrees(*range(-2, 6))
def test_method_of_self_of_some_subclasses_only(i):
    o = N() if i else N1()
    return o.go()


class Abs:
    def area(self):
        raise NotImplementedError

    def twice(self):
        return 2 * self.area()


class Sq(Abs):
    def __init__(self, n):
        self.n = n

    def area(self):
        return self.n * self.n


@agrees(*range(-2, 6))
def test_abstract_methods(i):
    a = Sq(i) if i else Abs()
    return a.twice()


class S1:
    def f(self):
        return 1

    def g(self, c):
        m = self.f if c else self.h
        return m()

    def h(self):
        return 10


class S2(S1):
    def f(self):
        return 2

    def g(self, c):
        m = super().f if c else self.f
        return m() * 100 + super().g(c)


class S3(S2):
    def f(self):
        return 3

    def h(self):
        return super().h() + 1


@agrees(*range(-2, 6))
def test_super_methods_as_values(i):
    s = S3() if i % 2 else S2()
    return s.g(i > 1) + S1().g(i > 2)


class AL:
    def f(self):
        return 1

    g = f


class AL2(AL):
    def f(self):
        return 2


PG = AL2().g

PL = [AL2().g, AL().f]


@agrees(*range(-2, 6))
def test_method_with_two_names(i):
    return AL2().g() * 10 + PG() + PL[i % 2]()


@agrees(*range(-2, 6))
def test_bound_methods_as_callbacks(i):
    acc = Acc()
    run(acc.add, i)
    run(acc.sub, 2)
    return acc.t


class Acc:
    def __init__(self):
        self.t = 0

    def add(self, n):
        self.t += n

    def sub(self, n):
        self.t -= 2 * n


def run(cb, n):
    for k in range(n):
        cb(k)


class Cb:
    def __init__(self):
        self.cbs = []

    def on(self, f):
        self.cbs.append(f)

    def fire(self, n):
        for f in self.cbs:
            f(n)


@agrees(*range(-2, 6))
def test_list_of_callbacks(i):
    c = Cb()
    a = Acc()
    c.on(a.add)
    c.on(a.sub)
    c.on(a.add)
    c.fire(i)
    return a.t


class Vis:
    def visit(self, n):
        return n.accept(self)

    def num(self, n):
        return n.v

    def add(self, n):
        return self.visit(n.l) + self.visit(n.r)


class Num:
    def __init__(self, v):
        self.v = v

    def accept(self, vis):
        return vis.num(self)


class Add(Num):
    def __init__(self, l, r):
        self.l = l
        self.r = r

    def accept(self, vis):
        return vis.add(self)


class Vis2(Vis):
    def add(self, n):
        return self.visit(n.l) * self.visit(n.r)


@agrees(*range(-2, 6))
def test_visitor(i):
    t = Add(Num(i), Add(Num(2), Num(3)))
    v = Vis() if i % 2 else Vis2()
    return v.visit(t)


class St:
    def __init__(self):
        self.state = self.idle
        self.n = 0

    def idle(self, x):
        if x > 1:
            self.state = self.busy

    def busy(self, x):
        self.n += x
        if x > 3:
            self.state = self.idle

    def step(self, x):
        self.state(x)


@agrees(*range(-2, 6))
def test_state_machine(i):
    s = St()
    for k in range(i + 3):
        s.step(k)
    return s.n


class R1:
    def f(self, x):
        return x

    def opt(self):
        return None


class R2(R1):
    def f(self, x, y=3):
        return x + y

    def opt(self):
        return self


class R3(R1):
    def f(self, *a):
        return a[0] * 2


@agrees(*range(-2, 6))
def test_overriding_with_other_signatures(i):
    r = R1()
    if i == 1:
        r = R2()
    if i == 2:
        r = R3()
    o = r.opt()
    return r.f(i) + (5 if o is None else o.f(1))


class G:
    pass


class G1(G):
    def __init__(self):
        self.v = 1


class G2(G):
    def __init__(self):
        self.v = 2
        self.w = 3


@agrees(*range(-2, 6))
def test_attribute_generalised_to_the_base(i):
    g = G1() if i % 2 else G2()
    g.v += 1
    r = g.v
    if isinstance(g, G2):
        r += g.w
    return r


@agrees(*range(-2, 6))
def test_attribute_missing_in_the_base(i):
    g = None
    if i == 1:
        g = G1()
    elif i == 2:
        g = G2()
    elif i == 3:
        g = G()
    return g.v


class Q:
    cnt = 0
    name = "q"

    def inc(self):
        self.cnt += 1
        return self.cnt


class Q2(Q):
    name = "q2"
    cnt = 10


@agrees(*range(-2, 6))
def test_class_level_defaults(i):
    q = Q() if i % 2 else Q2()
    q.inc()
    return q.name + str(q.inc()) + str(Q.cnt)


@agrees(*range(-2, 6))
def test_class_or_none(i):
    class_or = None
    if i == 1:
        class_or = Q
    if i == 2:
        class_or = Q2
    if class_or is None:
        return "none"
    return class_or.name + class_or().name + class_or.__name__


@agrees(*range(-2, 6))
def test_instantiating_none(i):
    c = None
    if i == 1:
        c = Q
    if i == 2:
        c = Q2
    return c().name


@agrees(*range(-2, 6))
def test_properties(i):
    return Pr(i).area


class Pr:
    def __init__(self, n):
        self.n = n

    @property
    def area(self):
        return self.n * 2


class Pr2(Pr):
    @property
    def area(self):
        return self.n * 3 + super().area


@agrees(*range(-2, 6))
def test_overridden_properties(i):
    p = Pr(i) if i % 2 else Pr3(i)
    return p.area


class Pr3(Pr):
    @property
    def area(self):
        return self.n * 30


class ItC:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


@agrees(*range(-2, 6))
def test_iterating_over_an_instance(i):
    t = 0
    for x in ItC(i):
        t = t * 10 + x
    return t


@agrees(*range(-2, 6))
def test_leaving_a_loop_over_an_instance(i):
    t = 0
    for x in ItC(i):
        if x == 3:
            break
        t += x
    else:
        t += 100
    return t


@agrees(*range(-2, 6))
def test_comprehension_over_an_instance(i):
    return len([x * 2 for x in ItC(i)])


class Ctx:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        self.log.append(1)
        return self

    def __exit__(self, t, v, tb):
        self.log.append(2)
        return True


@agrees(*range(-2, 6))
def test_with_statement_that_swallows(i):
    log = []
    with Ctx(log) as c:
        c.log.append(10 // i)
    return len(log)
