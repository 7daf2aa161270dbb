"""What programs compute with.

`W_` marks a wrapped object, one of the interpreted program.  Integers are machine integers,
`W_Int`, until a result does not fit; then they are `W_Big`.  A number has one representation.
"""

from __future__ import annotations

from collections.abc import Callable

from rpython.rlib import jit
from rpython.rlib.objectmodel import compute_hash, compute_identity_hash, r_dict
from rpython.rlib.rarithmetic import ovfcheck
from rpython.rlib.rbigint import rbigint

MAX_SHOWN = 8
"""How deep lists within lists are shown."""


class KettleError(Exception):
    """What the program did wrong; `trace` says where, the innermost call first."""

    def __init__(self, message: str, line: int = 0):
        super().__init__(message)
        self.message = message
        self.line = line
        self.trace: list[str] = []

    def report(self) -> str:
        if self.line:
            return f"line {self.line}: {self.message}\n"
        lines = [f"error: {self.message}"]
        for i in range(len(self.trace)):
            if i < 5 or i >= len(self.trace) - 5:
                lines.append(f"  {self.trace[i]}")
            elif i == 5:
                lines.append("  ...")
        return "\n".join(lines) + "\n"


class W_Root:
    """Base class of all wrapped objects."""

    kind = "object"

    def show(self, depth: int = 0) -> str:
        """The text of the object within a list."""
        return self.text()

    def text(self) -> str:
        """What `print` prints."""
        raise NotImplementedError

    def is_true(self) -> bool:
        return True

    def equals(self, other: W_Root) -> bool:
        return self is other

    def hash(self) -> int:
        return compute_identity_hash(self)

    def getitem(self, w_key: W_Root) -> W_Root:
        raise KettleError(f"{self.kind} has no items")

    def setitem(self, w_key: W_Root, w_value: W_Root) -> None:
        raise KettleError(f"the items of {self.kind} do not change")

    def length(self) -> int:
        raise KettleError(f"{self.kind} has no length")

    def items(self) -> list[W_Root]:
        """What `for` goes through."""
        raise KettleError(f"cannot go through {self.kind}")


class W_Nil(W_Root):
    kind = "nil"

    def text(self) -> str:
        return "nil"

    def is_true(self) -> bool:
        return False


class W_Bool(W_Root):
    kind = "a boolean"
    _immutable_fields_ = ["value"]

    def __init__(self, value: bool):
        self.value = value

    def text(self) -> str:
        return "true" if self.value else "false"

    def is_true(self) -> bool:
        return self.value


w_nil = W_Nil()
w_true = W_Bool(True)
w_false = W_Bool(False)


def wrap_bool(value: bool) -> W_Root:
    return w_true if value else w_false


# -- numbers --------------------------------------------------------------------------------------


class W_Number(W_Root):
    kind = "an integer"

    def big(self) -> rbigint:
        raise NotImplementedError


class W_Int(W_Number):
    _immutable_fields_ = ["value"]

    def __init__(self, value: int):
        self.value = value

    def text(self) -> str:
        return str(self.value)

    def equals(self, other: W_Root) -> bool:
        return isinstance(other, W_Int) and other.value == self.value

    def hash(self) -> int:
        return compute_hash(self.value)

    def big(self) -> rbigint:
        return rbigint.fromint(self.value)


class W_Big(W_Number):
    """An integer that is no machine integer."""

    _immutable_fields_ = ["value"]

    def __init__(self, value: rbigint):
        self.value = value

    def text(self) -> str:
        return self.value.str()

    def equals(self, other: W_Root) -> bool:
        return isinstance(other, W_Big) and other.value.eq(self.value)

    def hash(self) -> int:
        return self.value.hash()

    def big(self) -> rbigint:
        return self.value


@jit.elidable
def wrap_big(value: rbigint) -> W_Root:
    """The number in its only representation."""
    if value.fits_int():
        return W_Int(value.toint())
    return W_Big(value)


def number(digits: str) -> W_Root:
    return wrap_big(rbigint.fromdecimalstr(digits))


# -- strings, lists, tables -----------------------------------------------------------------------


class W_Str(W_Root):
    """A string of bytes: characters up to 255, as streams have them."""

    kind = "a string"
    _immutable_fields_ = ["value"]

    def __init__(self, value: str):
        self.value = value

    def text(self) -> str:
        return self.value

    def show(self, depth: int = 0) -> str:
        escaped = self.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def is_true(self) -> bool:
        return self.value != ""

    def equals(self, other: W_Root) -> bool:
        return isinstance(other, W_Str) and other.value == self.value

    def hash(self) -> int:
        return compute_hash(self.value)

    def getitem(self, w_key: W_Root) -> W_Root:
        return W_Str(self.value[index(w_key, len(self.value))])

    def length(self) -> int:
        return len(self.value)

    def items(self) -> list[W_Root]:
        return [W_Str(c) for c in self.value]


def index(w_key: W_Root, length: int) -> int:
    """A place among `length` items; those below zero count from the end."""
    if isinstance(w_key, W_Int):
        i = w_key.value
        if i < 0:
            i += length
        if 0 <= i < length:
            return i
    elif not isinstance(w_key, W_Number):
        raise KettleError(f"an index is an integer, not {w_key.kind}")
    raise KettleError(f"index {w_key.text()} is out of range, the length is {length}")


class W_List(W_Root):
    kind = "a list"

    def __init__(self, values: list[W_Root]):
        self.values = values

    def text(self) -> str:
        return self.show()

    def show(self, depth: int = 0) -> str:
        if depth == MAX_SHOWN:
            return "[...]"
        return f"[{', '.join([w_item.show(depth + 1) for w_item in self.values])}]"

    def is_true(self) -> bool:
        return len(self.values) > 0

    def equals(self, other: W_Root) -> bool:
        if not isinstance(other, W_List) or len(other.values) != len(self.values):
            return False
        pairs = zip(self.values, other.values)
        return all(w_left.equals(w_right) for w_left, w_right in pairs)

    def hash(self) -> int:
        raise KettleError("a list is no key, since it may change")

    def getitem(self, w_key: W_Root) -> W_Root:
        return self.values[index(w_key, len(self.values))]

    def setitem(self, w_key: W_Root, w_value: W_Root) -> None:
        self.values[index(w_key, len(self.values))] = w_value

    def length(self) -> int:
        return len(self.values)

    def items(self) -> list[W_Root]:
        return self.values


def keys_equal(w_left: W_Root, w_right: W_Root) -> bool:
    return w_left.equals(w_right)


def hash_key(w_key: W_Root) -> int:
    return w_key.hash()


class W_Table(W_Root):
    """Keys and values, in the order in which the keys were added."""

    kind = "a table"

    def __init__(self) -> None:
        self.values = r_dict(keys_equal, hash_key)

    def text(self) -> str:
        return self.show()

    def show(self, depth: int = 0) -> str:
        if depth == MAX_SHOWN:
            return "{...}"
        parts: list[str] = []
        for w_key, w_value in self.values.items():
            parts.append(f"{w_key.show(depth + 1)}: {w_value.show(depth + 1)}")
        return "{" + ", ".join(parts) + "}"

    def is_true(self) -> bool:
        return len(self.values) > 0

    def hash(self) -> int:
        raise KettleError("a table is no key, since it may change")

    def getitem(self, w_key: W_Root) -> W_Root:
        return self.values.get(w_key, w_nil)

    def setitem(self, w_key: W_Root, w_value: W_Root) -> None:
        self.values[w_key] = w_value

    def length(self) -> int:
        return len(self.values)

    def items(self) -> list[W_Root]:
        return self.values.keys()


class W_Iterator(W_Root):
    """What `for` has on the stack."""

    kind = "an iterator"

    def __init__(self, values: list[W_Root]):
        self.values = values
        self.place = 0

    def next(self) -> W_Root | None:
        if self.place == len(self.values):
            return None
        w_item = self.values[self.place]
        self.place += 1
        return w_item


# -- operators ------------------------------------------------------------------------------------

Operation = Callable[[W_Root, W_Root], W_Root]


def not_for(symbol: str, w_left: W_Root, w_right: W_Root) -> KettleError:
    return KettleError(f"{symbol} is not for {w_left.kind} and {w_right.kind}")


def make_arithmetic(
    symbol: str,
    on_ints: Callable[[int, int], int],
    on_bigs: Callable[[rbigint, rbigint], rbigint],
) -> Operation:
    """An operation on integers: on machine integers as long as the result is one."""

    def operation(w_left: W_Root, w_right: W_Root) -> W_Root:
        if isinstance(w_left, W_Int) and isinstance(w_right, W_Int):
            try:
                return W_Int(on_ints(w_left.value, w_right.value))
            except OverflowError:
                pass  # the result is a big integer
            except ZeroDivisionError:
                raise KettleError("division by zero") from None
        if not isinstance(w_left, W_Number) or not isinstance(w_right, W_Number):
            raise not_for(symbol, w_left, w_right)
        try:
            return wrap_big(on_bigs(w_left.big(), w_right.big()))
        except ZeroDivisionError:
            raise KettleError("division by zero") from None

    return operation


def make_comparison(
    symbol: str,
    on_ints: Callable[[int, int], bool],
    on_bigs: Callable[[rbigint, rbigint], bool],
    on_strings: Callable[[str, str], bool],
) -> Operation:
    """An order of integers and of strings."""

    def operation(w_left: W_Root, w_right: W_Root) -> W_Root:
        if isinstance(w_left, W_Int) and isinstance(w_right, W_Int):
            return wrap_bool(on_ints(w_left.value, w_right.value))
        if isinstance(w_left, W_Number) and isinstance(w_right, W_Number):
            return wrap_bool(on_bigs(w_left.big(), w_right.big()))
        if isinstance(w_left, W_Str) and isinstance(w_right, W_Str):
            return wrap_bool(on_strings(w_left.value, w_right.value))
        raise not_for(symbol, w_left, w_right)

    return operation


add_numbers = make_arithmetic("+", lambda a, b: ovfcheck(a + b), lambda a, b: a.add(b))
subtract = make_arithmetic("-", lambda a, b: ovfcheck(a - b), lambda a, b: a.sub(b))
multiply = make_arithmetic("*", lambda a, b: ovfcheck(a * b), lambda a, b: a.mul(b))
divide = make_arithmetic("/", lambda a, b: ovfcheck(a // b), lambda a, b: a.floordiv(b))
modulo = make_arithmetic("%", lambda a, b: a % b, lambda a, b: a.mod(b))
less = make_comparison("<", lambda a, b: a < b, lambda a, b: a.lt(b), lambda a, b: a < b)
less_equal = make_comparison("<=", lambda a, b: a <= b, lambda a, b: a.le(b), lambda a, b: a <= b)


def add(w_left: W_Root, w_right: W_Root) -> W_Root:
    if isinstance(w_left, W_Str) and isinstance(w_right, W_Str):
        return W_Str(w_left.value + w_right.value)
    if isinstance(w_left, W_List) and isinstance(w_right, W_List):
        return W_List(w_left.values + w_right.values)
    return add_numbers(w_left, w_right)


def equal(w_left: W_Root, w_right: W_Root) -> W_Root:
    try:
        return wrap_bool(w_left.equals(w_right))
    except RecursionError:  # a list that is in itself
        raise KettleError("these lists nest too deeply to be compared") from None


def unequal(w_left: W_Root, w_right: W_Root) -> W_Root:
    return wrap_bool(not equal(w_left, w_right).is_true())


def negate(w_value: W_Root) -> W_Root:
    if not isinstance(w_value, W_Number):
        raise KettleError(f"- is not for {w_value.kind}")
    return subtract(W_Int(0), w_value)
