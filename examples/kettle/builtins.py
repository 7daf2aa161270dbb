"""The functions that every program has."""

from __future__ import annotations

from kettle.classes import Builtin, Context, W_Builtin
from kettle.compiler import Globals
from kettle.objects import (
    KettleError,
    W_Int,
    W_List,
    W_Root,
    W_Str,
    W_Table,
    less,
    number,
    w_nil,
    wrap_bool,
)
from rpython.rlib.listsort import make_timsort_class
from rpython.rlib.streamio import open_file_as_stream

MANY = 1 << 30


def string(w_value: W_Root) -> str:
    if isinstance(w_value, W_Str):
        return w_value.value
    raise KettleError(f"a string is wanted, not {w_value.kind}")


def integer(w_value: W_Root) -> int:
    if isinstance(w_value, W_Int):
        return w_value.value
    raise KettleError(f"a machine integer is wanted, not {w_value.text()}")


def a_list(w_value: W_Root) -> list[W_Root]:
    if isinstance(w_value, W_List):
        return w_value.values
    raise KettleError(f"a list is wanted, not {w_value.kind}")


def a_table(w_value: W_Root) -> W_Table:
    if isinstance(w_value, W_Table):
        return w_value
    raise KettleError(f"a table is wanted, not {w_value.kind}")


# -- text, input and output


def print_values(context: Context, args: list[W_Root]) -> W_Root:
    context.write(" ".join([w_arg.text() for w_arg in args]) + "\n")
    return w_nil


def read_input(context: Context, args: list[W_Root]) -> W_Root:
    """A line of standard input without its end; nil after the last."""
    line = context.read_line()
    return W_Str(line.removesuffix("\n")) if line else w_nil


def read_file(context: Context, args: list[W_Root]) -> W_Root:
    """The lines of a file."""
    path = string(args[0])
    lines: list[W_Root] = []
    try:
        stream = open_file_as_stream(path)
        line = stream.readline()
        while line:
            lines.append(W_Str(line.removesuffix("\n")))
            line = stream.readline()
        stream.close()
    except OSError:
        raise KettleError(f"cannot read {path}") from None
    return W_List(lines)


def to_string(context: Context, args: list[W_Root]) -> W_Root:
    return W_Str(args[0].text())


def to_integer(context: Context, args: list[W_Root]) -> W_Root:
    """The number that a string says, or nil."""
    text = string(args[0])
    digits = text.removeprefix("-")
    if digits == "" or not all("0" <= c <= "9" for c in digits):
        return w_nil
    return number(text)


def split(context: Context, args: list[W_Root]) -> W_Root:
    text = string(args[0])
    if len(args) == 1:
        return W_List([W_Str(part) for part in text.split()])
    separator = string(args[1])
    if separator == "":
        raise KettleError("a separator is empty")
    return W_List([W_Str(part) for part in text.split(separator)])


def join(context: Context, args: list[W_Root]) -> W_Root:
    return W_Str(string(args[1]).join([string(w_part) for w_part in a_list(args[0])]))


def part(context: Context, args: list[W_Root]) -> W_Root:
    """`part(x, start, end)` of a string or list."""
    start = max(integer(args[1]), 0)
    end = max(integer(args[2]), start)
    w_value = args[0]
    if isinstance(w_value, W_Str):
        return W_Str(w_value.value[start:end])
    return W_List(a_list(w_value)[start:end])


def code_of(context: Context, args: list[W_Root]) -> W_Root:
    text = string(args[0])
    if len(text) != 1:
        raise KettleError("a string of one character is wanted")
    return W_Int(ord(text))


def character(context: Context, args: list[W_Root]) -> W_Root:
    code = integer(args[0])
    if not 0 <= code <= 255:
        raise KettleError("characters are 0 to 255")
    return W_Str(chr(code))


def kind(context: Context, args: list[W_Root]) -> W_Root:
    return W_Str(args[0].kind)


# -- lists and tables


def length(context: Context, args: list[W_Root]) -> W_Root:
    return W_Int(args[0].length())


def push(context: Context, args: list[W_Root]) -> W_Root:
    a_list(args[0]).append(args[1])
    return args[0]


def pop(context: Context, args: list[W_Root]) -> W_Root:
    values = a_list(args[0])
    if not values:
        raise KettleError("pop from an empty list")
    return values.pop()


def make_range(context: Context, args: list[W_Root]) -> W_Root:
    """The integers below `n`, or from `a` to below `b`."""
    start = integer(args[0]) if len(args) == 2 else 0
    return W_List([W_Int(i) for i in range(start, integer(args[-1]))])


Sort = make_timsort_class(lt=lambda w_left, w_right: less(w_left, w_right).is_true())


def sort(context: Context, args: list[W_Root]) -> W_Root:
    """A sorted copy of a list."""
    values = a_list(args[0])[:]
    Sort(values).sort()
    return W_List(values)


def has(context: Context, args: list[W_Root]) -> W_Root:
    return wrap_bool(args[1] in a_table(args[0]).values)


def remove(context: Context, args: list[W_Root]) -> W_Root:
    """Take a key out of a table; whether it was there."""
    w_table = a_table(args[0])
    if args[1] not in w_table.values:
        return wrap_bool(False)
    del w_table.values[args[1]]
    return wrap_bool(True)


BUILTINS: list[tuple[str, int, int, Builtin]] = [
    ("chr", 1, 1, character),
    ("has", 2, 2, has),
    ("input", 0, 0, read_input),
    ("int", 1, 1, to_integer),
    ("join", 2, 2, join),
    ("kind", 1, 1, kind),
    ("len", 1, 1, length),
    ("ord", 1, 1, code_of),
    ("part", 3, 3, part),
    ("pop", 1, 1, pop),
    ("print", 0, MANY, print_values),
    ("push", 2, 2, push),
    ("range", 1, 2, make_range),
    ("read", 1, 1, read_file),
    ("remove", 2, 2, remove),
    ("sort", 1, 1, sort),
    ("split", 1, 2, split),
    ("str", 1, 1, to_string),
]


def make_globals() -> Globals:
    names = Globals()
    for name, least, most, function in BUILTINS:
        names.define(name, W_Builtin(name, least, most, function))
    return names
