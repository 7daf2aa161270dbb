"""The table of an extension module: C that ``runtime/rpy_module.h`` explains, generated from
what the module has for Python.

    Entry(symbol="rpx_0", shown="add", parameters=[n: int], result=int, direct=True)
    ->
    static PyObject *entry_0(PyObject *self, PyObject *const *args, Py_ssize_t nargs, ...)
    {
        rpm_bind, rpm_int, rpx_0(a0), rpm_after, PyLong_FromLong
    }
"""

from __future__ import annotations

from dataclasses import field

from rpython.translator.ir.records import dataclass

_C_TYPES = {"INT": "Signed", "FLOAT": "double", "BOOL": "Bool", "NONE": "void"}
_GETTERS = {"INT": "rpm_int", "FLOAT": "rpm_float", "BOOL": "rpm_bool"}
_MAKERS = {"INT": "PyLong_FromLong", "FLOAT": "PyFloat_FromDouble", "BOOL": "PyBool_FromLong"}


@dataclass(eq=False)
class AbiType:
    """A type of values that cross.  ``kind``: an ``rpm_kind``; ``name``: how messages call it;
    ``number``: of the class or the kind of container; ``changes``: may the program change
    such containers?"""

    kind: str
    name: str
    items: list[AbiType] = field(default_factory=list)
    number: int = -1
    changes: bool = False

    @property
    def crosses(self) -> bool:
        return self.kind != "OPAQUE"


@dataclass(frozen=True)
class Parameter:
    """``default``: the value as a Python expression, None when there is none."""

    name: str
    type: AbiType
    default: str | None = None


@dataclass(eq=False)
class Entry:
    """A function for Python.  ``shown``: how messages call it; ``doc``: its docstring, which
    begins with the signature; ``parameters``: without ``self``, of which ``positional_only``
    and then ``positional`` ones come first; ``direct``: plain numbers and instances only;
    ``is_init``: the result is the native object of ``self``; ``otherwise``: the result for an
    argument of another type, as an expression; "": that raises TypeError; ``star``: the
    parameter behind the positional ones is ``*args``; ``stars``: the last one is ``**kwargs``;
    ``runs_long``: may it come to a safe point?  ``nogil``: does it run without Python's lock?"""

    symbol: str
    name: str
    shown: str
    doc: str
    parameters: list[Parameter]
    positional_only: int
    positional: int
    result: AbiType
    direct: bool
    has_self: bool = False
    is_init: bool = False
    otherwise: str = ""
    is_setter: bool = False
    prints: bool = False
    star: bool = False
    stars: bool = False
    runs_long: bool = False
    nogil: bool = False


@dataclass(frozen=True)
class Method:
    """``entry``: None when calling it raises TypeError with ``message``."""

    name: str
    entry: Entry | None
    kind: str = "m"
    message: str = ""


@dataclass(frozen=True)
class ClassAttribute:
    """``get`` None: reading and writing raise AttributeError with ``message``.  ``is_field``: is
    it no property?"""

    name: str
    get: Entry | None
    set: Entry | None
    is_field: bool = False
    message: str = ""
    doc: str | None = None


@dataclass(eq=False)
class PublicClass:
    """``number``: of the native class; ``abstract``: what TypeError says when it is called;
    ``constants``: class-level values, as Python expressions; ``values``: those that the class has
    where its instances have fields; ``read``, ``restore``: give the attributes of an object, and
    make one of them, where its objects can be copied."""

    name: str
    base: PublicClass | None
    exported: bool
    number: int
    doc: str | None
    abstract: str | None
    methods: list[Method]
    attributes: list[ClassAttribute]
    constants: dict[str, str]
    values: dict[str, str]
    read: Entry | None = None
    restore: Entry | None = None


@dataclass(eq=False)
class ExceptionClass:
    """``own``: does the module make the class (with ``base``)?  Else it is found in ``module``.
    ``special``: it does more with its arguments than keep them; ``has_text``: native code
    computes its text; ``members``: what the class has, for ``hostside.exception_class``
    (``has_source``: its source text); ``fields``: the attributes that cross."""

    module: str
    name: str
    number: int
    base: ExceptionClass | None = None
    own: bool = False
    exported: bool = False
    special: bool = False
    has_text: bool = False
    has_source: bool = False
    members: str = ""
    fields: list[tuple[str, AbiType]] = field(default_factory=list)


@dataclass(frozen=True)
class HostClass:
    """A class that is Python's: ``source``: its text, None when ``module`` has it."""

    module: str
    name: str
    source: str | None
    exported: bool


@dataclass(frozen=True)
class ExceptionConstructor:
    """How exceptions were made, and with what; see ``rtyper.boundary.exception_constructors``."""

    how: str
    arguments: AbiType


@dataclass(eq=False)
class Extension:
    """All that an extension module has for Python.  ``exported``: the functions that the module
    has as attributes; ``constants``: its other attributes, as Python expressions;
    ``forms``: of exceptions, by number; ``names``: what the sources of hosted classes and
    exceptions use, as expressions; ``host_side``: Python source that the module needs;
    ``knows_version``: does the program ask which Python runs it?"""

    name: str
    file: str
    doc: str | None
    entries: list[Entry]
    exported: list[Entry]
    constants: dict[str, str]
    classes: list[PublicClass]
    exceptions: list[ExceptionClass]
    forms: list[ExceptionConstructor]
    hosted: list[HostClass]
    names: dict[str, str]
    host_side: str
    flushes: bool
    knows_version: bool

    def table(self, knows_threads: bool) -> str:
        """The C file.  ``knows_threads``: must the collector know every thread?"""
        return _Table(self, knows_threads).text()


def c_string(text: str | None) -> str:
    """A C string literal in UTF-8 (NULL for None), long ones in pieces."""
    if text is None:
        return "NULL"
    pieces = [
        "".join(_escaped(byte) for byte in piece)
        for piece in (text.encode("utf-8", "surrogatepass")[i : i + 72]
                      for i in range(0, len(text.encode("utf-8", "surrogatepass")), 72))
    ]  # fmt: skip
    return "\n    ".join(f'"{piece}"' for piece in pieces) or '""'


def _escaped(byte: int) -> str:
    if byte in b'"\\?':
        return "\\" + chr(byte)
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


class _Table:
    """Writes the table."""

    def __init__(self, extension: Extension, knows_threads: bool) -> None:
        self.extension = extension
        self.knows_threads = knows_threads
        self.types: dict[AbiType, str] = {}
        self.lines: list[str] = []
        self.getters = {
            attribute.get for public in extension.classes for attribute in public.attributes
        }

    def text(self) -> str:
        e = self.extension
        for number, entry in enumerate(e.entries):
            self.entry(number, entry)
        for number, public in enumerate(e.classes):
            self.class_members(number, public)
        for number, exception in enumerate(e.exceptions):
            self.exception_fields(number, exception)
        self.functions()
        self.classes()
        self.exceptions()
        self.module()
        head = [
            f"/* {e.name} for Python: generated by rpython3 */",
            '#include "rpy_module_layout.h"',
            "",
            *(f"static const rpm_type {name};" for name in self.types.values()),
        ]
        definitions = [line for T, name in self.types.items() for line in self.definition(T, name)]
        return "\n".join([*head, *definitions, *self.lines]) + "\n"

    # -- types --------------------------------------------------------------------------------

    def type(self, T: AbiType) -> str:
        """The C name of a type."""
        if T not in self.types:
            self.types[T] = f"type_{len(self.types)}"
            for item in T.items:
                self.type(item)
        return self.types[T]

    def definition(self, T: AbiType, name: str) -> list[str]:
        items = "NULL"
        lines = []
        if T.items:
            items = f"{name}_items"
            listed = ", ".join(f"&{self.types[item]}" for item in T.items)
            lines.append(f"static const rpm_type *const {items}[] = {{ {listed} }};")
        values = f"RPM_{T.kind}, {T.number}, {int(T.changes)}, {len(T.items)}, {items}"
        return [*lines, f"static const rpm_type {name} = {{ {values}, {c_string(T.name)} }};"]

    # -- functions ----------------------------------------------------------------------------

    def entry(self, number: int, entry: Entry) -> None:
        """The names and types of the parameters, and the C function that Python calls."""
        names = "".join(f"{c_string(p.name)}, " for p in entry.parameters)
        types = "".join(f"&{self.type(p.type)}, " for p in entry.parameters)
        count = len(entry.parameters)
        self.lines += [
            "",
            f"/* {entry.shown} */",
            f"static const char *const names_{number}[] = {{ {names}NULL }};",
            f"static const rpm_type *const types_{number}[] = {{ {types}NULL }};",
            f"static PyObject *interned_{number}[{count + 1}];",
        ]
        self.lines.append(f"static rpm_function functions[{len(self.extension.entries) + 1}];")
        if entry.direct:
            self.lines += self._prototype(entry)
        else:
            self.lines.append(f"extern RPY_HIDDEN void {entry.symbol}(Signed *words);")
        if entry in self.getters:
            self._getter(number, entry)
        elif entry.is_setter:
            self._setter(number, entry)
        else:
            self._method(number, entry)

    def _function(self, head: list[str], number: int, body: list[str]) -> None:
        self.lines += [*head, "{", f"    const rpm_function *f = &functions[{number}];"]
        if self.knows_threads:
            self.lines.append("    rpm_thread();")
        self.lines += [*body, "}"]

    def _method(self, number: int, entry: Entry) -> None:
        """A function with the calling convention METH_FASTCALL | METH_KEYWORDS."""
        head = [
            f"static PyObject *entry_{number}(PyObject *self, PyObject *const *args, "
            "Py_ssize_t nargs,",
            f"{' ' * (len(str(number)) + 23)}PyObject *kwnames)",
        ]
        body = ["    return rpm_call(f, self, args, nargs, kwnames);"]
        if entry.direct:
            count = len(entry.parameters)
            plain = f"nargs == {count} && kwnames == NULL"
            if entry.positional < count:
                plain = "0"  # keyword-only arguments
            binding = [
                f"    if (!({plain})) {{",
                "        if (!rpm_bind(f, args, nargs, kwnames, bound))",
                "            return NULL;",
                "        args = bound;",
                "    }",
            ]
            bound = f"    PyObject *bound[{count + 1}];"
            arguments = [f"args[{i}]" for i in range(count)]
            body = [bound, *self._direct_body(entry, arguments, binding)]
            body += self._direct_result(entry)
        self._function(head, number, body)

    def _getter(self, number: int, entry: Entry) -> None:
        head = [f"static PyObject *entry_{number}(PyObject *self, void *closure)"]
        body = ["    (void)closure;"]
        if entry.direct:
            body = self._direct_body(entry, [], body) + self._direct_result(entry)
        else:
            body.append("    return rpm_call(f, self, NULL, 0, NULL);")
        self._function(head, number, body)

    def _setter(self, number: int, entry: Entry) -> None:
        head = [f"static int entry_{number}(PyObject *self, PyObject *value, void *closure)"]
        body = ["    (void)closure;", "    if (!rpm_not_deleted(f, value))", "        return -1;"]
        if entry.direct:
            body = [*self._direct_body(entry, ["value"], body, "-1"), "    return 0;"]
        else:
            body.append("    return rpm_assign(f, self, value);")
        self._function(head, number, body)

    def _prototype(self, entry: Entry) -> list[str]:
        types = ["Signed"] * self._passes_self(entry)
        types += [_C_TYPES.get(p.type.kind, "Signed") for p in entry.parameters]
        result = _C_TYPES.get(entry.result.kind, "Signed")
        return [f"extern RPY_HIDDEN {result} {entry.symbol}({', '.join(types) or 'void'});"]

    @staticmethod
    def _passes_self(entry: Entry) -> bool:
        return entry.has_self and not entry.is_init

    def _direct_body(
        self, entry: Entry, arguments: list[str], before: list[str], failed: str = "NULL"
    ) -> list[str]:
        """The call of the native function, from the declarations to the test whether it has
        raised.  ``before``: what has to be done first; ``failed``: what is returned then."""
        lines = []
        passed = []
        if self._passes_self(entry):
            lines.append("    Signed handle;")
            passed.append("handle")
        for i, parameter in enumerate(entry.parameters):
            lines.append(f"    {_C_TYPES.get(parameter.type.kind, 'Signed')} a{i};")
            passed.append(f"a{i}")
        result = _C_TYPES.get(entry.result.kind, "Signed")
        if result != "void":
            lines.append(f"    {result} result;")
        lines += before
        tests = []
        if entry.is_init:
            tests.append("rpm_not_made(f, self)")
        if entry.prints:
            tests.append("rpm_before_output()")
        if self._passes_self(entry):
            tests.append("rpm_self(f, self, &handle)")
        for test in tests:
            lines += [f"    if (!{test})", f"        return {failed};"]
        wrong = "rpm_wrong(f)" if failed == "NULL" else "rpm_assigned(rpm_wrong(f))"
        for i, parameter in enumerate(entry.parameters):
            getter = _GETTERS.get(parameter.type.kind, "rpm_instance")
            test = f"{getter}(f, {i}, {arguments[i]}, &a{i})"
            lines += [f"    if (!{test})", f"        return {wrong};"]
        lines += ["    if (!rpm_enter())", f"        return {failed};"]
        if entry.runs_long:
            lines.append("    rpm_long();")
        call = f"{entry.symbol}({', '.join(passed)})"
        call = f"    result = {call};" if result != "void" else f"    {call};"
        released = ["    rpm_release_gil();", call, "    rpm_take_gil();"]
        lines += released if entry.nogil else [call]
        after = "!rpm_after(f)" if entry.prints else "rpy_exc != NULL && !rpm_after(f)"
        return [*lines, f"    if ({after})", f"        return {failed};"]

    @staticmethod
    def _direct_result(entry: Entry) -> list[str]:
        if entry.is_init:
            return ["    return rpm_made(self, result);"]
        if entry.result.kind == "NONE":
            return ["    Py_RETURN_NONE;"]
        return [f"    return {_MAKERS.get(entry.result.kind, 'rpm_wrap')}(result);"]

    def functions(self) -> None:
        """The two tables by number of function."""
        e = self.extension
        self.lines += ["", "static PyMethodDef methods[] = {"]
        call = "METH_FASTCALL | METH_KEYWORDS"
        for number, entry in enumerate(e.entries):
            function = f"(PyCFunction)(void (*)(void))entry_{number}"
            if entry in self.getters or entry.is_setter:
                function = "NULL"
            self.lines.append(
                f"    {{ {c_string(entry.name)}, {function}, {call},\n"
                f"      {c_string(entry.doc)} }},"
            )
        self.lines += ["    { NULL, NULL, 0, NULL }", "};", ""]
        self.lines.append(f"static rpm_function functions[{len(e.entries) + 1}] = {{")
        makes = {
            method.entry: 1 + number
            for number, public in enumerate(e.classes)
            for method in public.methods if method.entry is not None and method.entry.is_init
        } | {
            public.restore: 1 + number for number, public in enumerate(e.classes)
            if public.restore is not None
        }  # fmt: skip
        for number, entry in enumerate(e.entries):
            counts = (len(entry.parameters), entry.positional_only, entry.positional)
            otherwise = {"": "NULL", "False": "Py_False"}.get(entry.otherwise, "Py_NotImplemented")
            flags = (
                entry.is_setter, entry.prints, entry.star, entry.stars, entry.runs_long,
                entry.nogil,
            )  # fmt: skip
            numbers = (*counts, int(entry.has_self), makes.get(entry, 0), *map(int, flags))
            call = "NULL" if entry.direct else entry.symbol
            self.lines.append(
                f"    {{ {c_string(entry.shown)}, {', '.join(map(str, numbers))}, names_{number}, "
                f"types_{number}, &{self.type(entry.result)}, {call}, interned_{number}, NULL, "
                f"{otherwise} }},"
            )
        self.lines += ["    { NULL }", "};"]

    def _number(self, entry: Entry | None) -> int:
        return -1 if entry is None else self.extension.entries.index(entry)

    # -- classes ------------------------------------------------------------------------------

    def class_members(self, number: int, public: PublicClass) -> None:
        self.lines += ["", f"/* class {public.name} */"]
        self.lines.append(f"static const rpm_method methods_{number}[] = {{")
        for method in public.methods:
            self.lines.append(
                f"    {{ {c_string(method.name)}, {self._number(method.entry)}, "
                f"'{method.kind}', {c_string(method.message)} }},"
            )
        self.lines += ["    { NULL }", "};"]
        self.lines.append(f"static const rpm_attribute attributes_{number}[] = {{")
        for attribute in public.attributes:
            get, set_ = (
                "NULL" if entry is None else f"entry_{self._number(entry)}"
                for entry in (attribute.get, attribute.set)
            )  # fmt: skip
            self.lines.append(
                f"    {{ {c_string(attribute.name)}, {get}, {set_}, {int(attribute.is_field)}, "
                f"{c_string(attribute.doc)}, {c_string(attribute.message)} }},"
            )
        self.lines += ["    { NULL }", "};"]

    def classes(self) -> None:
        listed = self.extension.classes
        self.lines += ["", "static rpm_class classes[] = {"]
        for number, public in enumerate(listed):
            base = -1 if public.base is None else listed.index(public.base)
            self.lines.append(
                f"    {{ {c_string(public.name)}, {base}, {int(public.exported)}, {public.number}, "
                f"{c_string(public.doc)},\n      {c_string(public.abstract)}, methods_{number}, "
                f"attributes_{number}, {self._number(public.read)}, "
                f"{self._number(public.restore)}, NULL, NULL }},"
            )
        self.lines += ["    { NULL }", "};"]

    # -- exceptions ---------------------------------------------------------------------------

    def exception_fields(self, number: int, exception: ExceptionClass) -> None:
        self.lines.append(f"static const rpm_field fields_{number}[] = {{")
        for name, T in exception.fields:
            self.lines.append(f"    {{ {c_string(name)}, &{self.type(T)} }},")
        self.lines += ["    { NULL }", "};"]

    def exceptions(self) -> None:
        listed = self.extension.exceptions
        self.lines += ["", "static rpm_exception exceptions[] = {"]
        for number, e in enumerate(listed):
            base = -1 if e.base is None else listed.index(e.base)
            flags = f"{base}, {int(e.own)}, {int(e.exported)}, {int(e.special)}, {int(e.has_text)}"
            self.lines.append(
                f"    {{ {c_string(e.module)}, {c_string(e.name)}, {flags}, {e.number}, "
                f"fields_{number}, NULL }},"
            )
        self.lines += ["    { NULL }", "};", "", "static const rpm_form forms[] = {"]
        for form in self.extension.forms:
            self.lines.append(f"    {{ {c_string(form.how)}, &{self.type(form.arguments)} }},")
        self.lines += ["    { NULL }", "};"]

    # -- the module ---------------------------------------------------------------------------

    def module(self) -> None:
        e = self.extension
        exported = "".join(f"{self._number(entry)}, " for entry in e.exported)
        self.lines += [
            "",
            f"static const int exported[] = {{ {exported}-1 }};",
            "",
            f"static rpm_hosted hosted[{len(e.hosted) + 1}];",
            "",
            "rpm_module rpm_this = {",
            f"    {c_string(e.name)},",
            f"    {c_string(e.doc)},",
            f"    methods, exported, functions, {len(e.entries)}, classes, {len(e.classes)},",
            f"    exceptions, {len(e.exceptions)}, forms,",
            f"    hosted, {len(e.hosted)},",
            f"    {c_string(e.file)},",
            f"    {c_string(self.hosted())},",
            f"    {c_string(self.data())},",
            f"    {c_string(e.host_side)},",
            f"    {int(self.knows_threads)}",
            "};",
            "",
            *([] if e.flushes else ["void rpy_flush(void)", "{", "}", ""]),
            "static PyModuleDef_Slot slots[] = {",
            "    { Py_mod_create, rpm_create_module },",
            "    { Py_mod_exec, rpm_exec_module },",
            "    { 0, NULL }",
            "};",
            "",
            "static PyModuleDef definition = {",
            f"    PyModuleDef_HEAD_INIT, {c_string(e.name)}, NULL, 0, NULL, slots",
            "};",
            "",
            f"PyMODINIT_FUNC {init_function(e.name)}(void)",
            "{",
            "    return PyModuleDef_Init(&definition);",
            "}",
        ]

    def hosted(self) -> str:
        """The Python expression for ``hostside.host_classes``: the names, and each class."""
        e = self.extension
        if not e.hosted and not any(exception.has_source for exception in e.exceptions):
            return ""
        classes = [repr((c.module, c.name, c.source, c.exported)) for c in e.hosted]
        lazy = {name: f"lambda hosted: {text}" for name, text in e.names.items()}
        return _tuple([_dict(lazy), _tuple(classes)])

    def data(self) -> str:
        """The Python function of the hosted classes that gives the defaults of all functions, the
        module's constants, those of the classes and of their fields, and what the exception classes
        have."""
        e = self.extension
        defaults = [
            _tuple([p.default or "NotImplemented" for p in entry.parameters]) for entry in e.entries
        ]
        classes = [
            _tuple([_dict(public.constants), _dict(public.values)]) for public in e.classes
        ]
        members = [f"({exception.members})" for exception in e.exceptions]
        found = _tuple([_tuple(defaults), _dict(e.constants), _tuple(classes), _tuple(members)])
        return f"lambda hosted: {found}"


def init_function(module: str) -> str:
    """The name of the C function by which Python finds the module in a library (PEP 489)."""
    name = module.rpartition(".")[2]
    prefix, text = "PyInit", name
    if not name.isascii():
        prefix, text = "PyInitU", name.encode("punycode").decode("ascii")
    return f"{prefix}_{text.replace('-', '_')}"


def _tuple(items: list[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


def _dict(items: dict[str, str]) -> str:
    return "{" + "".join(f"{name!r}: {value}, " for name, value in items.items()) + "}"
