"""Python code that runs inside of an extension module when a class of Python extends one of its
classes; it stands alone, since the module has its text only."""

from __future__ import annotations

from typing import Any

PLAIN = frozenset(
    "__init__ __new__ __init_subclass__ __class_getitem__ __doc__ __module__ __qualname__ __name__ "
    "__slots__ __dict__ __weakref__ __annotations__ __annotate__ __annotations_cache__ "
    "__annotate_func__ __orig_bases__ __parameters__ __type_params__ __static_attributes__ "
    "__firstlineno__ __match_args__ __repr__ __str__ __format__ __enter__ __exit__ __reduce__ "
    "__reduce_ex__ __copy__ __deepcopy__ __dir__ __sizeof__ __abstractmethods__".split()
)
"""The special names that a subclass may have: native code does not look for them, or (of texts)
it is known where it does."""


def check_subclass(
    cls: Any, base: Any, natives: tuple[Any, ...], nearest: Any, fixed: Any, words: dict[str, Any]
) -> None:
    """Raise TypeError where native code would not treat objects of the new class as Python does.

    ``base``: the class above all ``natives``, of which ``nearest`` gives ``cls`` its layout;
    ``fixed``: the names that it cannot have, or why ``nearest`` has no subclasses; ``words``: those
    of the class statement."""
    native = [each for each in cls.__mro__ if each in natives]
    if isinstance(fixed, str):
        raise TypeError(f"class {nearest.__name__} cannot be extended in Python: {fixed}")
    if native[0] is not nearest or not all(issubclass(nearest, each) for each in native):
        names = " and ".join(each.__name__ for each in native)
        raise TypeError(f"a class cannot extend {names}, which are native code, in this order")
    for each in cls.__mro__[: cls.__mro__.index(nearest)]:
        if type(each) is not type(nearest):
            raise TypeError(
                f"base class {each.__name__!r} must come after {nearest.__name__!r}, which is"
                " native code"
            )
        for name in vars(each):
            check_name(each, name, nearest, fixed)
    super(base, cls).__init_subclass__(**words)


def check_name(cls: Any, name: str, native: Any, fixed: Any) -> None:
    """Raise TypeError when a subclass cannot have an attribute of that name."""
    special = name.startswith("__") and name.endswith("__")
    if name not in fixed and (not special or name in PLAIN):
        return
    has = f"uses {name!r} of its objects" if hasattr(native, name) else f"may look for {name!r}"
    hint = "" if special or not hasattr(native, name) else " (see rpython.overridable)"
    raise TypeError(
        f"{cls.__name__}.{name}: class {native.__name__} is native code, which {has} and would not"
        f" see that of a class in Python{hint}"
    )


def abstract_methods(cls: Any, nearest: Any) -> frozenset[str]:
    """The abstract methods of a new class, as ``ABCMeta`` finds them; methods of native code do
    not say themselves that they are abstract."""
    left = {
        name for name in getattr(nearest, "__abstractmethods__", ())
        if getattr(cls, name) is getattr(nearest, name)
    }  # fmt: skip
    return frozenset(left | getattr(cls, "__abstractmethods__", frozenset()))
