"""The data of examples/lisp.py: values, and the reader that makes them of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

# -- values -----------------------------------------------------------------------------------


class Value:
    """Base class of everything a program can name."""

    def is_true(self) -> bool:
        return True

    def show(self) -> str:
        """The text that ``write`` prints."""
        raise NotImplementedError

    def display(self) -> str:
        """The text that ``display`` prints."""
        return self.show()

    def same(self, other: Value) -> bool:
        return self is other


class Integer(Value):
    def __init__(self, value: int):
        self.value = value

    def show(self) -> str:
        return str(self.value)

    def same(self, other: Value) -> bool:
        return isinstance(other, Integer) and other.value == self.value


class Real(Value):
    def __init__(self, value: float):
        self.value = value

    def show(self) -> str:
        return repr(self.value)

    def same(self, other: Value) -> bool:
        return isinstance(other, Real) and other.value == self.value


class String(Value):
    def __init__(self, text: str):
        self.text = text

    def show(self) -> str:
        escaped = self.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def display(self) -> str:
        return self.text

    def same(self, other: Value) -> bool:
        return isinstance(other, String) and other.text == self.text


class Symbol(Value):
    """There is one for each name: compare them with ``is``."""

    def __init__(self, name: str):
        self.name = name

    def show(self) -> str:
        return self.name


class Boolean(Value):
    def __init__(self, value: bool):
        self.value = value

    def is_true(self) -> bool:
        return self.value

    def show(self) -> str:
        return "#t" if self.value else "#f"


class Nil(Value):
    def show(self) -> str:
        return "()"


class Pair(Value):
    def __init__(self, head: Value, tail: Value):
        self.head = head
        self.tail = tail

    def show(self) -> str:
        return self._text(lambda item: item.show())

    def display(self) -> str:
        return self._text(lambda item: item.display())

    def _text(self, text: Callable[[Value], str]) -> str:
        parts = [text(item) for item in self]
        last = self.last_tail()
        dotted = "" if last is NIL else f" . {text(last)}"
        return f"({' '.join(parts)}{dotted})"

    def __iter__(self) -> Iterator[Value]:
        rest: Value = self
        while isinstance(rest, Pair):
            yield rest.head
            rest = rest.tail

    def last_tail(self) -> Value:
        rest: Value = self
        while isinstance(rest, Pair):
            rest = rest.tail
        return rest

    def same(self, other: Value) -> bool:
        if not isinstance(other, Pair):
            return False
        return self.head.same(other.head) and self.tail.same(other.tail)


NIL = Nil()
TRUE = Boolean(True)
FALSE = Boolean(False)
SYMBOLS: dict[str, Symbol] = {}


def symbol(name: str) -> Symbol:
    if name not in SYMBOLS:
        SYMBOLS[name] = Symbol(name)
    return SYMBOLS[name]


def boolean(value: bool) -> Value:
    return TRUE if value else FALSE


def to_list(items: list[Value], tail: Value = NIL) -> Value:
    for item in reversed(items):
        tail = Pair(item, tail)
    return tail


class LispError(Exception):
    """What a program did wrong; ``irritant`` is the value it did it with."""

    def __init__(self, message: str, irritant: Value | None = None):
        text = message if irritant is None else f"{message}: {irritant.show()}"
        super().__init__(text)
        self.irritant = irritant


# -- reading ----------------------------------------------------------------------------------

DELIMITERS = frozenset("()'\"; \t\r\n")
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"'}


def tokens(text: str) -> Iterator[str]:
    """The tokens of a text; a string's begins with its quote and is without escapes."""
    i = 0
    while i < len(text):
        c = text[i]
        start = i
        i += 1
        if c == ";":
            while i < len(text) and text[i] != "\n":
                i += 1
        elif c == '"':
            chars = [c]
            while i < len(text) and text[i] != '"':
                if text[i] == "\\" and i + 1 < len(text):
                    i += 1
                    chars.append(ESCAPES.get(text[i], text[i]))
                else:
                    chars.append(text[i])
                i += 1
            if i == len(text):
                raise LispError("a string without an end")
            i += 1
            yield "".join(chars)
        elif c in "()'":
            yield c
        elif not c.isspace():
            while i < len(text) and text[i] not in DELIMITERS:
                i += 1
            yield text[start:i]


class Reader:
    """Turns tokens into values."""

    def __init__(self, text: str):
        self.tokens = tokens(text)

    def next_token(self) -> str:
        return next(self.tokens, "")

    def forms(self) -> Iterator[Value]:
        token = self.next_token()
        while token != "":
            yield self.form(token)
            token = self.next_token()

    def form(self, token: str) -> Value:
        if token == "(":
            return self.rest_of_list()
        if token == ")":
            raise LispError("a ) without a (")
        if token == "":
            raise LispError("the text ends within a form")
        if token == "'":
            return to_list([symbol("quote"), self.form(self.next_token())])
        return atom(token)

    def rest_of_list(self) -> Value:
        items: list[Value] = []
        while (token := self.next_token()) != ")":
            if token == ".":
                tail = self.form(self.next_token())
                if self.next_token() != ")":
                    raise LispError("more than one form after a dot")
                return to_list(items, tail)
            items.append(self.form(token))
        return to_list(items)


def atom(token: str) -> Value:
    match token:
        case "#t":
            return TRUE
        case "#f":
            return FALSE
    if token[0] == '"':
        return String(token[1:])
    try:
        return Integer(int(token))
    except ValueError:
        pass
    try:
        return Real(float(token)) if token[-1].isdigit() else symbol(token)
    except ValueError:
        return symbol(token)
