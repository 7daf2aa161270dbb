"""Calls, definitions, closures, nested functions, super, folding of calls."""

from corpus import runs


def three(a, b=20, c=300):
    return a, b, c


def collects(first, *rest):
    return first, rest


def keyword_only(a, *, scale=1):
    return a * scale


@runs((1,))
def call_plain(x):
    return three(x, 2, 3)


@runs((1,))
def call_defaults(x):
    return three(x), three(x, 5)


@runs((1,))
def call_keywords(x):
    return three(x, c=7), three(c=1, b=2, a=x)


@runs((1,))
def call_keyword_only(x):
    return keyword_only(x, scale=3)


@runs(((1, 2),))
def call_star(args):
    return three(*args)


@runs(((1, 2), 9))
def call_star_after(args, x):
    return collects(x, *args), collects(x, 5, *args)


@runs(((1, 2),))
def call_star_first(args):
    return collects(*args, 5)


@runs(((1,), 9))
def call_star_keyword(args, x):
    return three(*args, c=x), three(*args, b=x, c=1)


@runs((4, 5))
def call_star_tuple(a, b):
    return three(*(a, b)), three(0, *(b,))


@runs((1,), (0,))
def call_star_conditional(c):
    return three(*((1, 2) if c else (3,)))


@runs((1,), (1, 2), (1, 2, 3))
def star_definition(first, *rest):
    return first, len(rest), rest


@runs((1,), (1, 2))
def default_arguments(a, b=7, c="x"):
    return a, b, c


@runs((1,))
def keyword_only_definition(a, *, b=2, c):
    return a, b, c


keyword_only_definition.__kwdefaults__["c"] = 3


@runs((1, 2))
def positional_only(a, b, /):
    return a - b


@runs((1, 2))
def annotated(a: int, b: "list[int]" = None) -> int:
    c: int = a
    return c


@runs(("Hello",))
def method_chain(s):
    return s.lower().replace("l", "L").strip()


@runs(([3, 1, 2],))
def call_result_of_call(x):
    return len(sorted(list(x)))


@runs(([3, 1, 2],))
def method_value(x):
    f = x.append
    f(4)
    return x


@runs((5,), (-5,))
def call_conditional_function(x):
    return (abs if x < 0 else str)(x)


@runs((5,))
def lambda_(x):
    f = lambda y: y + 1  # noqa: E731
    return f(x)


@runs((5,))
def nested_function(x):
    def double(y, z=3):
        return y * 2 + z

    return double(x) + double(x, 4)


@runs((5,))
def nested_function_annotated(x):
    def half(y: int, *, up: bool = False) -> "int":
        return (y + up) // 2

    return half(x) + half(x, up=True)


@runs(([3, -1, 2],))
def lambda_as_key(x):
    return sorted(x, key=lambda v: -v)


@runs((5,))
def lambda_in_finally(x):
    try:
        f = 1
    finally:
        f = lambda y: y + 1  # noqa: E731
    return f(x)


def make_adder(n):
    @runs((1,), (5,))
    def adder(x):
        return x + n

    return adder


add_five = make_adder(5)


def make_closure(n):
    @runs((1,))
    def outer(x):
        f = lambda y: y * n  # noqa: E731
        return f(x) + n

    return outer


closure_in_closure = make_closure(7)


def make_comprehension(n):
    @runs(([1, 2],))
    def scale(xs):
        return [x * n for x in xs]

    return scale


comprehension_of_closure = make_comprehension(3)


class Base:
    def __init__(self, n):
        self.n = n

    def value(self, extra):
        return self.n + extra

    def __repr__(self):
        return f"<{self.n}>"


class Derived(Base):
    def __init__(self, n):
        super().__init__(n * 2)

    def value(self, extra):
        return super().value(extra) * 10

    def direct(self, extra):
        return Base.value(self, extra)

    def explicit(self, extra):
        return super(Derived, self).value(extra)

    def attribute(self):
        f = super().value
        return f(1)

    def stored(self):
        s = super()
        return s.value(2)

    def klass(self):
        return __class__.__name__

    @staticmethod
    def static(x):
        return x + 1

    @classmethod
    def make(cls, n):
        return cls(n)


super_method = runs((Derived(3), 4))(Derived.value)
super_init = runs((Derived(3), 4))(Derived.__init__)
super_explicit = runs((Derived(3), 4))(Derived.explicit)
super_attribute = runs((Derived(3),))(Derived.attribute)
super_stored = runs((Derived(3),))(Derived.stored)
class_cell = runs((Derived(3),))(Derived.klass)
method_of_class = runs((Derived(3), 4))(Derived.direct)


@runs((3,))
def static_and_class_methods(x):
    return Derived.static(x), Derived.make(x)


@runs((Derived(2),), (5,))
def isinstance_(x):
    if isinstance(x, (Base, str)):
        return "ours"
    return "other"


@runs((Derived(2),))
def getattr_constant_name(x):
    return getattr(x, "n"), getattr(x, "missing", 0)  # noqa: B009


def _width():
    return 64


_width._rpython_fold_ = 64


@runs((3,))
def folds_marked_function(x):
    if _width() == 64:
        return x
    return undefined_name  # noqa: F821


@runs(())
def folds_builtins():
    return len("abc") + ord("a"), chr(65), max(3, 4), isinstance(3, int), abs(-2.5)


@runs(())
def folds_arithmetic():
    width = 8
    mask = (1 << width) - 1
    return mask, -mask, mask // 3, "ab"[1], (1, 2)[0], not mask


@runs(())
def does_not_fold_errors():
    zero = 0
    return 1 // zero


@runs((1,))
def does_not_fold_large(x):
    n = 1000
    return len([0] * n), len("x" * n * n) + x


@runs((1,))
def many_arguments(x):
    return max(
        x, 2, x, 4, x, 6, x, 8, x, 10, x, 12, x, 14, x, 16, x, 18, x, 20, x, 22, x, 24, x, 26,
        x, 28, x, 30, x, 32, x, 34,
    )  # fmt: skip


def make_shadowing(x):
    @runs(([1, 2],))
    def shadow(items):
        return [x * 2 for x in items], x

    return shadow


comprehension_shadows_closure = make_shadowing("outer")


@runs(([1, 2], 5), ([1, 2], 0))
def lambda_or_other(x, c):
    key = abs if c else lambda v: -v
    return sorted(x, key=key)
