"""The DEFLATE decoder of gunzip.py (RFC 1951): bits in, Huffman codes, bytes out.

    Source -> BitReader -> inflate() -> Window -> Sink
"""

import os

CHUNK = 1 << 16  # bytes per read of the input


class GzipError(Exception):
    """The input cannot be decompressed; `message` says why."""

    def __init__(self, message: str) -> None:
        self.message = message


# ---------------------------------------------------------------- input and output


class Source:
    """Where compressed bytes come from."""

    def read(self) -> bytes:
        """The next bytes, at least one; empty at the end of the input."""
        raise NotImplementedError


class FileSource(Source):
    def __init__(self, fd: int) -> None:
        self.fd = fd

    def read(self) -> bytes:
        return os.read(self.fd, CHUNK)


class BytesSource(Source):
    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self) -> bytes:
        data = self.data
        self.data = b""
        return data


class Sink:
    """Where decompressed bytes go."""

    def write(self, data: bytes) -> None:
        raise NotImplementedError


class FileSink(Sink):
    def __init__(self, fd: int) -> None:
        self.fd = fd

    def write(self, data: bytes) -> None:
        written = os.write(self.fd, data)
        while written < len(data):
            written += os.write(self.fd, data[written:])


class BytesSink(Sink):
    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes) -> None:
        self.data.extend(data)


# ---------------------------------------------------------------- CRC-32


def make_crc_tables() -> list[int]:
    """Eight tables of 256, one after the other, for eight bytes of input at a time.

    Table 0 maps a byte to its remainder; table k is table 0 carried over k more zero
    bytes ("slicing by eight", Kounavis and Berry, 2005).
    """
    tables = [0] * (8 * 256)
    for byte in range(256):
        remainder = byte
        for _ in range(8):
            remainder = (remainder >> 1) ^ (0xEDB88320 if remainder & 1 else 0)
        tables[byte] = remainder
    for i in range(256, 8 * 256):
        before = tables[i - 256]
        tables[i] = (before >> 8) ^ tables[before & 255]
    return tables


CRC = make_crc_tables()  # made while importing: in a native program it is constant data


def crc32(crc: int, data: bytes) -> int:
    """The CRC-32 of what `crc` is the CRC-32 of, followed by `data`.  It starts at 0."""
    table = CRC
    crc ^= 0xFFFFFFFF
    size = len(data)
    pos = 0
    while pos + 8 <= size:
        crc = (
            table[1792 + ((crc ^ data[pos]) & 255)]
            ^ table[1536 + (((crc >> 8) ^ data[pos + 1]) & 255)]
            ^ table[1280 + (((crc >> 16) ^ data[pos + 2]) & 255)]
            ^ table[1024 + (((crc >> 24) ^ data[pos + 3]) & 255)]
            ^ table[768 + data[pos + 4]]
            ^ table[512 + data[pos + 5]]
            ^ table[256 + data[pos + 6]]
            ^ table[data[pos + 7]]
        )
        pos += 8
    while pos < size:
        crc = (crc >> 8) ^ table[(crc ^ data[pos]) & 255]
        pos += 1
    return crc ^ 0xFFFFFFFF


# ---------------------------------------------------------------- bits in


LOOKAHEAD = 8  # bytes that `more` puts after `pos`: enough for two refills of 32 bits
PADDING = b"\0" * (2 * LOOKAHEAD)


class BitReader:
    """The input as bits, the least significant bit of each byte first.

    `hold` has the next `count` bits; `data[pos:]` follows them.  The whole bytes in
    `hold` are also still in `data`, just before `pos`, so that they can be given back.
    `data` is real up to `limit`.  After the end of the input come zeros, which let the
    decoder look ahead without asking; to have *used* any of them is an error.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = b""
        self.pos = 0
        self.limit = 0
        self.ended = False
        self.hold = 0
        self.count = 0

    def more(self) -> None:
        """Make `data` hold at least LOOKAHEAD bytes, real or padding, after `pos`."""
        used = self.pos - (self.count >> 3)
        if used > self.limit:
            raise GzipError("unexpected end of file")
        data = self.data[used : self.limit]
        self.pos -= used
        while not self.ended and self.pos + LOOKAHEAD > len(data):
            chunk = self.source.read()
            if len(chunk) == 0:
                self.ended = True
            data = data + chunk
        self.limit = len(data)
        if self.ended:
            data = data + PADDING
        self.data = data

    def refill(self) -> None:
        """Add 32 bits to `hold`, which must have fewer than 31."""
        if self.pos + LOOKAHEAD > len(self.data):
            self.more()
        data = self.data
        pos = self.pos
        word = data[pos] | data[pos + 1] << 8 | data[pos + 2] << 16 | data[pos + 3] << 24
        self.hold |= word << self.count
        self.count += 32
        self.pos = pos + 4

    def bits(self, n: int) -> int:
        """Take a number of n bits, 0 <= n <= 16."""
        if self.count < n:
            self.refill()
        value = self.hold & ((1 << n) - 1)
        self.hold >>= n
        self.count -= n
        return value

    def code(self, codes: "Huffman") -> int:
        """Take one Huffman code; return its value.  For codes without extra bits."""
        if self.count < 15:
            self.refill()
        entry = codes.lookup(self.hold)
        self.hold >>= entry & 15
        self.count -= entry & 15
        return entry >> 8

    def align(self) -> None:
        """Go to the next byte boundary and give back what was read ahead."""
        self.pos -= self.count >> 3
        self.hold = 0
        self.count = 0

    def at_end(self) -> bool:
        """Is there no further byte?  To be asked, as the bytes below, when aligned."""
        if self.pos >= self.limit:
            self.more()
        return self.pos >= self.limit

    def trailer_missing(self) -> bool:
        """Is less left than what ends every member?  Then the data is cut short, and
        what seems wrong with it is only the padding."""
        return self.ended and self.limit - self.pos + (self.count >> 3) < 8

    def byte(self) -> int:
        if self.at_end():
            raise GzipError("unexpected end of file")
        value = self.data[self.pos]
        self.pos += 1
        return value

    def uint16(self) -> int:
        low = self.byte()
        return low | self.byte() << 8

    def uint32(self) -> int:
        low = self.uint16()
        return low | self.uint16() << 16


# ---------------------------------------------------------------- bytes out


HISTORY = 1 << 15  # how far back a match may reach
WINDOW = 1 << 17  # size of the output buffer, history included
LONGEST_MATCH = 258


class Window:
    """The output: a buffer that keeps the last 32 KiB, and the checksums of it all.

    A member starts with `pos` at 0 and from the first `flush` on there is a full
    history, so a match reaches before the start of the data just if it reaches
    before the start of the buffer.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.buffer = bytearray(WINDOW)
        self.restart()

    def restart(self) -> None:
        """Begin a new member: nothing to refer back to, nothing summed."""
        self.start = 0  # the first byte not yet written
        self.pos = 0
        self.crc = 0
        self.total = 0

    def flush(self) -> None:
        """Write what is new; when space runs low, move the history to the front."""
        buffer = self.buffer
        new = bytes(buffer)[self.start : self.pos]
        self.crc = crc32(self.crc, new)
        self.total += len(new)
        self.sink.write(new)
        if self.pos >= 2 * HISTORY:
            offset = self.pos - HISTORY
            for i in range(HISTORY):
                buffer[i] = buffer[offset + i]
            self.pos = HISTORY
        self.start = self.pos


# ---------------------------------------------------------------- Huffman codes


MAX_BITS = 15  # the longest code
PRIMARY_BITS = 10  # codes up to this length take one lookup


def reverse_bits(value: int, n: int) -> int:
    """The n low bits of `value`, in the opposite order."""
    result = 0
    for _ in range(n):
        result = result << 1 | value & 1
        value >>= 1
    return result


class Huffman:
    """A canonical prefix code as a lookup table indexed by the next bits of input.

    An entry is  value << 8 | extra << 4 | length:  the code is `length` bits long, and
    `extra` bits follow it, to be added to `value`.  If length is 0, either the entry is
    0 and no code begins so, or it is  offset << 8 | bits << 4:  the code is longer than
    the `primary` bits that were looked up, and the next `bits` select its entry in the
    secondary table at `offset`.
    """

    def __init__(self, lengths: list[int], meanings: list[int]) -> None:
        """`lengths[s]` is the length of the code of symbol s, 0 if it has none;
        `meanings[s]` is its entry without the length.  Symbols beyond `meanings` are
        invalid.

        Raises GzipError if the lengths cannot be those of a prefix code.
        """
        count = [0] * (MAX_BITS + 1)
        for length in lengths:
            count[length] += 1
        count[0] = 0
        longest = MAX_BITS
        while longest > 1 and count[longest] == 0:
            longest -= 1
        next_code = first_codes(count, longest)

        primary = min(longest, PRIMARY_BITS)
        secondary = longest - primary
        # Canonical codes ascend with their length: the long ones come last.
        first_long = 1 << primary
        if secondary > 0:
            first_long = next_code[primary + 1] >> 1
        size = 1 << primary
        table = [0] * (size + ((size - first_long) << secondary))
        for prefix in range(first_long, size):
            offset = size + ((prefix - first_long) << secondary)
            table[reverse_bits(prefix, primary)] = offset << 8 | secondary << 4

        for symbol in range(len(lengths)):
            length = lengths[symbol]
            if length == 0:
                continue
            code = next_code[length]
            next_code[length] = code + 1
            if symbol >= len(meanings):
                continue
            # Every index whose first bits are the code gets the entry.
            index = reverse_bits(code, length)
            step = 1 << length
            end = size
            if length > primary:
                prefix = code >> (length - primary)
                end = size + ((prefix - first_long + 1) << secondary)
                index = end - (1 << secondary) + (index >> primary)
                step >>= primary
            while index < end:
                table[index] = meanings[symbol] | length
                index += step

        self.table = table
        self.primary = primary
        self.mask = size - 1

    def lookup(self, hold: int) -> int:
        """The entry of the code that `hold` begins with."""
        entry = self.table[hold & self.mask]
        if entry & 15 == 0:
            entry = self.lookup_long(entry, hold)
        return entry

    def lookup_long(self, entry: int, hold: int) -> int:
        """Continue in the secondary table that `entry` refers to."""
        if entry != 0:
            below = (1 << (entry >> 4 & 15)) - 1
            entry = self.table[(entry >> 8) + (hold >> self.primary & below)]
        if entry == 0:
            raise GzipError("invalid compressed data--format violated")
        return entry


def first_codes(count: list[int], longest: int) -> list[int]:
    """The first code of each length, where `count[n]` codes have n bits (RFC 1951, 3.2.2).

    Raises GzipError if there are more codes than fit, or fewer than fill the space.
    Only a code of at most one symbol, of one bit, may leave space.
    """
    first = [0] * (MAX_BITS + 2)
    code = 0
    for length in range(1, MAX_BITS + 1):
        first[length] = code
        code += count[length]
        if code > 1 << length:
            raise GzipError("invalid compressed data--format violated")
        code <<= 1
    if code != 2 << MAX_BITS and longest > 1:
        raise GzipError("invalid compressed data--format violated")
    return first


# What the symbols of the three alphabets mean, as table entries.  For literals and
# lengths the value of a literal is the byte, of the end of a block 256, and of a match
# 256 more than its length.

END_OF_BLOCK = 256


def length_meanings() -> list[int]:
    meanings = [symbol << 8 for symbol in range(END_OF_BLOCK + 1)]
    value = END_OF_BLOCK + 3
    for i in range(28):
        extra = max(0, i // 4 - 1)
        meanings.append(value << 8 | extra << 4)
        value += 1 << extra
    meanings.append((END_OF_BLOCK + LONGEST_MATCH) << 8)
    return meanings


def distance_meanings() -> list[int]:
    meanings = []
    value = 1
    for i in range(30):
        extra = max(0, i // 2 - 1)
        meanings.append(value << 8 | extra << 4)
        value += 1 << extra
    return meanings


LENGTH_MEANINGS = length_meanings()
DISTANCE_MEANINGS = distance_meanings()
CODE_LENGTH_MEANINGS = [symbol << 8 for symbol in range(19)]
CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

FIXED_LITERALS = Huffman([8] * 144 + [9] * 112 + [7] * 24 + [8] * 8, LENGTH_MEANINGS)
FIXED_DISTANCES = Huffman([5] * 32, DISTANCE_MEANINGS)

# The low n bits, for the extra bits in the inner loop.
LOW_BITS = [(1 << n) - 1 for n in range(16)]


# ---------------------------------------------------------------- DEFLATE


def inflate(reader: BitReader, window: Window) -> None:
    """Decompress one deflate stream."""
    last = 0
    while last == 0:
        last = reader.bits(1)
        kind = reader.bits(2)
        if kind == 0:
            copy_stored(reader, window)
        elif kind == 1:
            inflate_codes(reader, window, FIXED_LITERALS, FIXED_DISTANCES)
        elif kind == 2:
            inflate_dynamic(reader, window)
        else:
            raise GzipError("invalid compressed data--format violated")
    reader.align()
    window.flush()


def copy_stored(reader: BitReader, window: Window) -> None:
    """A block that is not compressed: a length, its complement, the bytes."""
    reader.align()
    left = reader.uint16()
    if reader.uint16() != left ^ 0xFFFF:
        raise GzipError("invalid compressed data--format violated")
    while left > 0:
        if reader.at_end():
            raise GzipError("unexpected end of file")
        if window.pos >= WINDOW:
            window.flush()
        n = min(left, min(reader.limit - reader.pos, WINDOW - window.pos))
        data = reader.data
        start = reader.pos
        buffer = window.buffer
        pos = window.pos
        for i in range(n):
            buffer[pos + i] = data[start + i]
        reader.pos += n
        window.pos += n
        left -= n


def inflate_dynamic(reader: BitReader, window: Window) -> None:
    """A block that begins with its own codes, themselves compressed."""
    n_literals = reader.bits(5) + 257
    n_distances = reader.bits(5) + 1
    n_code_lengths = reader.bits(4) + 4
    code_lengths = [0] * 19
    for i in range(n_code_lengths):
        code_lengths[CODE_LENGTH_ORDER[i]] = reader.bits(3)
    codes = Huffman(code_lengths, CODE_LENGTH_MEANINGS)

    total = n_literals + n_distances
    lengths = [0] * total
    i = 0
    while i < total:
        symbol = reader.code(codes)
        if symbol < 16:
            lengths[i] = symbol
            i += 1
            continue
        length = 0
        if symbol == 16:  # the length before, again
            if i == 0:
                raise GzipError("invalid compressed data--format violated")
            length = lengths[i - 1]
            repeat = 3 + reader.bits(2)
        elif symbol == 17:
            repeat = 3 + reader.bits(3)
        else:
            repeat = 11 + reader.bits(7)
        if i + repeat > total:
            raise GzipError("invalid compressed data--format violated")
        for _ in range(repeat):
            lengths[i] = length
            i += 1
    if lengths[END_OF_BLOCK] == 0:
        raise GzipError("invalid compressed data--format violated")

    literals = Huffman(lengths[:n_literals], LENGTH_MEANINGS)
    distances = Huffman(lengths[n_literals:], DISTANCE_MEANINGS)
    inflate_codes(reader, window, literals, distances)


def inflate_codes(
    reader: BitReader, window: Window, literals: Huffman, distances: Huffman
) -> None:
    """The codes of one block: the inner loop, where all the time is spent.

    It keeps the state of reader and window in local variables.  A literal or a length
    with its extra bits takes at most 20 bits, a distance at most 28.
    """
    low_bits = LOW_BITS
    literal_table = literals.table
    literal_mask = literals.mask
    distance_table = distances.table
    distance_mask = distances.mask
    data = reader.data
    last_in = reader.limit - LOOKAHEAD
    next_in = reader.pos
    hold = reader.hold
    count = reader.count
    buffer = window.buffer
    pos = window.pos
    while True:
        if next_in > last_in or pos > WINDOW - LONGEST_MATCH:
            reader.pos = next_in
            reader.hold = hold
            reader.count = count
            if next_in > last_in:
                reader.more()  # raises if the code before was cut short: it is not output
            window.pos = pos
            if pos > WINDOW - LONGEST_MATCH:
                window.flush()
            data = reader.data
            last_in = reader.limit - LOOKAHEAD
            next_in = reader.pos
            pos = window.pos

        if count < 20:
            hold |= (
                data[next_in]
                | data[next_in + 1] << 8
                | data[next_in + 2] << 16
                | data[next_in + 3] << 24
            ) << count
            count += 32
            next_in += 4
        entry = literal_table[hold & literal_mask]
        if entry & 15 == 0:
            entry = literals.lookup_long(entry, hold)
        hold >>= entry & 15
        count -= entry & 15
        value = entry >> 8
        if value < END_OF_BLOCK:
            buffer[pos] = value
            pos += 1
            continue
        if value == END_OF_BLOCK:
            break
        extra = entry >> 4 & 15
        length = value - END_OF_BLOCK + (hold & low_bits[extra])
        hold >>= extra
        count -= extra

        if count < 28:
            hold |= (
                data[next_in]
                | data[next_in + 1] << 8
                | data[next_in + 2] << 16
                | data[next_in + 3] << 24
            ) << count
            count += 32
            next_in += 4
        entry = distance_table[hold & distance_mask]
        if entry & 15 == 0:
            entry = distances.lookup_long(entry, hold)
        hold >>= entry & 15
        count -= entry & 15
        extra = entry >> 4 & 15
        source = pos - (entry >> 8) - (hold & low_bits[extra])
        hold >>= extra
        count -= extra

        if source < 0:
            raise GzipError("invalid compressed data--format violated")
        end = pos + length
        while pos < end:
            buffer[pos] = buffer[source]
            pos += 1
            source += 1

    reader.pos = next_in
    reader.hold = hold
    reader.count = count
    window.pos = pos
