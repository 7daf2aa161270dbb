"""Check JSON and print it with one value per line, indented by four spaces.

    jsonfmt.py [FILE]           with no FILE, read standard input

Output and error messages are those of `python -m json.tool --no-ensure-ascii`: an error
is shown with its line and column, and the exit status is then 1.  So NaN and Infinity
are accepted, of equal keys the last value counts, and floating-point numbers are
written in their shortest form.  Integers may have any number of digits.
"""

import os
import sys

HEX_DIGITS = "0123456789abcdef"


class JsonError(Exception):
    """The text is not JSON; `message` says why and where."""

    def __init__(self, message: str) -> None:
        self.message = message


# ---------------------------------------------------------------- values


class Value:
    """A JSON value."""

    def write(self, out: list[str], before: str, newline: str) -> None:
        """Append the text of this value, after `before`, to `out`.

        `newline` starts a line at the indentation of the line that the value is on.
        """
        raise NotImplementedError


class Null(Value):
    def write(self, out: list[str], before: str, newline: str) -> None:
        out.append(before + "null")


class Bool(Value):
    def __init__(self, value: bool) -> None:
        self.value = value

    def write(self, out: list[str], before: str, newline: str) -> None:
        out.append(before + ("true" if self.value else "false"))


class Number(Value):
    """A number as the text to be written, which needs no limit on its size."""

    def __init__(self, text: str) -> None:
        self.text = text

    def write(self, out: list[str], before: str, newline: str) -> None:
        out.append(before + self.text)


class String(Value):
    def __init__(self, value: str) -> None:
        self.value = value

    def write(self, out: list[str], before: str, newline: str) -> None:
        out.append(before + quote(self.value))


class Array(Value):
    def __init__(self, items: list[Value]) -> None:
        self.items = items

    def write(self, out: list[str], before: str, newline: str) -> None:
        if len(self.items) == 0:
            out.append(before + "[]")
            return
        inner = newline + "    "
        before += "[" + inner
        for item in self.items:
            item.write(out, before, inner)
            before = "," + inner
        out.append(newline + "]")


class Object(Value):
    def __init__(self, members: dict[str, Value]) -> None:
        self.members = members

    def write(self, out: list[str], before: str, newline: str) -> None:
        if len(self.members) == 0:
            out.append(before + "{}")
            return
        inner = newline + "    "
        out.append(before + "{" + inner)
        first = True
        for key in self.members:
            if not first:
                out.append("," + inner)
            first = False
            out.append(quote(key))
            out.append(": ")
            self.members[key].write(out, "", inner)
        out.append(newline + "}")


def quote(text: str) -> str:
    """The JSON string for `text`, with only those characters escaped that must be."""
    parts = ['"']
    start = 0
    for i in range(len(text)):
        c = text[i]
        if c >= " " and c != '"' and c != "\\":
            continue
        parts.append(text[start:i])
        start = i + 1
        if c == '"' or c == "\\":
            parts.append("\\" + c)
        elif c == "\n":
            parts.append("\\n")
        elif c == "\r":
            parts.append("\\r")
        elif c == "\t":
            parts.append("\\t")
        elif c == "\f":
            parts.append("\\f")
        elif c == "\b":
            parts.append("\\b")
        else:
            code = ord(c)
            parts.append("\\u00" + HEX_DIGITS[code >> 4] + HEX_DIGITS[code & 15])
    parts.append(text[start:])
    parts.append('"')
    return "".join(parts)


# ---------------------------------------------------------------- text to values


class Parser:
    """Reads one value and what is around it; `pos` is the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.size = len(text)
        self.pos = 0

    def error(self, message: str, pos: int) -> JsonError:
        """The exception for something wrong at `pos`, counted from 0."""
        line = 1
        line_start = 0
        newline = self.text.find("\n", 0, pos)
        while newline >= 0:
            line += 1
            line_start = newline + 1
            newline = self.text.find("\n", line_start, pos)
        column = pos - line_start + 1
        return JsonError(f"{message}: line {line} column {column} (char {pos})")

    def document(self) -> Value:
        """The value that is the whole text."""
        if self.at("\ufeff"):
            raise self.error("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0)
        self.skip_space()
        value = self.value()
        self.skip_space()
        if self.pos < self.size:
            raise self.error("Extra data", self.pos)
        return value

    def at(self, c: str) -> bool:
        """Is the next character c?"""
        return self.pos < self.size and self.text[self.pos] == c

    def at_digit(self) -> bool:
        return self.pos < self.size and "0" <= self.text[self.pos] <= "9"

    def skip(self, word: str) -> bool:
        """Skip `word` if it comes next; did it?"""
        end = self.pos + len(word)
        if self.text[self.pos : end] != word:
            return False
        self.pos = end
        return True

    def skip_space(self) -> None:
        text = self.text
        pos = self.pos
        while pos < self.size:
            c = text[pos]
            if c != " " and c != "\n" and c != "\t" and c != "\r":
                break
            pos += 1
        self.pos = pos

    def skip_digits(self) -> None:
        while self.at_digit():
            self.pos += 1

    def value(self) -> Value:
        if self.pos < self.size:
            c = self.text[self.pos]
            if c == '"':
                return String(self.string())
            if c == "{":
                return self.object()
            if c == "[":
                return self.array()
            if c == "n" and self.skip("null"):
                return Null()
            if c == "t" and self.skip("true"):
                return Bool(True)
            if c == "f" and self.skip("false"):
                return Bool(False)
            if c == "N" and self.skip("NaN"):
                return Number("NaN")
            if c == "I" and self.skip("Infinity"):
                return Number("Infinity")
            if c == "-" and self.skip("-Infinity"):
                return Number("-Infinity")
        return self.number()

    def array(self) -> Value:
        items: list[Value] = []
        self.pos += 1
        self.skip_space()
        if self.at("]"):
            self.pos += 1
            return Array(items)
        while True:
            items.append(self.value())
            self.skip_space()
            if self.at("]"):
                self.pos += 1
                return Array(items)
            self.comma()

    def object(self) -> Value:
        members: dict[str, Value] = {}
        self.pos += 1
        self.skip_space()
        if self.at("}"):
            self.pos += 1
            return Object(members)
        while True:
            if not self.at('"'):
                raise self.error(
                    "Expecting property name enclosed in double quotes", self.pos
                )
            key = self.string()
            self.skip_space()
            if not self.at(":"):
                raise self.error("Expecting ':' delimiter", self.pos)
            self.pos += 1
            self.skip_space()
            members[key] = self.value()
            self.skip_space()
            if self.at("}"):
                self.pos += 1
                return Object(members)
            self.comma()

    def comma(self) -> None:
        if not self.at(","):
            raise self.error("Expecting ',' delimiter", self.pos)
        self.pos += 1
        self.skip_space()

    def number(self) -> Value:
        """A number; what follows its longest valid part is left for the caller."""
        start = self.pos
        self.skip("-")
        if self.at("0"):
            self.pos += 1
        elif self.at_digit():
            self.skip_digits()
        else:
            raise self.error("Expecting value", start)
        is_float = False
        end = self.pos
        if self.skip("."):
            if self.at_digit():
                self.skip_digits()
                is_float = True
                end = self.pos
            self.pos = end
        if self.skip("e") or self.skip("E"):
            if not self.skip("+"):
                self.skip("-")
            if self.at_digit():
                self.skip_digits()
                is_float = True
                end = self.pos
            self.pos = end
        text = self.text[start:end]
        if is_float:
            text = str(float(text))
            if text == "inf":
                text = "Infinity"
            elif text == "-inf":
                text = "-Infinity"
        elif text == "-0":
            text = "0"
        return Number(text)

    def string(self) -> str:
        """A string, from its opening quote."""
        text = self.text
        begin = self.pos
        parts: list[str] = []
        start = begin + 1
        pos = start
        while True:
            if pos >= self.size:
                raise self.error("Unterminated string starting at", begin)
            c = text[pos]
            if c == '"':
                self.pos = pos + 1
                last = text[start:pos]
                if len(parts) == 0:
                    return last
                parts.append(last)
                return "".join(parts)
            if c < " ":
                raise self.error("Invalid control character at", pos)
            pos += 1
            if c == "\\":
                parts.append(text[start : pos - 1])
                if pos >= self.size:
                    raise self.error("Unterminated string starting at", begin)
                self.pos = pos
                parts.append(self.escape())
                pos = self.pos
                start = pos

    def escape(self) -> str:
        """The character for the escape sequence whose backslash was read."""
        c = self.text[self.pos]
        self.pos += 1
        if c == '"' or c == "\\" or c == "/":
            return c
        if c == "n":
            return "\n"
        if c == "t":
            return "\t"
        if c == "r":
            return "\r"
        if c == "b":
            return "\b"
        if c == "f":
            return "\f"
        if c != "u":
            raise self.error("Invalid \\escape", self.pos - 2)
        code = self.hex4()
        # A character beyond U+FFFF is written as two escapes, a surrogate pair.
        if 0xD800 <= code < 0xDC00 and self.pos + 6 < self.size:
            end = self.pos
            if self.skip("\\u"):
                low = self.hex4()
                if 0xDC00 <= low < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                else:
                    self.pos = end
        return chr(code)

    def hex4(self) -> int:
        """The number written as the next four digits, after `\\u`."""
        start = self.pos
        if start + 4 >= self.size:
            raise self.error("Invalid \\uXXXX escape", start - 1)
        code = 0
        for i in range(start, start + 4):
            c = self.text[i]
            if "0" <= c <= "9":
                digit = ord(c) - ord("0")
            elif "a" <= c <= "f":
                digit = ord(c) - ord("a") + 10
            elif "A" <= c <= "F":
                digit = ord(c) - ord("A") + 10
            else:
                raise self.error("Invalid \\uXXXX escape", start - 1)
            code = code << 4 | digit
        self.pos = start + 4
        return code


# ---------------------------------------------------------------- the whole


def format_parts(text: str) -> list[str]:
    """The formatted text in pieces.  Raises JsonError."""
    try:
        out: list[str] = []
        Parser(text).document().write(out, "", "\n")
        out.append("\n")
        return out
    except RecursionError:
        raise JsonError("nested too deeply") from None


def format_text(text: str) -> str:
    """The JSON `text` formatted.  Raises JsonError if it is not JSON."""
    return "".join(format_parts(text))


def is_surrogate(c: str) -> bool:
    return "\ud800" <= c <= "\udfff"


def surrogates_message(part: str) -> str:
    """Why `part` cannot be written as UTF-8; empty if it can."""
    for i in range(len(part)):
        if is_surrogate(part[i]):
            end = i + 1
            while end < len(part) and is_surrogate(part[end]):
                end += 1
            where = f"characters in position {i}-{end - 1}"
            if end == i + 1:
                code = ord(part[i])
                name = "\\ud"
                for shift in [8, 4, 0]:
                    name += HEX_DIGITS[code >> shift & 15]
                where = f"character '{name}' in position {i}"
            return f"'utf-8' codec can't encode {where}: surrogates not allowed"
    return ""


def universal_newlines(text: str) -> str:
    """`text` with each carriage return, or return and newline, made a newline."""
    parts: list[str] = []
    start = 0
    end = text.find("\r")
    while end >= 0:
        parts.append(text[start:end])
        parts.append("\n")
        start = end + 1
        if text[start : start + 1] == "\n":
            start += 1
        end = text.find("\r", start)
    parts.append(text[start:])
    return "".join(parts)


def format_bytes(data: bytes) -> bytes:
    """What `format_text` does, from and to UTF-8.  Raises JsonError.

    An escape can stand for half a surrogate pair, which UTF-8 cannot: such output is an
    error too.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise JsonError("the input is not UTF-8") from None
    parts = format_parts(universal_newlines(text))
    for part in parts:
        message = surrogates_message(part)
        if message != "":
            raise JsonError(message)
    return "".join(parts).encode("utf-8")


def read_all(fd: int) -> bytes:
    data = bytearray()
    chunk = os.read(fd, 65536)
    while len(chunk) > 0:
        data.extend(chunk)
        chunk = os.read(fd, 65536)
    return bytes(data)


def read_file(name: str) -> bytes:
    fd = os.open(name, os.O_RDONLY)
    try:
        return read_all(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    written = os.write(fd, data)
    while written < len(data):
        written += os.write(fd, data[written:])


def entry_point(argv: list[str]) -> int:
    if len(argv) > 2:
        write_all(2, b"usage: jsonfmt.py [FILE]\n")
        return 2
    try:
        if len(argv) == 2 and argv[1] != "-":
            data = read_file(argv[1])
        else:
            data = read_all(0)
    except OSError:
        write_all(2, f"jsonfmt.py: cannot read {argv[1]}\n".encode())
        return 2
    try:
        write_all(1, format_bytes(data))
    except JsonError as error:
        write_all(2, f"{error.message}\n".encode())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
