"""Short idioms with objects, None, exceptions and functions.  PYTEST_DONT_REWRITE"""

from differential import agrees


class A:
    def __init__(self, x):
        self.x = x


# isinstance etc with types
@agrees(*range(-2, 6))
def test_type_builtin(i):
    x = i
    return type(x) is int


@agrees(*range(-2, 6))
def test_isint(i):
    return isinstance(i, int)


@agrees(*range(-2, 6))
def test_ternary_none(i):
    a = A(i) if i > 0 else None
    return a.x if a else -1


@agrees(*range(-2, 6))
def test_and_or(i):
    a = A(i) if i > 0 else None
    b = a or A(99)
    c = a and a.x
    return b.x


@agrees(*range(-2, 6))
def test_list_none(i):
    l = [A(1), None, A(3)]
    t = 0
    for a in l:
        if a is not None:
            t += a.x
    return t + (1 if l[i % 3] is None else 0)


@agrees(*range(-2, 6))
def test_listinst(i):
    l = [A(k) for k in range(i + 2)]
    l.append(A(10))
    return sum([a.x for a in l])


@agrees(*range(-2, 6))
def test_dictinst(i):
    d = {}
    for k in range(4):
        d[k] = A(k * i)
    return d[2].x + len(d)


@agrees(*range(-2, 6))
def test_dictnone(i):
    d = {"a": A(1), "b": None}
    v = d["a" if i else "b"]
    if v is None:
        return -1
    return v.x


@agrees(*range(-2, 6))
def test_get(i):
    d = {"a": A(1)}
    v = d.get("a" if i else "b")
    if v is None:
        return -1
    return v.x


@agrees(*range(-2, 6))
def test_tupleret(i):
    a, b = pair(i)
    return a.x + b


def pair(i):
    return A(i), i * 2


@agrees(*range(-2, 6))
def test_swap(i):
    a, b = A(1), A(i)
    a, b = b, a
    return a.x * 10 + b.x


class Node:
    def __init__(self, v):
        self.v = v
        self.kids = []

    def add(self, k):
        self.kids.append(k)
        return self

    def total(self):
        t = self.v
        for k in self.kids:
            t += k.total()
        return t


@agrees(*range(-2, 6))
def test_tree(i):
    return Node(i).add(Node(2).add(Node(3))).add(Node(4)).total()


class LinkedList:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, v):
        n = LNode(v)
        n.next = self.head
        self.head = n
        self.size += 1

    def pop(self):
        if self.head is None:
            raise IndexError("pop from empty")
        v = self.head.v
        self.head = self.head.next
        self.size -= 1
        return v


class LNode:
    def __init__(self, v):
        self.v = v
        self.next = None


@agrees(*range(-2, 6))
def test_ll(i):
    l = LinkedList()
    for k in range(3):
        l.push(k)
    t = 0
    for k in range(i):
        t = t * 10 + l.pop()
    return t


class Shape:
    def area(self):
        raise NotImplementedError("area")


@agrees(*range(-2, 6))
def test_notimpl(i):
    return Shape().area() + i


class Counter:
    total = 0

    def bump(self):
        self.total += 1
        return self


@agrees(*range(-2, 6))
def test_fluent(i):
    return Counter().bump().bump().total


class Cfg:
    debug = False
    level = 3
    names = ("a", "b")
    table = {"x": 1}


cfg = Cfg()


@agrees(*range(-2, 6))
def test_cfg(i):
    return cfg.level + len(cfg.names) + cfg.table["x"] + (1 if cfg.debug else 0) + Cfg.level


@agrees(*range(-2, 6))
def test_cfgset(i):
    cfg.level = 3
    return cfg.level


class Opt:
    def __init__(self, parent=None, *, depth=0):
        self.parent = parent
        self.depth = depth

    def child(self):
        return Opt(self, depth=self.depth + 1)

    def root(self):
        o = self
        while o.parent is not None:
            o = o.parent
        return o


@agrees(*range(-2, 6))
def test_opt(i):
    o = Opt()
    r = o
    for k in range(i):
        o = o.child()
    return (o.depth, o.root() is r)


class Exc(Exception):
    code = 5

    def __init__(self, msg, pos):
        super().__init__(f"{msg} at {pos}")
        self.pos = pos


def parse(s):
    n = 0
    for k, c in enumerate(s):
        if not ("0" <= c <= "9"):
            raise Exc("bad " + c, k)
        n = n * 10 + ord(c) - 48
    return n


@agrees(*[(i,) for i in range(4)])
def test_parse(i):
    try:
        return str(parse(["12", "1x", "", "9a"][i]))
    except Exc as e:
        return str(e) + "/" + str(e.pos) + "/" + str(e.code)


@agrees(*range(-2, 6))
def test_rec_exc(i):
    try:
        return deep(i + 3)
    except ValueError as e:
        return -len(str(e))


def deep(n):
    try:
        if n == 0:
            raise ValueError("bottom")
        return deep(n - 1)
    except KeyError:
        return 0
    finally:
        n += 1


@agrees(*range(-2, 6))
def test_loop_else(i):
    for k in range(5):
        try:
            if k == i:
                raise KeyError(k)
        except KeyError as e:
            break
    else:
        return -1
    return k


@agrees(*range(-2, 6))
def test_exc_in_else(i):
    try:
        try:
            x = 5 // i
        except ZeroDivisionError:
            x = 0
        else:
            if x == 5:
                raise ValueError("else")
    except ValueError as e:
        return str(e)
    return str(x)


@agrees(*range(-2, 6))
def test_assertmsg(i):
    try:
        assert i > 0, "neg " + str(i)
        assert i != 2
    except AssertionError as e:
        return str(e)
    return "ok"


@agrees(*range(-2, 6))
def test_nestedfn(i):
    def inner(x):
        return x * 3

    return inner(i)


@agrees(*range(-2, 6))
def test_kw(i):
    return kwf(b=i, a=2) - kwf(1, b=i)


def kwf(a, b):
    return a * 10 + b


@agrees(*range(-2, 6))
def test_classlist(i):
    l = [A, Node2]
    return l[i % 2](i).x


class Node2(A):
    def __init__(self, x):
        super().__init__(x * 100)


@agrees(*range(-2, 6))
def test_delvar(i):
    a = A(i)
    del a
    return 0


@agrees(*range(-2, 6))
def test_global_fn_attr(i):
    return helper.__name__


def helper():
    pass


@agrees(*range(-2, 6))
def test_max(i):
    return max(A(i).x, 3)


@agrees(*range(-2, 6))
def test_intmin(i):
    return -9223372036854775807 - 1 + i if i >= 0 else 0


@agrees(*range(-2, 6))
def test_isnot(i):
    a = A(i)
    b = a if i > 0 else A(i)
    return (a is b, a is not b, a == b)


@agrees(*range(-2, 6))
def test_eqnone2(i):
    a = A(i) if i else None
    return (a == None, None == a, a != None, a is None)


@agrees(*range(-2, 6))
def test_inst_in_tuple(i):
    a = A(i)
    return a in (a, A(2)), a not in (A(3),)


@agrees(*range(-2, 6))
def test_list_index(i):
    a = A(i)
    l = [A(1), a]
    return l.index(a)


@agrees(*range(-2, 6))
def test_list_eq(i):
    a = A(i)
    return [a] == [a], [a] == [A(i)], (a, 1) == (a, 1)
