"""A file in memory: its text is a str of bytes (characters up to U+00FF), as RPython's is."""

from __future__ import annotations


class RStringIO:
    """Reads and writes at a position, as a binary file does.

    What is written behind all that was read or sought lies in pieces until it is needed."""

    def __init__(self) -> None:
        self._text: list[str] = []  # one character each
        self._pos = 0

    def close(self) -> None:
        """Drop the text; the file is empty and may be used again."""
        self._text = []
        self._pos = 0

    def tell(self) -> int:
        """The position, from 0; may be behind the end."""
        return self._pos

    def getvalue(self) -> str:
        """All of the text."""
        return "".join(self._text)

    def getlength(self) -> int:
        """How many characters there are."""
        return len(self._text)

    def write(self, buffer: str) -> None:
        """Put the characters at the position, zeros up to there where it is behind the end."""
        if not buffer:
            return
        text = self._text
        while len(text) < self._pos:
            text.append("\0")
        end = self._pos + len(buffer)
        position = self._pos
        for char in buffer:
            if position < len(text):
                text[position] = char
            else:
                text.append(char)
            position += 1
        self._pos = end

    def seek(self, position: int, mode: int = 0) -> None:
        """Go to ``position``, counted from the start (0), from here (1) or from the end (2).
        Never before the start."""
        if mode == 1:
            position += self._pos
        elif mode == 2:
            position += len(self._text)
        self._pos = max(position, 0)

    def read(self, size: int = -1) -> str:
        """Up to ``size`` characters; a negative size: all to the end."""
        start = min(self._pos, len(self._text))
        end = len(self._text)
        if 0 <= size < end - start:
            end = start + size
        if end > start:
            self._pos = end
        return "".join(self._text[start:end])

    def readline(self, size: int = -1) -> str:
        """The rest of the line with its end, up to ``size`` characters; a negative size: no
        limit."""
        text = self._text
        start = min(self._pos, len(text))
        end = len(text)
        if 0 <= size < end - start:
            end = start + size
        i = start
        while i < end:
            i += 1
            if text[i - 1] == "\n":
                break
        if i > start:
            self._pos = i
        return "".join(text[start:i])

    def truncate(self, size: int) -> None:
        """Drop what is behind ``size``; the position is the end then, as in RPython."""
        if size < len(self._text):
            del self._text[max(size, 0) :]
        self._pos = len(self._text)
