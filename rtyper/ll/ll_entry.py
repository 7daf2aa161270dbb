"""What surrounds the entry point of an executable: arguments in, exception text out."""

from __future__ import annotations

import sys
from typing import Any

from lltypesystem.lloperation import llop
from lltypesystem.lltype import Char, Signed, UniChar, cast_pointer, malloc
from lltypesystem.rffi import CCHARP, llexternal, make_charp
from lltypesystem.rstr import BYTES, STR1, STR1PTR, STR4, STR4PTR, STRPTR


def host_argument(index: int) -> Any:
    return make_charp(sys.argv[index].encode("utf-8", "surrogateescape"))


c_argc = llexternal("rpy_argc", [], Signed, lambda: len(sys.argv), ["rpy_args.h"])
c_argv = llexternal("rpy_argv", [Signed], CCHARP, host_argument, ["rpy_args.h"])

_SIZE_SHIFT = 32


def ll_byte_at(text: Any, index: int) -> int:
    return llop.cast_char_to_int(Signed, text[index])


def ll_is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def ll_decode_step(text: Any, index: int) -> int:
    """The code point at ``index`` of zero-terminated UTF-8 and, above bit 32, how many bytes
    it takes.  A byte that is not valid UTF-8 stands for U+DC00 plus itself, as in
    CPython's surrogateescape."""
    first = ll_byte_at(text, index)
    escaped = (1 << _SIZE_SHIFT) + 0xDC00 + first
    if first < 0x80:
        return (1 << _SIZE_SHIFT) + first
    if first < 0xC2:
        return escaped
    second = ll_byte_at(text, index + 1)
    if not ll_is_continuation(second):
        return escaped
    if first < 0xE0:
        return (2 << _SIZE_SHIFT) + ((first & 0x1F) << 6) + (second & 0x3F)
    third = ll_byte_at(text, index + 2)
    if not ll_is_continuation(third):
        return escaped
    if first < 0xF0:
        code = ((first & 0x0F) << 12) + ((second & 0x3F) << 6) + (third & 0x3F)
        if code < 0x800 or (0xD800 <= code and code < 0xE000):
            return escaped
        return (3 << _SIZE_SHIFT) + code
    fourth = ll_byte_at(text, index + 3)
    if not ll_is_continuation(fourth):
        return escaped
    code = ((first & 0x07) << 18) + ((second & 0x3F) << 12)
    code += ((third & 0x3F) << 6) + (fourth & 0x3F)
    if code < 0x10000 or code > 0x10FFFF or first > 0xF4:
        return escaped
    return (4 << _SIZE_SHIFT) + code


def ll_argument(index: int) -> Any:
    """Argument ``index`` of the command line as a str."""
    text = c_argv(index)
    length = 0
    largest = 0
    position = 0
    while ll_byte_at(text, position) != 0:
        step = ll_decode_step(text, position)
        position += step >> _SIZE_SHIFT
        code = step & 0x1FFFFF
        if code > largest:
            largest = code
        length += 1
    if largest > 0xFF:
        four = malloc(STR4, length)
        result = cast_pointer(STRPTR, four)
        position = 0
        i = 0
        while i < length:
            step = ll_decode_step(text, position)
            position += step >> _SIZE_SHIFT
            four.chars[i] = llop.cast_int_to_unichar(UniChar, step & 0x1FFFFF)
            i += 1
    else:
        one = malloc(STR1, length)
        result = cast_pointer(STRPTR, one)
        position = 0
        i = 0
        while i < length:
            step = ll_decode_step(text, position)
            position += step >> _SIZE_SHIFT
            one.chars[i] = llop.cast_int_to_char(Char, step & 0x1FFFFF)
            i += 1
    result.length = length
    result.wide = largest > 0xFF
    return result


# -- the text of an uncaught exception ----------------------------------------------------------


def ll_code_at(s: Any, index: int) -> int:
    if s.wide:
        return llop.cast_unichar_to_int(Signed, cast_pointer(STR4PTR, s).chars[index])
    return llop.cast_char_to_int(Signed, cast_pointer(STR1PTR, s).chars[index])


def ll_encoded_size(code: int) -> int:
    if code < 0x80:
        return 1
    if code < 0x800:
        return 2
    if 0xD800 <= code and code < 0xE000:
        return 6
    return 3 if code < 0x10000 else 4


def ll_put_byte(result: Any, position: int, byte: int) -> None:
    result.chars[position] = llop.cast_int_to_char(Char, byte)


def ll_put_escape(result: Any, position: int, code: int) -> None:
    """A lone surrogate as CPython's stderr shows it: a backslash, u and four digits."""
    ll_put_byte(result, position, 0x5C)
    ll_put_byte(result, position + 1, 0x75)
    i = 0
    while i < 4:
        digit = (code >> (12 - 4 * i)) & 0x0F
        ll_put_byte(result, position + 2 + i, 0x30 + digit if digit < 10 else 0x57 + digit)
        i += 1


def ll_put_code(result: Any, position: int, code: int) -> None:
    size = ll_encoded_size(code)
    if size == 1:
        ll_put_byte(result, position, code)
    elif size == 2:
        ll_put_byte(result, position, 0xC0 | (code >> 6))
        ll_put_byte(result, position + 1, 0x80 | (code & 0x3F))
    elif size == 3:
        ll_put_byte(result, position, 0xE0 | (code >> 12))
        ll_put_byte(result, position + 1, 0x80 | ((code >> 6) & 0x3F))
        ll_put_byte(result, position + 2, 0x80 | (code & 0x3F))
    elif size == 4:
        ll_put_byte(result, position, 0xF0 | (code >> 18))
        ll_put_byte(result, position + 1, 0x80 | ((code >> 12) & 0x3F))
        ll_put_byte(result, position + 2, 0x80 | ((code >> 6) & 0x3F))
        ll_put_byte(result, position + 3, 0x80 | (code & 0x3F))
    else:
        ll_put_escape(result, position, code)


def ll_message_bytes(message: Any) -> Any:
    """A message (or null) as UTF-8 bytes for the terminal."""
    if not message:
        return malloc(BYTES, 0)
    size = 0
    i = 0
    while i < message.length:
        size += ll_encoded_size(ll_code_at(message, i))
        i += 1
    result = malloc(BYTES, size)
    position = 0
    i = 0
    while i < message.length:
        code = ll_code_at(message, i)
        ll_put_code(result, position, code)
        position += ll_encoded_size(code)
        i += 1
    return result
