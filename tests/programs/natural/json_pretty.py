"""A JSON parser and pretty-printer written by hand, compared with the json module."""
import json

ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class JSONError(ValueError):
    def __init__(self, message, pos):
        super().__init__(f"{message} at position {pos}")
        self.pos = pos


class Parser:
    def __init__(self, text):
        self.text = text
        self.pos = 0

    def parse(self):
        value = self.value()
        self.skip()
        if self.pos != len(self.text):
            raise JSONError("extra data", self.pos)
        return value

    def skip(self):
        while self.pos < len(self.text) and self.text[self.pos] in " \t\r\n":
            self.pos += 1

    def peek(self):
        self.skip()
        if self.pos >= len(self.text):
            raise JSONError("unexpected end", self.pos)
        return self.text[self.pos]

    def expect(self, literal):
        if not self.text.startswith(literal, self.pos):
            raise JSONError(f"expected {literal!r}", self.pos)
        self.pos += len(literal)

    def value(self):
        c = self.peek()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        if c == '"':
            return self.string()
        for word, result in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return result
        return self.number()

    def object(self):
        self.expect("{")
        result = {}
        if self.peek() != "}":
            while True:
                self.peek()
                key = self.string()
                self.peek()
                self.expect(":")
                result[key] = self.value()
                if self.peek() != ",":
                    break
                self.pos += 1
        self.expect("}")
        return result

    def array(self):
        self.expect("[")
        result = []
        if self.peek() != "]":
            result.append(self.value())
            while self.peek() == ",":
                self.pos += 1
                result.append(self.value())
        self.expect("]")
        return result

    def string(self):
        self.expect('"')
        chars = []
        while True:
            if self.pos >= len(self.text):
                raise JSONError("unterminated string", self.pos)
            c = self.text[self.pos]
            self.pos += 1
            if c == '"':
                return "".join(chars)
            if c == "\\":
                c = self.text[self.pos]
                self.pos += 1
                if c == "u":
                    chars.append(chr(int(self.text[self.pos:self.pos + 4], 16)))
                    self.pos += 4
                else:
                    chars.append(ESCAPES[c])
            else:
                chars.append(c)

    def number(self):
        start = self.pos
        while self.pos < len(self.text) and self.text[self.pos] in "+-0123456789.eE":
            self.pos += 1
        text = self.text[start:self.pos]
        if not text:
            raise JSONError(f"unexpected {self.text[start]!r}", start)
        return float(text) if set(text) & set(".eE") else int(text)


def pretty(value, indent=0):
    pad = "  " * (indent + 1)
    if isinstance(value, dict) and value:
        inner = ",\n".join(f'{pad}"{k}": {pretty(v, indent + 1)}' for k, v in value.items())
        return "{\n" + inner + "\n" + "  " * indent + "}"
    if isinstance(value, list) and value:
        return "[" + ", ".join(pretty(v, indent + 1) for v in value) + "]"
    return json.dumps(value)


def main():
    doc = '{"name": "Zo\\u00eb \\"Z\\"", "age": 41, "height": 1.72, "tags": ["a", "b\\n"], "nested": {"ok": true, "none": null, "empty": {}}, "big": 1e10}'
    value = Parser(doc).parse()
    print(pretty(value))
    print(value == json.loads(doc))
    print(sorted(value))
    for bad in ("[1, 2", '{"a" 1}', "[1] x", '"abc', "?", ""):
        try:
            print(Parser(bad).parse())
        except JSONError as e:
            print(f"{bad!r}: {e}")


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
