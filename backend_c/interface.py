"""The generated code between the program and the hand-written runtime: what
``runtime/rpy_core.h`` and ``rpy_base.h`` declare and only the program can define.
"""

from __future__ import annotations

from rpython.backend_c.collect import Contents
from rpython.backend_c.constants import ConstantWriter
from rpython.backend_c.names import c_string
from rpython.lltypesystem.primitives import Signed
from rpython.lltypesystem.rclass import OBJECT, OBJECT_VTABLE, OBJECTPTR, TRACE, TWIN
from rpython.lltypesystem.rstr import BYTESPTR
from rpython.lltypesystem.types import Ptr
from rpython.translator.ir.errors import BuildError
from rpython.translator.ir.model import FunctionGraph

ENTRY_SYMBOL = "rpy_entry_point"
FLUSH_SYMBOL = "rpy_flush"
FINALIZE_SYMBOL = "rpy_finalize"
TEXT_SYMBOL = "rpy_exception_text"
NOTES_SYMBOL = "rpy_exception_notes"
TEXT_FAILED = "<exception str() failed>"

_RAISED_BY_OPERATIONS = (OverflowError, MemoryError, RecursionError, KeyboardInterrupt)


_GIVE_BACK = [
    "RPY_EXPORTED void rpy_give_back(void *object)",
    "{",
    "#ifdef RPY_GC_RELEASE",
    "    if (object != NULL)",
    "        RPY_GC_RELEASE(object);",
    "    else",
    "        rpy_gc_check_counts();",
    "#endif",
    "}",
]


def entry_graph(contents: Contents) -> FunctionGraph:
    """Where an executable starts.  Raises BuildError unless it is ``() -> Signed``."""
    program = contents.program
    graph = program.exports.get(ENTRY_SYMBOL, program.entry)
    if graph.getargs() or graph.getreturnvar().concretetype != Signed:
        raise BuildError(
            f"the entry point {graph.name} of an executable must take nothing and return Signed"
        )
    return graph


def executable_interface(contents: Contents, constants: ConstantWriter) -> list[str]:
    """The interface of an executable."""
    name = _function(constants, contents, entry_graph(contents))
    return [
        *shared_interface(contents, constants),
        "Signed rpy_program_run(void)",
        "{",
        f"    return {name}();",
        "}",
        *_optional("rpy_program_flush", FLUSH_SYMBOL, contents, constants),
        *_optional("rpy_program_finalize", FINALIZE_SYMBOL, contents, constants),
    ]


def _optional(
    name: str, symbol: str, contents: Contents, constants: ConstantWriter
) -> list[str]:
    """A function that calls what the program exports as ``symbol``, if it does."""
    graph = contents.program.exports.get(symbol)
    call = "" if graph is None else f"{_function(constants, contents, graph)}();"
    return [f"void {name}(void)", "{", f"    {call}", "}"]


def shared_interface(contents: Contents, constants: ConstantWriter) -> list[str]:
    """The interface of a shared library, which an executable has, too."""
    constants.types.ctype(OBJECTPTR)
    constants.types.name(OBJECT_VTABLE)
    lines = ["", "/* ---- the interface to the runtime ---- */"]
    for cls in _RAISED_BY_OPERATIONS:
        lines += [f"void rpy_raise_{cls.__name__}(void)", "{"]
        p = contents.program.exceptions.get(cls)
        if p is None:
            lines.append(f'    rpy_fatal_error("{cls.__name__}");')
        else:
            lines.append(f"    rpy_raise_fresh((void *){constants.pointer(p)});")
        lines.append("}")
    lines += [
        "const char *rpy_exception_class_name(void *exc)",
        "{",
        f"    return (const char *){constants.types.class_of('exc')}->f_name;",
        "}",
        "const char *rpy_exception_full_name(void *exc)",
        "{",
        f"    return (const char *){_class_field('full_name', contents, constants)};",
        "}",
        "Signed rpy_exception_class_number(void *exc)",
        "{",
        f"    return {constants.types.class_number('exc')};",
        "}",
        "Signed *rpy_exception_trace(void *exc)",
        "{",
        f"    return {_hidden_field(TRACE, contents, constants, '&')};",
        "}",
        "void *rpy_exception_twin(void *exc)",
        "{",
        f"    return {_hidden_field(TWIN, contents, constants)};",
        "}",
        "Bool rpy_exception_is_interrupt(void *exc)",
        "{",
        f"    return {_is_interrupt(contents, constants)};",
        "}",
        "const char *rpy_exception_message(void *exc, Signed *length)",
        "{",
        *_report(TEXT_SYMBOL, contents, constants),
        "}",
        "const char *rpy_exception_note_lines(void *exc, Signed *length)",
        "{",
        *_report(NOTES_SYMBOL, contents, constants),
        "}",
        *_GIVE_BACK,
    ]
    hashes = "".join(f", {value}L" for value in contents.identity_hashes)
    lines.append(f"const Signed rpy_gc_prebuilt_hashes[] = {{ 0{hashes} }};")
    return lines


def _class_field(name: str, contents: Contents, constants: ConstantWriter) -> str:
    """A field of the class of the exception ``exc``; in programs without it the name."""
    typeptr = constants.types.class_of("exc")
    for p in contents.program.exceptions.values():
        T = p._obj._getfield(OBJECT, "typeptr")._obj._TYPE
        if name in T._names:
            return f"(({constants.types.ctype(Ptr(T))}){typeptr})->f_{name}"
    return f"{typeptr}->f_name"


def _hidden_field(
    name: str, contents: Contents, constants: ConstantWriter, prefix: str = ""
) -> str:
    """A field of the exception ``exc``; NULL in programs without it."""
    for p in contents.program.exceptions.values():
        for T in p._obj._TYPE._ancestors():
            if name in T._names:
                return f"{prefix}(({constants.types.ctype(Ptr(T))})exc)->f_{name}"
    return "exc == NULL ? exc : NULL"


def _is_interrupt(contents: Contents, constants: ConstantWriter) -> str:
    p = contents.program.exceptions.get(KeyboardInterrupt)
    if p is None:
        return "0 && exc"
    types = constants.types
    return f"{types.class_of('exc')} == {types.class_of(constants.pointer(p))}"


def _report(symbol: str, contents: Contents, constants: ConstantWriter) -> list[str]:
    """The body of a function that gives what the program says of the exception ``exc``."""
    graph = contents.program.exports.get(symbol)
    if graph is None:
        return ["    *length = 0;", "    return NULL;"]
    types = constants.types
    if (
        [arg.concretetype for arg in graph.getargs()] != [OBJECTPTR]
        or graph.getreturnvar().concretetype != BYTESPTR
    ):
        raise BuildError(f"{symbol} must take an OBJECTPTR and return Ptr(BYTES)")
    name = _function(constants, contents, graph)
    return [
        f"    {types.ctype(BYTESPTR)}text = {name}(({types.ctype(OBJECTPTR)})exc);",
        "    if (rpy_exc != NULL || text == NULL) {",
        f"        static const char failed[] = {c_string(TEXT_FAILED)};",
        "        rpy_exc = NULL;",
        "        *length = sizeof failed - 1;",
        "        return failed;",
        "    }",
        "#ifdef RPY_GC_KEEP",
        "    RPY_GC_KEEP(text);",
        "#endif",
        "    *length = text->f_chars.length;",
        "    return (const char *)text->f_chars.items;",
    ]


def _function(constants: ConstantWriter, contents: Contents, graph: FunctionGraph) -> str:
    entry = contents.function(graph)
    constants.symbols.functions[entry] = None
    return entry.name
