"""The C files of a program: which function and which data goes where, and their text.

A small program is one unit in which everything is ``static``: the C compiler sees it
whole.  A large one is split, by source file and line, into units that compile in parallel;
small leaf functions are ``static inline`` in each unit that calls them, the rest is shared
through hidden symbols.  What a unit's text depends on is only what it contains and refers to,
so that most units survive an edit elsewhere.  The lines that tracebacks name are in a file of
their own: they change wherever a line is added above.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from dataclasses import field

from rpython.backend_c.classes import class_by_type, class_table
from rpython.backend_c.collect import SMALL_FUNCTION, CData, CFunction, Contents
from rpython.backend_c.constants import ConstantWriter, Symbols
from rpython.backend_c.functions import (
    FunctionWriter,
    SourceLine,
    prototype,
)
from rpython.backend_c.gc import Collector
from rpython.backend_c.gctables import prebuilt_tables, type_names, type_tables
from rpython.backend_c.linedirectives import LineDirectives
from rpython.backend_c.names import identifier
from rpython.backend_c.types import TypeTable, is_void, spaced
from rpython.lltypesystem.foreign.external import Glue, Linking
from rpython.lltypesystem.operations.seldom import is_never_inlined, is_seldom_called
from rpython.lltypesystem.program import LoweredProgram
from rpython.lltypesystem.simulated.containers import _array, _func
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.records import dataclass
from rpython.translator.opt.raising import ALWAYS_RAISES
from rpython.translator.opt.summaries import Summaries

TYPES_HEADER = "rpy_types.h"
INTERFACE_FILE = "rpy_interface.c"
TABLES_FILE = "rpy_tables.c"
PLACES_FILE = "rpy_places.c"
WHOLE = 5
"""How many times the size of a unit a program may have that is a single one."""

@dataclass(eq=False)
class Unit:
    """One C file to be: the functions and data defined in it."""

    name: str
    functions: list[CFunction] = field(default_factory=list)
    data: list[CData] = field(default_factory=list)
    size: int = 0


@dataclass
class Sources:
    """The generated text of a program: file name -> text; ``headers``: of the runtime or
    the system, that its units include; ``linking``: with which C libraries;
    ``portable``: for any machine."""

    files: dict[str, str]
    headers: list[str]
    linking: list[Linking]
    portable: bool = True


class Plan:
    """Which unit defines what.  ``whole``: is there a single unit?"""

    def __init__(self, contents: Contents, unit_size: int) -> None:
        self.contents = contents
        self.whole = sum(function.size for function in contents.functions) <= WHOLE * unit_size
        self.inline = set() if self.whole else _inline_functions(contents)
        self.units: list[Unit] = []
        self._names: set[str] = set()
        self._place_functions(unit_size)
        self._place_data(unit_size)

    def _new_unit(self, wish: str) -> Unit:
        name, number = wish, 1
        while name in self._names:
            number += 1
            name = f"{wish}_{number}"
        self._names.add(name)
        unit = Unit(name)
        self.units.append(unit)
        return unit

    def _place_functions(self, unit_size: int) -> None:
        if self.whole:
            self._new_unit("program").functions = list(self.contents.functions)
            return
        unit: Unit | None = None
        apart = [function for function in self.contents.functions if function not in self.inline]
        for function in sorted(apart, key=_place_in_source):
            if unit is None or unit.size > 2 * unit_size:
                unit = self._new_unit(_source_name(function))
            unit.functions.append(function)
            unit.size += function.size
            if _ends_unit(function.name, function.size, unit_size):
                unit = None

    def _place_data(self, unit_size: int) -> None:
        if self.whole:
            self.units[0].data = list(self.contents.data)
            return
        unit: Unit | None = None
        for entry in self.contents.data:
            if unit is None:
                unit = self._new_unit("data")
            unit.data.append(entry)
            unit.size += _data_size(entry)
            if _ends_unit(entry.name, _data_size(entry), 8 * unit_size):
                unit = None


def _source_name(function: CFunction) -> str:
    """The name of the source file a function comes from, without directory and suffix."""
    filename = function.graph.span.filename
    stem = os.path.splitext(os.path.basename(filename))[0]
    return identifier(stem)


def _place_in_source(function: CFunction) -> tuple[str, str, int, str]:
    """What functions are sorted by: an edit does not change the order of the others."""
    span = function.graph.span
    return (_source_name(function), span.filename, span.line, function.name)


def _ends_unit(name: str, size: int, unit_size: int) -> bool:
    """Does a unit end with what has this name and size?  The name says so, not the place: where
    something is added or grows, other units stay as they are.  One in ``unit_size`` operations is
    an end."""
    return zlib.crc32(name.encode()) % unit_size < size


def _data_size(entry: CData) -> int:
    """The size of a container in units of about one operation."""
    items = len(entry.container.items) if isinstance(entry.container, _array) else 1
    return 1 + items // 8


def _inline_functions(contents: Contents) -> set[CFunction]:
    """The small functions that only call such functions, recursion thus excluded, and
    whose address nobody needs.  What one of them drags along is limited, too."""
    result: set[CFunction] = set()
    sizes: dict[CFunction, int] = {}
    for function in _callees_first(contents.functions):
        callees = dict.fromkeys(function.calls)
        size = function.size + sum(sizes.get(callee, 0) for callee in callees)
        if (
            function.size <= SMALL_FUNCTION
            and size <= 4 * SMALL_FUNCTION
            and not function.exported
            and not function.address_taken
            and function.source is not contents.program.entry
            and all(callee in result for callee in callees)
        ):
            result.add(function)
            sizes[function] = size
    return result


def _callees_first(functions: list[CFunction]) -> list[CFunction]:
    """The functions in an order in which a callee comes before its callers, recursive
    calls excepted."""
    result: list[CFunction] = []
    seen: set[CFunction] = set()
    for root in functions:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(root.calls))]
        while stack:
            function, callees = stack[-1]
            callee = next((callee for callee in callees if callee not in seen), None)
            if callee is None:
                stack.pop()
                result.append(function)
            else:
                seen.add(callee)
                stack.append((callee, iter(callee.calls)))
    return result


Interface = Callable[[Contents, ConstantWriter], list[str]]
"""What gives the code of the unit that connects the program with the runtime."""


class SourceWriter:
    """Writes all C files of a program: ``sources()``."""

    def __init__(
        self,
        program: LoweredProgram,
        interface: Interface,
        unit_size: int,
        directives: LineDirectives,
        collector: Collector,
    ) -> None:
        self.contents = Contents(program)
        self.summaries = Summaries(program.program.threaded)
        self.collector = collector
        self.types = TypeTable(class_by_type(self.contents))
        self.plan = Plan(self.contents, unit_size)
        self.interface = interface
        self.directives = directives
        self.headers: dict[str, None] = {}
        self._places: dict[str, list[str]] = {}
        """What the functions of a program of several units refer to, by their names."""

    def sources(self) -> Sources:
        """The text of every file, the interface unit and the header of types included."""
        files: dict[str, str] = {}
        whole = self.plan.whole
        for unit in self.plan.units:
            lines = self._unit(unit, self._interface_code if whole else None)
            files[unit.name + ".c"] = "\n".join(lines) + "\n"
        if not whole:
            lines = self._unit(Unit("interface"), self._interface_code)
            files[INTERFACE_FILE] = "\n".join(lines) + "\n"
        if self._places:
            lines = [line for table in self._places.values() for line in table]
            files[PLACES_FILE] = "\n".join(['#include "rpy_base.h"', *lines]) + "\n"
        files[TYPES_HEADER] = "\n".join(self._types_header()) + "\n"
        tables = type_tables(self.types) if self.collector.tables else []
        if self.directives.exact:
            tables += type_names(self.types)
        if tables:
            text = "\n".join(tables) + "\n"
            if whole:  # one C compiler's start less
                files[self.plan.units[0].name + ".c"] += "\n" + text
            else:
                files[TABLES_FILE] = f'#include "{TYPES_HEADER}"\n' + text
        glue = [func.glue for func in self.contents.externals if func.glue is not None]
        if glue:
            self.headers["rpy_c.h"] = None
            files.update(glue_files(glue))
        linking = list(dict.fromkeys(piece.linking for piece in glue))
        portable = all(piece.portable for piece in glue)
        return Sources(files, list(self.headers), linking, portable)

    def function_text(self, graph: FunctionGraph) -> str:
        """The C function of one graph of the program.  Raises KeyError."""
        for function in self.contents.functions:
            if function.source is graph:
                return "\n".join(self._function_writer(function).lines())
        raise KeyError(graph.name)

    def function_lines(self) -> dict[FunctionGraph, list[SourceLine]]:
        """Every C function by the graph that it is made of, without ``#line``."""
        return {
            function.source: self._function_writer(function).source_lines()
            for function in self.contents.functions
        }

    def _function_writer(self, function: CFunction) -> FunctionWriter:
        constants = ConstantWriter(self.types, self.contents, Symbols())
        return FunctionWriter(function, self.types, constants, self.directives)

    def _types_header(self) -> list[str]:
        return [
            "/* The types of the program. */",
            "#ifndef RPY_TYPES_H",
            "#define RPY_TYPES_H",
            f'#include "{self.collector.header}"',
            '#include "rpy_ops.h"',
            "",
            *self.types.definitions(),
            "#endif",
        ]

    def _interface_code(self, constants: ConstantWriter) -> list[str]:
        lines = self.interface(self.contents, constants) + class_table(self.types, constants)
        return [*lines, *prebuilt_tables(constants)] if self.collector.tables else lines

    def _unit(
        self, unit: Unit, more: Callable[[ConstantWriter], list[str]] | None
    ) -> list[str]:
        symbols = Symbols()
        constants = ConstantWriter(self.types, self.contents, symbols)
        data = [constants.definition(entry) for entry in unit.data]
        functions: list[list[str]] = []
        written = set()
        for function in unit.functions:
            written.add(function)
            functions.append(self._function(function, constants))
        extra = more(constants) if more is not None else []
        inlined: list[CFunction] = []
        found = True
        while found:  # inline functions may call more of them
            found = False
            for function in list(symbols.functions):
                if function in self.plan.inline and function not in written:
                    written.add(function)
                    inlined.append(function)
                    functions.append(self._function(function, constants))
                    found = True
        for header in symbols.headers:
            self.headers[header] = None
        lines = [f"/* {unit.name}: generated by rpython3 */", f'#include "{TYPES_HEADER}"']
        if extra:
            lines.append('#include "rpy_core.h"')
        lines += [f"#include {quoted_header(header)}" for header in symbols.headers]
        lines.append("")
        lines += self._external_prototypes(symbols)
        lines += self._data_declarations(unit, symbols, constants)
        for function in dict.fromkeys([*unit.functions, *inlined, *symbols.functions]):
            storage = self._storage(function, function in written)
            lines.append(f"{storage}{prototype(function, self.types)};")
        lines.append("")
        for text in data:
            text[0] = self._data_storage() + text[0]
            lines += text
        for text in functions:
            lines += ["", *text]
            if any(line.startswith("#line") for line in text):
                lines.append(f'#line {len(lines) + 2} "{unit.name}.c"')
        return lines + extra

    def _external_prototypes(self, symbols: Symbols) -> list[str]:
        return [
            external_prototype(func, self.types)
            for func in symbols.externals.values()
            if not func.includes
        ]

    def _data_declarations(
        self, unit: Unit, symbols: Symbols, constants: ConstantWriter
    ) -> list[str]:
        here = set(unit.data)
        layouts: dict[str, None] = {}
        declarations = []
        for entry in dict.fromkeys([*unit.data, *symbols.data]):
            for line in constants.layout(entry.container):
                layouts[line] = None
            storage = "static " if self.plan.whole else "extern RPY_HIDDEN "
            if not self.plan.whole and entry in here:
                storage = "extern RPY_HIDDEN "
            declarations.append(f"{storage}{constants.declaration(entry)};")
        return [*layouts, *declarations]

    def _data_storage(self) -> str:
        return "static " if self.plan.whole else ""

    def _storage(self, function: CFunction, here: bool) -> str:
        """The storage class and attributes of a function's declaration."""
        cold = ""
        if self.summaries.of_graph(ALWAYS_RAISES, function.source):
            cold = "RPY_COLD "
        elif is_seldom_called(function.source) or is_never_inlined(function.source):
            cold = "RPY_NOINLINE "
        if function.exported:
            return f"RPY_EXPORTED {cold}"
        if function in self.plan.inline:
            return f"static {cold}" if cold else "static inline "
        if self.plan.whole:
            inline = function.size <= SMALL_FUNCTION and not cold
            return "static inline " if inline else f"static {cold}"
        return f"extern RPY_HIDDEN {cold}"

    def _function(self, function: CFunction, constants: ConstantWriter) -> list[str]:
        writer = FunctionWriter(function, self.types, constants, self.directives)
        lines = writer.lines()
        static = function in self.plan.inline or self.plan.whole
        if static and not function.exported:
            lines[0] = f"static {lines[0]}"
        return [*self._place_table(function, writer.location_table()), *lines]

    def _place_table(self, function: CFunction, table: list[str]) -> list[str]:
        """What a unit says of the places of a function: where it is the only one, the table."""
        if not table:
            return []
        if self.plan.whole:
            return [f"static {table[0]}", *table[1:]]
        self._places[function.name] = [f"RPY_HIDDEN {table[0]}", *table[1:]]
        return [f"extern RPY_HIDDEN const rpy_location loc_{function.name}[];"]


_GLUE = "glue_"


def is_glue(file: str) -> bool:
    """Is that the name of a file of ``glue_files``?"""
    return file.startswith(_GLUE)


def glue_files(glue: list[Glue]) -> dict[str, str]:
    """The files of C code that define externals, one for each library."""
    texts: dict[str, dict[str, None]] = {}
    for piece in glue:
        texts.setdefault(piece.prelude, {})[piece.text] = None
    return {
        f"{_GLUE}{number}.c": "\n".join([prelude, *pieces])
        for number, (prelude, pieces) in enumerate(texts.items(), 1)
    }


def quoted_header(header: str) -> str:
    """How a unit includes the header: the runtime's own in quotes, others in brackets."""
    if header.startswith(("<", '"')):
        return header
    return f'"{header}"' if header.startswith("rpy_") else f"<{header}>"


def external_prototype(func: _func, types: TypeTable) -> str:
    """The declaration of an external function that no header declares."""
    F = func._TYPE
    args = ", ".join(types.ctype(A) for A in F.ARGS if not is_void(A))
    return f"extern {spaced(types.ctype(F.RESULT))}{func.c_name}({args or 'void'});"


