"""Prebuilt objects.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class Node:
    def __init__(self, v, next=None):
        self.v = v
        self.next = next
        self.unused = object
        self.other = None


HEAD = None

for _i in range(10000):
    HEAD = Node(_i, HEAD)

CYC = Node(1)
CYC.next = Node(2, CYC)

CYC = Node(1)
CYC.next = Node(2, CYC)

SH = Node(7)
SH1 = Node(1, SH)
SH2 = Node(2, SH)

SH = Node(7)
SH1 = Node(1, SH)
SH2 = Node(2, SH)

SH = Node(7)
SH1 = Node(1, SH)
SH2 = Node(2, SH)


class Base:
    lim = 5


class Sub(Base):
    def __init__(self, n):
        self.n = n


class SubU(Base):
    pass


LST = [Sub(1), Sub(2), SubU()]

TUP = (Sub(10), "a", SubU())

DCT = {"a": SH1, "b": SH2}

NEST = [[1, 2], [3]]


class Holder:
    def __init__(self):
        self.items = [1, 2]
        self.d = {"a": 1}
        self.n = None
        self.t = (1, "x")
        self.f = 2.5
        self.b = True
        self.s = "str"
        self.fn = abs1
        self.cls = Sub


def abs1(x):
    return x if x > 0 else -x


H = Holder()


@agrees(*range(-2, 6))
def test_linked_list_of_ten_thousand(i):
    n = HEAD
    t = 0
    while n is not None:
        t += n.v * (i + 1)
        n = n.next
    return t


@agrees(*range(-2, 6))
def test_cycle(i):
    n = CYC
    for _ in range(i + 3):
        n = n.next
    return n.v + (100 if n is CYC else 0)


@agrees(*range(-2, 6))
def test_shared_substructure(i):
    return SH1.next is SH2.next and SH1.next is SH


@agrees(*range(-2, 6))
def test_prebuilt_instance_changed(i):
    SH.v += i
    r = SH1.next.v
    SH.v -= i
    return r


@agrees(*[(i,) for i in range(-3, 4)])
def test_prebuilt_list_of_instances(i):
    o = LST[i]
    if isinstance(o, Sub):
        return o.n
    return o.lim


@agrees(*[(i,) for i in range(3)])
def test_identity_of_items(i):
    return LST[0] is LST[i]


@agrees(*range(-2, 6))
def test_prebuilt_tuple(i):
    return TUP[0].n + len(TUP[1]) + TUP[2].lim


@agrees(*range(-2, 6))
def test_prebuilt_dict_of_instances(i):
    return DCT["a" if i else "b"].v


@agrees(*range(-2, 6))
def test_prebuilt_attributes_of_every_kind(i):
    return (
        H.items[1]
        + H.d["a"]
        + H.t[0]
        + int(H.f * 2)
        + len(H.s)
        + H.fn(-3)
        + H.cls(4).n
        + (H.n is None)
        + H.b
    )


@agrees(*range(-2, 6))
def test_prebuilt_list_in_an_attribute_changed(i):
    H.items.append(i)
    r = len(H.items)
    H.items.pop()
    return r


@agrees(*range(-2, 6))
def test_none_attribute_assigned(i):
    H.n = Sub(i)
    r = H.n.n
    H.n = None
    return r


def dflt(n=CYC):
    return n.v


@agrees(*range(-2, 6))
def test_prebuilt_default_argument(i):
    return dflt() + dflt(SH)


@agrees(*range(-2, 6))
def test_classes_without_init(i):
    o = LST[2] if i else LST[0]
    if isinstance(o, Sub):
        return o.n
    return -1


class P:
    pass


P1 = P()
P1.x = 1

P1 = P()
P1.x = 1

P2 = P()


@agrees(*range(-2, 6))
def test_prebuilt_instance_without_the_attribute(i):
    p = P1 if i else P2
    return p.x


@agrees(*range(-2, 6))
def test_prebuilt_and_new_instances(i):
    p = P2
    if i:
        p = P()
        p.x = 5
    return p.x


@agrees(*range(-2, 6))
def test_attribute_assigned_from_outside(i):
    p = P()
    if i:
        p.x = i
    try:
        return p.x
    except AttributeError:
        return -1


class Slots:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


SL = Slots(4)


@agrees(*range(-2, 6))
def test_slots(i):
    s = Slots(i)
    s.b = 4
    return s.a + s.b


@agrees(*range(-2, 6))
def test_unset_slot(i):
    s = Slots(i)
    if i:
        s.b = 3
    return s.b


@agrees(*range(-2, 6))
def test_prebuilt_instance_with_slots(i):
    return SL.a


class It:
    def __init__(self):
        self.l = [Node(1), Node(2)]


ITP = It()


@agrees(*range(-2, 6))
def test_prebuilt_nested(i):
    t = 0
    for n in ITP.l:
        t += n.v
    return t


class Sub2(Base):
    lim = 9

    def __init__(self):
        pass


PS = [SubU(), Sub2()]


@agrees(*[(0,), (1,)])
def test_class_level_values_of_prebuilt_instances(i):
    return PS[i].lim


class NoneAttr:
    left = None
    right = None
    val = 0


def ins(t, v):
    if t is None:
        t = NoneAttr()
        t.val = v
        return t
    if v < t.val:
        t.left = ins(t.left, v)
    else:
        t.right = ins(t.right, v)
    return t


def show(t):
    if t is None:
        return ""
    return show(t.left) + str(t.val) + show(t.right)


@agrees(*range(-2, 6))
def test_binary_tree(i):
    t = None
    for k in [5, 2, 8, i, 1, 9]:
        t = ins(t, k)
    return show(t)


class MutCls:
    lst = [1]

    def __init__(self):
        self.lst2 = self.lst


@agrees(*range(-2, 6))
def test_class_level_list_is_shared(i):
    a = MutCls()
    b = MutCls()
    return a.lst is b.lst and a.lst2 is MutCls.lst
