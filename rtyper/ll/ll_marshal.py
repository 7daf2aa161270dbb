"""Values to and from plain machine words: how arguments and results cross into native code.

An int is one word, a float its bits, a str its length, a flag for wide and one word per
character, bytes their length and one word per byte, an optional value a flag in front, a
tuple its items, a list its length and its items.
"""

from __future__ import annotations

from typing import Any

from lltypesystem.lloperation import llop
from lltypesystem.lltype import (
    Array,
    Char,
    Float,
    GcArray,
    GcStruct,
    Ptr,
    Signed,
    UniChar,
    Void,
    cast_pointer,
    malloc,
)
from lltypesystem.rstr import BYTES, STR1, STR1PTR, STR4, STR4PTR, STRPTR

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


def ll_read_float(reader: Any) -> float:
    return llop.convert_longlong_bytes_to_float(Float, ll_read_word(reader))


def ll_read_str(reader: Any) -> Any:
    length = ll_read_word(reader)
    wide = ll_read_word(reader)
    if wide != 0:
        four = malloc(STR4, length)
        i = 0
        while i < length:
            four.chars[i] = llop.cast_int_to_unichar(UniChar, ll_read_word(reader))
            i += 1
        result = cast_pointer(STRPTR, four)
    else:
        one = malloc(STR1, length)
        i = 0
        while i < length:
            one.chars[i] = llop.cast_int_to_char(Char, ll_read_word(reader))
            i += 1
        result = cast_pointer(STRPTR, one)
    result.length = length
    result.wide = wide != 0
    return result


def ll_read_bytes(reader: Any) -> Any:
    length = ll_read_word(reader)
    result = malloc(BYTES, length)
    i = 0
    while i < length:
        result.chars[i] = llop.cast_int_to_char(Char, ll_read_word(reader))
        i += 1
    return result


def ll_writer() -> Any:
    writer = malloc(WRITER)
    writer.length = 0
    writer.items = malloc(ITEMS, 16)
    return writer


def ll_write_word(writer: Any, word: int) -> None:
    length = writer.length
    if length == len(writer.items):
        larger = malloc(ITEMS, length * 2)
        llop.copy_array_items(Void, writer.items, larger, 0, 0, length)
        writer.items = larger
    writer.items[length] = word
    writer.length = length + 1


def ll_write_float(writer: Any, x: float) -> None:
    ll_write_word(writer, llop.convert_float_bytes_to_longlong(Signed, x))


def ll_write_str(writer: Any, s: Any) -> None:
    length = s.length
    ll_write_word(writer, length)
    i = 0
    if s.wide:
        four = cast_pointer(STR4PTR, s)
        while i < length:
            ll_write_word(writer, llop.cast_unichar_to_int(Signed, four.chars[i]))
            i += 1
    else:
        one = cast_pointer(STR1PTR, s)
        while i < length:
            ll_write_word(writer, llop.cast_char_to_int(Signed, one.chars[i]))
            i += 1


def ll_write_bytes(writer: Any, b: Any) -> None:
    length = len(b.chars)
    ll_write_word(writer, length)
    i = 0
    while i < length:
        ll_write_word(writer, llop.cast_char_to_int(Signed, b.chars[i]))
        i += 1


def ll_writer_length(writer: Any) -> int:
    return writer.length


def ll_writer_copy(writer: Any, words: Any) -> None:
    i = 0
    while i < writer.length:
        words[i] = writer.items[i]
        i += 1


def ll_message_words(message: Any) -> Any:
    """The words of an exception's message: a flag, then the str if there is one."""
    writer = ll_writer()
    if message:
        ll_write_word(writer, 1)
        ll_write_str(writer, message)
    else:
        ll_write_word(writer, 0)
    return writer
