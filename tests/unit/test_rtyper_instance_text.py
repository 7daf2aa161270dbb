"""``__str__`` and ``__repr__`` of user classes.  PYTEST_DONT_REWRITE"""

from differential import agrees


class P:
    def __init__(self, x):
        self.x = x

    def __str__(self):
        return "P" + str(self.x)


class Q(P):
    def __repr__(self):
        return f"Q({self.x})"

    def __str__(self):
        return super().__str__() + "!"


class R:
    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"R<{self.x}>"


class E(Exception):
    def __init__(self, n):
        self.n = n

    def __str__(self):
        return "E" + str(self.n)


class F(E):
    pass


class G(Exception):
    def __repr__(self):
        return "GG"


@agrees(*range(-2, 6))
def test_text_of_a_hierarchy(i):
    p = P(i) if i % 2 else Q(i)
    return str(p) + f"{p}" + f"[{p:}]"


@agrees(*range(-2, 6))
def test_repr_inside_containers(i):
    return repr(Q(i)) + str(R(i)) + repr(R(i)) + f"{R(i)!r}" + str([R(i), R(2)]) + str((R(i), 1))


@agrees(*range(-2, 6))
def test_text_of_instance_or_none(i):
    p = R(i) if i > 0 else None
    return str(p)


@agrees(*range(-2, 6))
def test_text_of_exceptions(i):
    try:
        if i > 3:
            raise F(i)
        if i:
            raise E(i)
        raise G("m")
    except E as e:
        return str(e) + f"{e}"
    except G as e:
        return str(e) + repr(e)


@agrees(*range(-2, 6))
def test_percent_formatting(i):
    return "%s-%r" % (R(i), R(i))


@agrees(*range(-2, 6))
def test_joined_texts(i):
    return ",".join([str(R(k)) for k in range(i + 2)])


@agrees(*range(-2, 6))
def test_attributes_of_what_leaves_the_program(i):
    raise E(i)
