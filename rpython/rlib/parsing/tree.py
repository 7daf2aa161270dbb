"""What a parser makes: trees of nonterminals and symbols; and visitors for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rpython.rlib.parsing.deterministic import SourcePos
    from rpython.rlib.parsing.lexer import Token


class Node:
    """A part of a tree: ``symbol`` is its name in the grammar."""

    symbol: str

    def getsourcepos(self) -> SourcePos:
        """Where its first token stands."""
        raise NotImplementedError

    def visit(self, visitor: Any) -> Any:
        """What the visitor's method for the symbol gives; of an ``RPythonVisitor`` use
        ``dispatch`` in translated programs.  For a symbol without a method: itself."""
        if isinstance(visitor, RPythonVisitor):
            return visitor.dispatch(self)
        general = getattr(visitor, "visit", None) if isinstance(self, Nonterminal) else None
        method = getattr(visitor, "visit_" + self.symbol, general)
        if method is None and isinstance(self, Nonterminal):
            raise VisitError(self)
        return self if method is None else method(self)

    def __str__(self) -> str:
        return self.symbol

    def __repr__(self) -> str:
        return f"Node({self.symbol!r})"


class Symbol(Node):
    """A token: ``additional_info`` is its text."""

    def __init__(self, symbol: str, additional_info: str, token: Token) -> None:
        self.symbol = symbol
        self.additional_info = additional_info
        self.token = token

    def getsourcepos(self) -> SourcePos:
        return self.token.source_pos

    def __repr__(self) -> str:
        return f"Symbol({self.symbol!r}, {self.additional_info!r})"


class Nonterminal(Node):
    """What a rule of the grammar was applied to."""

    def __init__(self, symbol: str, children: list[Node]) -> None:
        self.symbol = symbol
        self.children = children

    def getsourcepos(self) -> SourcePos:
        return self.children[0].getsourcepos()

    def __str__(self) -> str:
        return f"{self.symbol}({', '.join([str(child) for child in self.children])})"

    def __repr__(self) -> str:
        return f"Nonterminal({self.symbol!r}, {self.children!r})"


class VisitError(Exception):
    """A visitor has no method for a node."""

    def __init__(self, node: Node) -> None:
        Exception.__init__(self, node)
        self.node = node

    def __str__(self) -> str:
        return f"could not visit {self.node}"


def make_dispatch_function(
    methods: dict[str, Callable[[Any, Any], Any]],
    general_nonterminal_visit: Callable[[Any, Any], Any] | None = None,
    general_symbol_visit: Callable[[Any, Any], Any] | None = None,
    general_visit: Callable[[Any, Any], Any] | None = None,
) -> Callable[[Any, Node], Any]:
    """A method that calls the one of ``methods`` for the symbol of a node; for other nodes the
    general ones, the more special first."""

    def dispatch(self: Any, node: Node) -> Any:
        if node.symbol in methods:
            return methods[node.symbol](self, node)
        if isinstance(node, Nonterminal):
            if general_nonterminal_visit is not None:
                return general_nonterminal_visit(self, node)
        elif isinstance(node, Symbol) and general_symbol_visit is not None:
            return general_symbol_visit(self, node)
        if general_visit is not None:
            return general_visit(self, node)
        raise VisitError(node)

    return dispatch


class RPythonVisitor:
    """A subclass has methods ``visit_NAME(node)`` for nodes with that symbol, and may have
    ``general_nonterminal_visit``, ``general_symbol_visit`` and ``general_visit`` for the others.
    What they give is of one kind, as everywhere."""

    def __init_subclass__(cls) -> None:
        prefix = "visit_"
        methods = {
            name[len(prefix) :]: getattr(cls, name)
            for name in dir(cls)
            if name.startswith(prefix)
        }
        dispatch = make_dispatch_function(
            methods,
            getattr(cls, "general_nonterminal_visit", None),
            getattr(cls, "general_symbol_visit", None),
            getattr(cls, "general_visit", None),
        )
        setattr(cls, "dispatch", dispatch)  # noqa: B010 (mypy: a method)

    def dispatch(self, node: Node) -> Any:
        """What the visitor's method for that node gives.  Raises VisitError."""
        raise VisitError(node)
