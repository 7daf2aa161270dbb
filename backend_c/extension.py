"""What an extension module has for Python; ``extension_table`` makes C of it."""

from __future__ import annotations

from dataclasses import field

from rpython.translator.ir.records import dataclass

CONTAINERS = ("LIST", "DICT", "SET", "BYTEARRAY")
"""The kinds of containers that can change."""


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

    def parts(self) -> list[AbiType]:
        """It and all types in it, each once."""
        found = [self]
        for T in found:
            found += [item for item in T.items if item not in found]
        return found

    def has(self, *kinds: str) -> bool:
        """Is it of one of these kinds, or has it one in it?"""
        return any(T.kind in kinds for T in self.parts())

    @property
    def has_container(self) -> bool:
        """Is it a container that can change, or has it one in it?"""
        return self.has(*CONTAINERS)

    @property
    def is_plain(self) -> bool:
        """Do its values cross in words of their own, of which nothing else has to know?"""
        return not self.has(
            *CONTAINERS, "FROZENSET", "BUFFER", "CALLABLE", "INSTANCE", "GIVEN", "OPAQUE"
        )

    @property
    def may_change(self) -> bool:
        """May the program change such a container, or one in it?"""
        return any(T.kind in CONTAINERS and T.changes for T in self.parts())


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
    and then ``positional`` ones come first; ``direct``: each argument crosses for itself, numbers
    and instances as they are, the others (``by_words``) in words; so does the result;
    ``is_init``: the result is the native object of ``self``; ``otherwise``: the result for an
    argument of another type, as an expression; "": that raises TypeError; ``star``: the
    parameter behind the positional ones is ``*args``; ``stars``: the last one is ``**kwargs``;
    ``runs_long``: may it come to a safe point?  ``nogil``: does it run without Python's lock?
    ``of_class``: is it a classmethod, which gets the class?  ``generated``: has ``dataclass``
    made it?  Then it asks of which class its objects are.  ``extended``: what runs in its place
    for objects of classes that Python has derived."""

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
    of_class: bool = False
    generated: bool = False
    by_words: tuple[bool, ...] = ()
    result_by_words: bool = False
    extended: Entry | None = None


@dataclass(frozen=True)
class Method:
    """``entry``: None when calling it raises TypeError with ``message``; ``kind``: "m", "s" for a
    static method, "c" for a classmethod."""

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
    make one of them, where its objects can be copied (``restore_extended``: one of a class that
    Python has derived); ``is_view``: are they views of containers?
    ``subclassing``: what ``translator.extension.subclassing`` says; ``is_weak``: do its objects
    have weak references?  ``is_slotted``: have those of the source no ``__dict__``?"""

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
    restore_extended: Entry | None = None
    is_view: bool = False
    subclassing: str = ""
    is_weak: bool = False
    is_slotted: bool = False


@dataclass(eq=False)
class ExceptionClass:
    """``own``: does the module make the class (with ``base``)?  Else it is found in ``module``.
    ``special``: it does more with its arguments than keep them; ``has_text``: native code
    computes its text; ``from_python``: can native code take one that Python code raises?
    ``members``: what the class has, for ``hostside.exception_class``
    (``has_source``: its source text); ``fields``: the attributes that cross."""

    module: str
    name: str
    number: int
    base: ExceptionClass | None = None
    own: bool = False
    exported: bool = False
    special: bool = False
    has_text: bool = False
    from_python: bool = False
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
class PythonOperation:
    """What native code does with Python's callables of one type: ``what``: a letter, see
    ``rpm_operation``; ``name``: how messages call its result; ``member``: what is called or read of
    the first argument, "": the callable itself."""

    what: str
    name: str
    arguments: AbiType
    result: AbiType
    member: str = ""


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
    ``knows_version``: does the program ask which Python runs it?  ``imports``: what other
    modules have (the module and the name there, "": the module itself)."""

    name: str
    file: str
    doc: str | None
    entries: list[Entry]
    exported: list[Entry]
    constants: dict[str, str]
    classes: list[PublicClass]
    exceptions: list[ExceptionClass]
    forms: list[ExceptionConstructor]
    operations: list[PythonOperation]
    hosted: list[HostClass]
    names: dict[str, str]
    host_side: str
    flushes: bool
    knows_version: bool
    imports: dict[str, tuple[str, str]]
