"""For gdb: shows the values of a program that was built with ``rpython build --debug``.

    gdb -ex 'source PROGRAM-gdb.py' PROGRAM

Strings, bytes, lists, tuples, dicts, sets and instances are shown as Python does.  Besides,

    py-locals     the variables of the selected frame that the source has a name for
    py-bt         the backtrace of the functions of the source, without helpers

and ``step`` goes over the helpers.  Functions of the source are called f_NAME: ``break f_NAME``,
or ``break FILE.py:LINE``.

This file runs in gdb's own Python and knows the program from its debugging information only.
"""

from __future__ import annotations

import re

import gdb
import gdb.printing

DEPTH = 4
"""How deep values within values are shown; deeper ones are three dots."""

Path = tuple[int, ...]

_NUMBERED = re.compile(r"_\d+$")
_TEMPORARY = re.compile(r"v\d+|rpy_\w+")
_STRINGS = ("s_rpy_string", "s_rpy_string1", "s_rpy_string4")
_HELPERS = "/rtyper/ll/"
_IMMEDIATE = ("Bool", "UniChar")


def most_items() -> int:
    """How many items of a list, or characters of a str, are shown."""
    return gdb.parameter("print elements") or 1 << 30


# -- reading memory ------------------------------------------------------------------------------


def struct_name(value: gdb.Value) -> str:
    """The C name of the struct that a pointer points to; '' when it is none."""
    T = value.type.strip_typedefs()
    if T.code != gdb.TYPE_CODE_PTR:
        return ""
    target = T.target().strip_typedefs()
    return (target.name or target.tag or "") if target.code == gdb.TYPE_CODE_STRUCT else ""


def fields(value: gdb.Value) -> list[str]:
    return [field.name for field in value.type.strip_typedefs().fields() if field.name]


def header(value: gdb.Value) -> gdb.Value | None:
    """The header of an object, which the innermost of its base structs has."""
    while value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT:
        names = fields(value)
        if not names:
            return None
        if names[0] == "gc":
            return value["gc"]
        value = value[names[0]]
    return None


def root(value: gdb.Value) -> gdb.Value:
    """The innermost base struct of an instance."""
    while fields(value)[0] == "f_super":
        value = value["f_super"]
    return value


def type_number(head: gdb.Value) -> int:
    return int(head["tid"]) & int(gdb.parse_and_eval("rpy_debug_type_mask"))


def with_real_type(pointer: gdb.Value) -> gdb.Value:
    """The pointer as one to the type that the object has, not the one that the variable says.
    Raises gdb.error where there is no object."""
    head = header(pointer.dereference())
    if head is None:
        return pointer
    number = type_number(head)
    count = int(gdb.parse_and_eval("rpy_debug_types"))
    if not 0 < number <= count:
        raise gdb.error("no object")
    name = gdb.parse_and_eval("rpy_debug_type_names")[number].string()
    return pointer.cast(gdb.lookup_type(name).pointer())


def memory(address: gdb.Value, size: int) -> bytes:
    return bytes(gdb.selected_inferior().read_memory(int(address), size)) if size else b""


# -- values as text ------------------------------------------------------------------------------


def text_of(value: gdb.Value, path: Path = ()) -> str:
    """A value of the program as Python shows it; ``path``: the addresses of what it is in."""
    T = value.type.strip_typedefs()
    if T.code == gdb.TYPE_CODE_BOOL:
        return str(bool(value))
    if T.code == gdb.TYPE_CODE_FLT:
        return repr(float(value))
    if value.type.name == "UniChar":
        return char_text(int(value))
    if T.code == gdb.TYPE_CODE_INT:
        return str(int(value))
    if T.code != gdb.TYPE_CODE_PTR or not struct_name(value):
        return value.format_string(raw=True)
    if int(value) == 0:
        return "None"
    try:
        return object_text(with_real_type(value), path)
    except (gdb.error, UnicodeError, ValueError):
        return f"<no object at {int(value):#x}>"


def char_text(code: int) -> str:
    return repr(chr(code)) if code <= 0x10FFFF else f"<no character {code:#x}>"


def object_text(pointer: gdb.Value, path: Path) -> str:
    name = struct_name(pointer)
    value = pointer.dereference()
    if name in _STRINGS:
        return str_text(pointer)
    if len(path) > DEPTH or int(pointer) in path:
        return "..."
    path = (*path, int(pointer))
    names = fields(value)
    if names[:1] == ["f_super"] or name == "s_object":
        return instance_text(value, path)
    kind = _NUMBERED.sub("", name)
    if kind == "s_rpy_bytes":
        return bytes_text("", value["f_chars"]["items"], int(value["f_chars"]["length"]))
    if kind == "s_bytearray":
        length = int(value["f_length"])
        return bytes_text("bytearray", value["f_items"]["items"], length)
    if kind == "s_list":
        return list_text(value["f_items"], int(value["f_length"]), path)
    if name.startswith("gcarray_"):
        return list_text(pointer, int(value["length"]), path)
    if kind in ("s_dict", "s_set"):
        return table_text(value, kind == "s_set", path)
    if kind == "s_boxed":
        return text_of(value["f_value"], path)
    if re.fullmatch(r"s_tuple\d+", kind):
        items = [text_of(value[each], path) for each in names if each.startswith("f_item")]
        return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
    shown = [f"{each[2:]}={text_of(value[each], path)}" for each in names if each[:2] == "f_"]
    return f"<{name.removeprefix('s_')} {', '.join(shown)}>"


def str_text(pointer: gdb.Value) -> str:
    base = pointer.cast(gdb.lookup_type("s_rpy_string").pointer())
    length = int(base["f_length"])
    shown = min(length, most_items())
    wide = bool(base["f_wide"])
    exact = pointer.cast(gdb.lookup_type("s_rpy_string4" if wide else "s_rpy_string1").pointer())
    if length != int(exact["f_chars"]["length"]) or length < 0:
        raise ValueError("no str")
    data = memory(exact["f_chars"]["items"].address, shown * (4 if wide else 1))
    text = data.decode("utf-32-le", "surrogatepass") if wide else data.decode("latin-1")
    return repr(text) + ("..." if shown < length else "")


def bytes_text(name: str, items: gdb.Value, length: int) -> str:
    if length < 0:
        raise ValueError("no bytes")
    shown = min(length, most_items())
    text = repr(memory(items.address, shown)) + ("..." if shown < length else "")
    return f"{name}({text})" if name else text


def list_text(array: gdb.Value, length: int, path: Path) -> str:
    if not 0 <= length <= int(array["length"]):
        raise ValueError("no list")
    shown = min(length, most_items())
    items = [text_of(array["items"][i], path) for i in range(shown)]
    return f"[{', '.join(items + ['...'] * (shown < length))}]"


def table_text(value: gdb.Value, is_set: bool, path: Path) -> str:
    """A dict or a set."""
    entries = value["f_entries"]
    used = int(entries["length"] if is_set else value["f_used"])
    if not 0 <= used <= int(entries["length"]):
        raise ValueError("no dict")
    items: list[str] = []
    for i in range(used):
        entry = entries["items"][i]
        if not bool(entry["f_valid"]):
            continue
        if len(items) == most_items():
            items.append("...")
            break
        key = text_of(entry["f_key"], path)
        items.append(key if is_set else f"{key}: {text_of(entry['f_value'], path)}")
    if is_set and not items:
        return "set()"
    return f"{{{', '.join(items)}}}"


def class_of(value: gdb.Value) -> gdb.Value:
    base = root(value)
    if "f_typeptr" in fields(base):
        return base["f_typeptr"]
    return gdb.parse_and_eval("rpy_classes")[type_number(base["gc"])]


def instance_text(value: gdb.Value, path: Path) -> str:
    name = class_of(value)["f_name"].cast(gdb.lookup_type("char").pointer()).string()
    shown = ", ".join(attributes(value, path))
    return f"<{name} {shown}>" if shown else f"<{name}>"


def attributes(value: gdb.Value, path: Path) -> list[str]:
    """``name=value`` for each attribute that is set, those of the base class first."""
    names = fields(value)
    result = attributes(value["f_super"], path) if names[0] == "f_super" else []
    for name in names:
        if not name.startswith("f_inst_") and name != "f_message":
            continue
        plain = name.removeprefix("f_inst_").removeprefix("f_")
        flag = f"f_has_{plain}"
        if flag not in names or bool(value[flag]):
            result.append(f"{plain}={text_of(value[name], path)}")
    return result


class Printer:
    """What gdb asks for the text of a value."""

    def __init__(self, value: gdb.Value) -> None:
        self.value = value

    def to_string(self) -> str:
        return text_of(self.value)


class Printers(gdb.printing.PrettyPrinter):
    """Finds the printer of values that look different in Python and C."""

    def __init__(self) -> None:
        super().__init__("rpython3")

    def __call__(self, value: gdb.Value) -> Printer | None:
        name = struct_name(value)
        if value.type.name in _IMMEDIATE:
            return Printer(value)
        if name.startswith("gcarray_") or (name.startswith("s_") and has_header(value.type)):
            return Printer(value)
        return None


def has_header(pointer: gdb.Type) -> bool:
    """Do such pointers point to objects?"""
    T = pointer.strip_typedefs().target().strip_typedefs()
    while T.code == gdb.TYPE_CODE_STRUCT and T.fields():
        first = T.fields()[0]
        if first.name == "gc":
            return True
        T = first.type.strip_typedefs()
    return False


# -- commands ------------------------------------------------------------------------------------


def is_source(frame: gdb.Frame) -> bool:
    """Does the frame belong to a function of the source?"""
    place = frame.find_sal()
    file = place.symtab.filename if place.symtab is not None else ""
    return file.endswith(".py") and _HELPERS not in file and (frame.name() or "")[:2] == "f_"


class Locals(gdb.Command):
    """py-locals: the variables of the selected frame that the source has a name for.

    A variable that is assigned several times may appear several times, with a number."""

    def __init__(self) -> None:
        super().__init__("py-locals", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        frame = gdb.selected_frame()
        for symbol in frame.block():
            is_named = not _TEMPORARY.fullmatch(symbol.name)
            if is_named and (symbol.is_variable or symbol.is_argument):
                print(f"{symbol.name} = {text_of(symbol.value(frame))}")


class Backtrace(gdb.Command):
    """py-bt: the functions of the source that run, the innermost last."""

    def __init__(self) -> None:
        super().__init__("py-bt", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool) -> None:
        lines = []
        frame = gdb.newest_frame()
        while frame is not None:
            if is_source(frame):
                place = frame.find_sal()
                name = (frame.name() or "")[2:]
                lines.append(f'  File "{place.symtab.filename}", line {place.line}, in {name}')
            frame = frame.older()
        print("\n".join(lines[::-1]))


def install() -> None:
    """Tell gdb of all this; again when the file is sourced again."""
    gdb.printing.register_pretty_printer(gdb.current_objfile(), Printers(), replace=True)
    Locals()
    Backtrace()
    for files in ("*/rtyper/ll/*.py", "*/backend_c/runtime/*", "*/program*.c"):
        gdb.execute(f"skip -gfile {files}", to_string=True)


install()
