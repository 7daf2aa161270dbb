"""The attributes of the instances of classes of an extension module: what Python can read and
assign."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING

from rpython.annotator.lattice.model import SomeInstance, SomeObject
from rpython.translator.extension import wrappers
from rpython.translator.extension.abi_types import AbiTypes, DoesNotCross
from rpython.translator.extension.exports import Parameters, attribute_hints
from rpython.translator.extension.iteration import is_generator
from rpython.translator.extension.known import NO_PARAMETERS, Known, place_of_class
from rpython.translator.extension.views import assigner, has_view, is_view_class, viewer
from rpython.translator.extension.widening import widened
from rpython.translator.ir.errors import Conflict, TranslationError
from rpython.translator.ir.span import Span

if TYPE_CHECKING:
    from rpython.translator.extension.members import Members
    from rpython.translator.extension.program import ExtensionTranslation


class Attributes:
    """Flows small functions that read and assign them."""

    def __init__(self, translation: ExtensionTranslation, members: Members) -> None:
        self.translation = translation
        self.members = members

    @staticmethod
    def of(known: Known) -> list[tuple[str, SomeObject]]:
        if is_generator(known.cls) or is_view_class(known.cls):
            return []
        return [
            (name, attribute.s_value)
            for classdef in known.own_classdefs()
            for name, attribute in classdef.attrs.items()
            if not name.startswith("_") and attribute.s_value.kinds
        ]

    def flow(self, known: Known, name: str, s: SomeObject) -> None:
        cls = known.cls
        known.fields.add(name)
        span = Span(place_of_class(cls).filename, place_of_class(cls).line, function=cls.__name__)
        s_wide = self._declared(known, name, widened(s))
        types = AbiTypes(self.translation.classes.numbers(), set(), self.translation.hosted.number)
        try:
            T = types.of(s_wide)
        except DoesNotCross as error:
            known.reading[name] = f"{cls.__name__}.{name} is {error}: only native code can use it"
            return
        if has_view(s_wide) and not any(item.has_container for item in T.items):
            self._flow_view(known, name, s_wide, span)
            return
        if T.has_container:
            known.reading[name] = (
                f"{cls.__name__}.{name} is a {T.name} of native code, which Python code cannot"
                " share: write a method that returns a copy"
            )
            return
        shown = f"{cls.__name__}.{name}"
        s_self = SomeInstance(known.classdef)
        flow = self.translation.flow
        known.reading[name] = flow(
            wrappers.getter(name), name, "", NO_PARAMETERS, [], span, shown, s_self
        )
        if not _is_read_only(known, name):
            one = Parameters((name,), 1, 1, (None,), {})
            self.members.flow_setter(known, name, one, [s_wide], span)

    def _flow_view(self, known: Known, name: str, s: SomeObject, span: Span) -> None:
        """The attribute is a list or dict of native code's own."""
        translation = self.translation
        view = translation.views.view_of(s)
        known.reading[name] = translation.flow(
            viewer(name, view.of), name, "", NO_PARAMETERS, [], span,
            f"{known.cls.__name__}.{name}", SomeInstance(known.classdef),
        )  # fmt: skip
        if not _is_read_only(known, name):
            s_view = SomeInstance(translation.annotator.constants.classdef(view.cls))
            one = Parameters((name,), 1, 1, (None,), {})
            self.members.flow_setter(known, name, one, [s_view], span, assigner(name))

    def _declared(self, known: Known, name: str, s: SomeObject) -> SomeObject:
        """``s`` and what the attribute's type hint says, if it has one that crosses."""
        for classdef in known.own_classdefs():
            hints = attribute_hints(classdef.cls)
            if name in hints:
                annotator = self.translation.annotator
                try:
                    s_hint = self.translation.hints().annotation(hints[name])
                except Conflict:
                    raise
                except TranslationError:
                    return s
                s_both = annotator.join(s, s_hint)
                return s_both if annotator.representable(s_both) else s
        return s


def _is_read_only(known: Known, name: str) -> bool:
    for cls in known.cls.__mro__:
        if name in vars(cls).get("_immutable_fields_", ()):
            return True
        hint = vars(cls).get("__annotations__", {}).get(name)
        if typing.get_origin(hint) is typing.Final or str(hint).startswith(
            ("Final", "typing.Final")
        ):
            return True
    params = getattr(known.cls, "__dataclass_params__", None)
    return params is not None and bool(params.frozen)
