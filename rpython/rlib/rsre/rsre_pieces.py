"""The characters and escapes that a regular expression consists of, one by one."""

from __future__ import annotations

from re import error


class Pieces:
    """``next``: the next piece, a character or a backslash with one, empty at the end.  A pattern
    that ends with a backslash raises ``re.error`` as soon as that would be ``next``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.index = 0
        self.next = ""
        self.advance()

    def advance(self) -> None:
        text, index = self.text, self.index
        if index >= len(text):
            self.next = ""
            return
        piece = text[index]
        if piece == "\\":
            if index + 1 >= len(text):
                raise error("bad escape (end of pattern)", text, len(text) - 1)
            piece += text[index + 1]
        self.index = index + len(piece)
        self.next = piece

    def take(self) -> str:
        piece = self.next
        self.advance()
        return piece

    def accept(self, piece: str) -> bool:
        if self.next != piece:
            return False
        self.advance()
        return True

    def next_in(self, chars: str) -> bool:
        return len(self.next) == 1 and self.next in chars

    def take_most(self, count: int, chars: str) -> str:
        """The next pieces that are among the characters."""
        found = ""
        while len(found) < count and self.next_in(chars):
            found += self.take()
        return found

    def take_until(self, end: str, what: str) -> str:
        found = ""
        while True:
            if self.next == "":
                if found == "":
                    raise self.error(f"missing {what}", 0)
                raise self.error(f"missing {end}, unterminated name", len(found))
            piece = self.take()
            if piece == end:
                if found == "":
                    raise self.error(f"missing {what}", 1)
                return found
            found += piece

    def place(self) -> int:
        return self.index - len(self.next)

    def seek(self, index: int) -> None:
        self.index = index
        self.advance()

    def error(self, message: str, back: int) -> error:
        return error(message, self.text, self.place() - back)
