"""What the server ``keyvalue.py`` keeps, and what commands do with it; its replies and requests are
those of the Redis protocol, version 2."""

from __future__ import annotations

from collections import deque

MOST_ITEMS = 1024 * 1024
MOST_BYTES = 64 * 1024 * 1024

OK = b"+OK\r\n"
NOTHING = b"$-1\r\n"
_WRONG_KIND = b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n"
_NO_INTEGER = b"-ERR value is not an integer or out of range\r\n"


class ProtocolError(Exception):
    """The connection cannot go on."""


class Parser:
    """Takes bytes as they come, and gives whole commands."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._at = 0

    def feed(self, data: bytes) -> None:
        if self._at:
            del self._data[: self._at]
            self._at = 0
        self._data += data

    def is_halfway(self) -> bool:
        """Is there the beginning of a command?"""
        return self._at < len(self._data)

    def next(self) -> list[bytes] | None:
        """The next command, [] for an empty line, None until more comes.  Raises ProtocolError."""
        start = self._at
        line = self._line()
        if line is None:
            return None
        if not line.startswith(b"*"):
            return line.split()
        count = _number(line, b"multibulk")
        if count > MOST_ITEMS:
            raise ProtocolError("invalid multibulk length")
        words = []
        for _ in range(count):
            word = self._bulk()
            if word is None:
                self._at = start
                return None
            words.append(word)
        return words

    def _line(self) -> bytes | None:
        end = self._data.find(b"\r\n", self._at)
        if end < 0:
            if len(self._data) - self._at > 64 * 1024:
                raise ProtocolError("too big inline request")
            return None
        line = bytes(self._data[self._at : end])
        self._at = end + 2
        return line

    def _bulk(self) -> bytes | None:
        line = self._line()
        if line is None:
            return None
        if not line.startswith(b"$"):
            raise ProtocolError("expected '$'")
        length = _number(line, b"bulk")
        if length < 0 or length > MOST_BYTES:
            raise ProtocolError("invalid bulk length")
        end = self._at + length
        if end + 2 > len(self._data):
            return None
        word = bytes(self._data[self._at : end])
        self._at = end + 2
        return word


def _number(line: bytes, what: bytes) -> int:
    try:
        return int(line[1:])
    except ValueError:
        raise ProtocolError(f"invalid {what.decode()} length") from None


# -- replies ----------------------------------------------------------------------------------


def bulk(value: bytes) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(value), value)


def integer(value: int) -> bytes:
    return b":%d\r\n" % value


def array(values: list[bytes]) -> bytes:
    """Of values that are replies."""
    return b"*%d\r\n%b" % (len(values), b"".join(values))


def error(text: str) -> bytes:
    return f"-ERR {text}\r\n".encode()


# -- the store --------------------------------------------------------------------------------


class Entry:
    """The value of a key."""

    kind = b"none"


class Text(Entry):
    kind = b"string"

    def __init__(self, value: bytes) -> None:
        self.value = value


class Items(Entry):
    kind = b"list"

    def __init__(self) -> None:
        self.items: deque[bytes] = deque()


class Members(Entry):
    kind = b"set"

    def __init__(self) -> None:
        self.items: dict[bytes, bool] = {}


class Fields(Entry):
    kind = b"hash"

    def __init__(self) -> None:
        self.fields: dict[bytes, bytes] = {}


class WrongKind(Exception):
    """The key holds another kind of value."""


class Store:
    def __init__(self) -> None:
        self.entries: dict[bytes, Entry] = {}

    def text(self, key: bytes) -> Text | None:
        entry = self.entries.get(key)
        if entry is None:
            return None
        if not isinstance(entry, Text):
            raise WrongKind
        return entry

    def items(self, key: bytes, makes: bool) -> Items | None:
        entry = self.entries.get(key)
        if entry is None:
            if not makes:
                return None
            made = Items()
            self.entries[key] = made
            return made
        if not isinstance(entry, Items):
            raise WrongKind
        return entry

    def members(self, key: bytes) -> Members:
        entry = self.entries.get(key)
        if entry is None:
            made = Members()
            self.entries[key] = made
            return made
        if not isinstance(entry, Members):
            raise WrongKind
        return entry

    def fields(self, key: bytes) -> Fields:
        entry = self.entries.get(key)
        if entry is None:
            made = Fields()
            self.entries[key] = made
            return made
        if not isinstance(entry, Fields):
            raise WrongKind
        return entry

    # -- commands

    def execute(self, words: list[bytes]) -> bytes:
        """The reply to a command."""
        name = words[0].upper().decode("latin-1")
        most, least = COUNTS.get(name, (-1, -1))
        if most == -1:
            return error(f"unknown command '{words[0].decode('latin-1')}'")
        if len(words) < least or len(words) > most:
            return error(f"wrong number of arguments for '{name.lower()}' command")
        try:
            return self.run(name, words)
        except WrongKind:
            return _WRONG_KIND
        except (ValueError, OverflowError):
            return _NO_INTEGER

    def run(self, name: str, words: list[bytes]) -> bytes:
        if name == "SET":
            self.entries[words[1]] = Text(words[2])
            return OK
        if name == "GET":
            found = self.text(words[1])
            return NOTHING if found is None else bulk(found.value)
        if name == "INCR":
            return self.add(words[1], 1)
        if name == "INCRBY":
            return self.add(words[1], int(words[2]))
        if name == "PING":
            return b"+PONG\r\n" if len(words) == 1 else bulk(words[1])
        if name in ("LPUSH", "RPUSH", "LPOP", "RPOP", "LLEN", "LRANGE"):
            return self.run_on_list(name, words)
        if name in ("SADD", "SCARD", "SISMEMBER", "SPOP", "HSET", "HGET", "HGETALL"):
            return self.run_on_set(name, words)
        return self.run_other(name, words)

    def add(self, key: bytes, amount: int) -> bytes:
        found = self.text(key)
        if found is None:
            found = Text(b"0")
            self.entries[key] = found
        value = int(found.value) + amount
        found.value = b"%d" % value
        return integer(value)

    def run_on_list(self, name: str, words: list[bytes]) -> bytes:
        pushes = name.endswith("PUSH")
        found = self.items(words[1], pushes)
        if found is None:
            return array([]) if name == "LRANGE" else integer(0) if name == "LLEN" else NOTHING
        items = found.items
        if pushes:
            for word in words[2:]:
                if name == "LPUSH":
                    items.appendleft(word)
                else:
                    items.append(word)
            return integer(len(items))
        if name == "LLEN":
            return integer(len(items))
        if name == "LRANGE":
            first, last = int(words[2]), int(words[3])
            first = max(first + len(items) if first < 0 else first, 0)
            last = min(last + len(items) if last < 0 else last, len(items) - 1)
            return array([bulk(items[i]) for i in range(first, last + 1)])
        value = items.popleft() if name == "LPOP" else items.pop()
        if not items:
            del self.entries[words[1]]
        return bulk(value)

    def run_on_set(self, name: str, words: list[bytes]) -> bytes:
        key = words[1]
        if name[0] == "H":
            return self.run_on_hash(name, key, words)
        if key not in self.entries and name != "SADD":
            return NOTHING if name == "SPOP" else integer(0)
        members = self.members(key).items
        if name == "SADD":
            before = len(members)
            for word in words[2:]:
                members[word] = True
            return integer(len(members) - before)
        if name == "SCARD":
            return integer(len(members))
        if name == "SISMEMBER":
            return integer(1 if words[2] in members else 0)
        value, _ = members.popitem()
        if not members:
            del self.entries[key]
        return bulk(value)

    def run_on_hash(self, name: str, key: bytes, words: list[bytes]) -> bytes:
        if key not in self.entries and name != "HSET":
            return NOTHING if name == "HGET" else array([])
        if name == "HSET" and len(words) % 2:
            return error("wrong number of arguments for 'hset' command")
        fields = self.fields(key).fields
        if name == "HSET":
            before = len(fields)
            for i in range(2, len(words), 2):
                fields[words[i]] = words[i + 1]
            return integer(len(fields) - before)
        if name == "HGET":
            return bulk(fields[words[2]]) if words[2] in fields else NOTHING
        return array([bulk(x) for field in fields.items() for x in field])

    def run_other(self, name: str, words: list[bytes]) -> bytes:
        if name == "ECHO":
            return bulk(words[1])
        if name == "DEL" or name == "EXISTS":
            there = [key for key in words[1:] if key in self.entries]
            for key in there if name == "DEL" else []:
                self.entries.pop(key, None)
            return integer(len(there))
        if name == "MSET":
            if not len(words) % 2:
                return error("wrong number of arguments for 'mset' command")
            for i in range(1, len(words), 2):
                self.entries[words[i]] = Text(words[i + 1])
            return OK
        if name == "MGET":
            found = [self.entries.get(key) for key in words[1:]]
            return array([bulk(x.value) if isinstance(x, Text) else NOTHING for x in found])
        if name == "TYPE":
            entry = self.entries.get(words[1])
            return b"+%b\r\n" % (b"none" if entry is None else entry.kind)
        if name == "DBSIZE":
            return integer(len(self.entries))
        if name == "FLUSHALL":
            self.entries.clear()
            return OK
        return array([])  # CONFIG and COMMAND, which clients ask for


_ANY = MOST_ITEMS
COUNTS = {
    "SET": (3, 3), "GET": (2, 2), "INCR": (2, 2), "INCRBY": (3, 3), "PING": (2, 1),
    "LPUSH": (_ANY, 3), "RPUSH": (_ANY, 3), "LPOP": (2, 2), "RPOP": (2, 2), "LLEN": (2, 2),
    "LRANGE": (4, 4), "SADD": (_ANY, 3), "SCARD": (2, 2), "SISMEMBER": (3, 3), "SPOP": (2, 2),
    "HSET": (_ANY, 4), "HGET": (3, 3), "HGETALL": (2, 2), "ECHO": (2, 2), "DEL": (_ANY, 2),
    "EXISTS": (_ANY, 2), "MSET": (_ANY, 3), "MGET": (_ANY, 2), "TYPE": (2, 2), "DBSIZE": (1, 1),
    "FLUSHALL": (2, 1), "CONFIG": (_ANY, 2), "COMMAND": (_ANY, 1),
}  # fmt: skip
"""Of each command, how many words it has at most and at least, itself included."""
