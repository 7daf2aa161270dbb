"""Values to and from plain machine words: how arguments and results cross into native code.

An int is one word (of 128 bits: two, the lower one first), a float its bits.  Bytes are
their length and then, eight to a word, the lowest first, the bytes; a str is its length, a
flag for wide and its characters packed in the same way, two to a word when it is wide.  An
optional value has a flag in front, a tuple is its items, a list its length and its items.
"""

from __future__ import annotations

from typing import Any

from rpython.lltypesystem.lloperation import llop
from rpython.lltypesystem.lltype import (
    Array,
    Float,
    GcArray,
    GcStruct,
    Ptr,
    Signed,
    UInt128,
    Unsigned,
    Void,
    cast_pointer,
    cast_primitive,
    malloc,
)
from rpython.lltypesystem.rstr import BYTES, STRPTR
from rpython.rtyper.ll.ll_str import ll_alloc1, ll_alloc4, ll_narrow, ll_wide

WORDS = Array(Signed, hints={"nolength": True})
READER = GcStruct("reader", ("words", Ptr(WORDS)), ("position", Signed))
ITEMS = GcArray(Signed)
WRITER = GcStruct("writer", ("length", Signed), ("items", Ptr(ITEMS)))


def ll_reader(words: Any) -> Any:
    reader = malloc(READER)
    reader.words = words
    reader.position = 0
    return reader


def ll_read_word(reader: Any) -> int:
    position = reader.position
    reader.position = position + 1
    return reader.words[position]


def ll_read_two_words(reader: Any) -> Any:
    """128 bits, a UInt128."""
    low = llop.cast_int_to_uint(Unsigned, ll_read_word(reader))
    high = cast_primitive(UInt128, ll_read_word(reader))
    return high << 64 | cast_primitive(UInt128, low)


def ll_read_float(reader: Any) -> float:
    return llop.convert_longlong_bytes_to_float(Float, ll_read_word(reader))


def ll_read_ints(reader: Any, items: Any, count: int) -> None:
    """Fill an array of Signed or Float."""
    position = reader.position
    llop.copy_array_bytes(Void, reader.words, items, position, 0, 8 * count)
    reader.position = position + count


def ll_read_str(reader: Any) -> Any:
    length = ll_read_word(reader)
    wide = ll_read_word(reader)
    if wide != 0:
        return ll_read_wide(reader, length)
    one = ll_alloc1(length)
    ll_read_chars(reader, one.chars, length)
    return cast_pointer(STRPTR, one)


def ll_read_wide(reader: Any, length: int) -> Any:
    four = ll_alloc4(length)
    position = reader.position
    llop.copy_array_bytes(Void, reader.words, four.chars, position, 0, 4 * length)
    reader.position = position + llop.int_rshift(Signed, length + 1, 1)
    return cast_pointer(STRPTR, four)


def ll_read_bytes(reader: Any) -> Any:
    length = ll_read_word(reader)
    result = malloc(BYTES, length)
    ll_read_chars(reader, result.chars, length)
    return result


def ll_read_chars(reader: Any, chars: Any, length: int) -> None:
    """Unpack characters."""
    position = reader.position
    llop.copy_array_bytes(Void, reader.words, chars, position, 0, length)
    reader.position = position + llop.int_rshift(Signed, length + 7, 3)


def ll_writer() -> Any:
    writer = malloc(WRITER)
    writer.length = 0
    writer.items = malloc(ITEMS, 16)
    return writer


def ll_make_room(writer: Any, count: int) -> None:
    """Make sure that ``count`` more words can be written without allocating.  The array at
    least doubles, so that the time of many small writes is linear."""
    length = writer.length
    if count > len(writer.items) - length:
        larger = malloc(ITEMS, length + max(length, count))
        llop.copy_array_items(Void, writer.items, larger, 0, 0, length)
        writer.items = larger


def ll_write_word(writer: Any, word: int) -> None:
    length = writer.length
    if length == len(writer.items):
        ll_make_room(writer, 1)
    writer.items[length] = word
    writer.length = length + 1


def ll_write_two_words(writer: Any, n: Any) -> None:
    """An Int128 or UInt128."""
    ll_write_word(writer, cast_primitive(Signed, n))
    ll_write_word(writer, cast_primitive(Signed, n >> 64))


def ll_write_float(writer: Any, x: float) -> None:
    ll_write_word(writer, llop.convert_float_bytes_to_longlong(Signed, x))


def ll_write_str(writer: Any, s: Any) -> None:
    if s.wide:
        ll_make_room(writer, llop.int_rshift(Signed, s.length, 1) + 3)
        ll_write_word(writer, s.length)
        ll_write_word(writer, 1)
        ll_write_wide(writer, ll_wide(s).chars, s.length)
    else:
        ll_make_room(writer, llop.int_rshift(Signed, s.length, 3) + 3)
        ll_write_word(writer, s.length)
        ll_write_word(writer, 0)
        ll_write_chars(writer, ll_narrow(s).chars, s.length)


def ll_write_wide(writer: Any, chars: Any, length: int) -> None:
    """Pack characters, two to a word; there is room."""
    position = writer.length
    if length & 1:
        writer.items[position + llop.int_rshift(Signed, length, 1)] = 0
    llop.copy_array_bytes(Void, chars, writer.items, 0, position, 4 * length)
    writer.length = position + llop.int_rshift(Signed, length + 1, 1)


def ll_write_bytes(writer: Any, b: Any) -> None:
    length = len(b.chars)
    ll_make_room(writer, llop.int_rshift(Signed, length, 3) + 2)
    ll_write_word(writer, length)
    ll_write_chars(writer, b.chars, length)


def ll_write_chars(writer: Any, chars: Any, length: int) -> None:
    """Pack characters; there is room."""
    position = writer.length
    if length & 7:
        writer.items[position + llop.int_rshift(Signed, length, 3)] = 0
    llop.copy_array_bytes(Void, chars, writer.items, 0, position, length)
    writer.length = position + llop.int_rshift(Signed, length + 7, 3)


def ll_write_ints(writer: Any, items: Any, count: int) -> None:
    """The items of an array of Signed or Float."""
    ll_make_room(writer, count)
    position = writer.length
    llop.copy_array_bytes(Void, items, writer.items, 0, position, 8 * count)
    writer.length = position + count


def ll_reserve_texts(writer: Any, items: Any, count: int) -> None:
    """Make room for so many texts, once: the array does not grow bit by bit."""
    words = 0
    i = 0
    while i < count:
        s = items[i]
        words += llop.int_rshift(Signed, s.length, 1 if s.wide else 3) + 3
        i += 1
    ll_make_room(writer, words)


def ll_writer_length(writer: Any) -> int:
    return writer.length


def ll_writer_copy(writer: Any, words: Any) -> None:
    llop.copy_array_bytes(Void, writer.items, words, 0, 0, 8 * writer.length)


def ll_message_words(message: Any) -> Any:
    """The words of an exception's message: a flag, then the str if there is one."""
    writer = ll_writer()
    if message:
        ll_write_word(writer, 1)
        ll_write_str(writer, message)
    else:
        ll_write_word(writer, 0)
    return writer
