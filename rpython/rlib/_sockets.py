"""Sockets: what ``rsocket`` and Python's ``socket`` have in common.

Addresses are texts here, as ``lltypesystem.foreign.sockettable`` says.  What the system refuses
raises OSError, and what takes too long TimeoutError.
"""

from __future__ import annotations

import errno
import math
import os
import socket
import time
from collections.abc import Callable
from typing import Any

from rpython.lltypesystem.foreign import sockettable

POLLIN, POLLPRI, POLLOUT, POLLERR, POLLHUP, POLLNVAL = 1, 2, 4, 8, 16, 32
FOREVER = -1.0
MOST_DATA = 0x7FFFF000


def failure(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def error_text(number: int) -> str:
    """What the system says of an error."""
    text = os.strerror(number)
    assert text is not None
    return text


def resolver_error_text(code: int) -> str:
    """What it says of one of ``ResolverError``."""
    text = sockettable.resolver_error(code)
    assert text is not None
    return text


def timed_out() -> TimeoutError:
    return TimeoutError("timed out")


# -- waiting ----------------------------------------------------------------------------------


def milliseconds_until(deadline: float) -> int:
    """For ``poll``: rounded up; -1 for no deadline."""
    if deadline < 0:
        return -1
    return max(0, min(2**31 - 1, math.ceil((deadline - time.monotonic()) * 1000.0)))


def deadline_after(seconds: float) -> float:
    """When that time is over; negative for never."""
    return time.monotonic() + seconds if seconds >= 0 else FOREVER


def poll_until(fds: list[int], events: list[int], deadline: float) -> dict[int, int]:
    """Which events there are for which descriptors.  Signals do not end it."""
    while True:
        try:
            return poll_once(fds, events, milliseconds_until(deadline))
        except InterruptedError:
            continue


def poll_once(fds: list[int], events: list[int], milliseconds: int) -> dict[int, int]:
    """The same, and a signal raises InterruptedError."""
    wanted = " ".join([f"{fds[i]} {events[i]}" for i in range(len(fds))])
    numbers = sockettable.wait_for_events(wanted, milliseconds).decode("ascii").split()
    return {int(numbers[i]): int(numbers[i + 1]) for i in range(0, len(numbers), 2)}


# -- addresses --------------------------------------------------------------------------------


def family_of(address: str) -> int:
    return int(address.split(" ", 1)[0])


def host_of(address: str) -> str:
    return address[address.rfind(" ") + 1 :]


def port_of(address: str) -> int:
    return int(address.split(" ", 2)[1])


def path_of(address: str) -> str:
    return address[2:]


def internet_address(family: int, host: str, port: int, flow: int = 0, scope: int = 0) -> str:
    """The text for a numeric host."""
    if port < 0 or port > 0xFFFF:
        raise OverflowError("port must be 0-65535.")
    if family == socket.AF_INET6:
        return f"{family} {port} {flow} {scope} {host}"
    return f"{int(socket.AF_INET)} {port} {host}"


def unix_address(path: str) -> str:
    """The text for a path.  Raises OSError if it is too long."""
    if not path or "\0" in path:
        raise NotImplementedError("abstract addresses of AF_UNIX")
    if len(path.encode("utf-8", "surrogateescape")) >= 108:
        raise OSError("AF_UNIX path too long")
    return f"{int(socket.AF_UNIX)} {path}"


class ResolverError(Exception):
    """``getaddrinfo`` or ``getnameinfo`` failed."""

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text


def _resolved(found: bytes) -> list[str]:
    """The lines of the answer.  Raises ResolverError."""
    text = found.decode("utf-8", "surrogateescape")
    if text.startswith("?"):
        code = int(text[1:])
        raise ResolverError(code, resolver_error_text(code))
    return text.split("\n")


class Found:
    """One of the answers of ``getaddrinfo``."""

    def __init__(self, line: str) -> None:
        numbers, self.canonical = line.split("\t")
        self.family, self.type, self.proto = [int(number) for number in numbers.split(" ")[:3]]
        self.address = numbers.split(" ", 3)[3]


def look_up(
    host: str, port: str, family: int, type: int = 0, proto: int = 0, flags: int = 0
) -> list[Found]:
    """``getaddrinfo``; "" for a host or port that is not given.  Raises ResolverError."""
    lines = _resolved(sockettable.address_info(host, port, family, type, proto, flags))
    return [Found(line) for line in lines]


def look_up_one(host: str, family: int) -> str:
    """The first numeric host; "" is any host, as in C."""
    if not host:
        return "::" if family == socket.AF_INET6 else "0.0.0.0"
    if host == "<broadcast>":
        return "255.255.255.255"
    return host_of(look_up(host, "", family)[0].address)


def names_of(address: str, flags: int) -> tuple[str, str]:
    """``getnameinfo``: host and service.  Raises ResolverError."""
    lines = _resolved(sockettable.name_info(address, flags))
    return lines[0], lines[1]


def own_name() -> str:
    return sockettable.own_name().decode("utf-8", "surrogateescape")


# -- sockets ----------------------------------------------------------------------------------


class OpenSocket:
    """A descriptor, and how long its operations wait: negative for ever, 0 not at all."""

    __slots__ = ("descriptor", "seconds")

    def __init__(self, fd: int, timeout: float) -> None:
        self.descriptor = fd
        self.seconds = FOREVER
        if timeout >= 0:
            self.wait_at_most(timeout)

    def wait_at_most(self, seconds: float) -> None:
        self.seconds = seconds
        os.set_blocking(self.opened(), seconds < 0)

    def opened(self) -> int:
        """The descriptor.  Raises OSError when the socket is closed."""
        if self.descriptor < 0:
            raise failure(errno.EBADF)
        return self.descriptor

    def close(self) -> None:
        fd = self.descriptor
        if fd >= 0:
            self.descriptor = -1
            os.close(fd)

    def wait(self, events: int, deadline: float) -> None:
        """Until one of the events.  Raises TimeoutError."""
        if not poll_until([self.opened()], [events], deadline):
            raise timed_out()

    def repeat(self, events: int, operation: Callable[[int], Any]) -> Any:
        """What the operation gives for the descriptor, when it can be done within the time."""
        fd = self.opened()
        if self.seconds <= 0:
            return operation(fd)
        deadline = deadline_after(self.seconds)
        while True:
            self.wait(events, deadline)
            try:
                return operation(fd)
            except BlockingIOError:
                continue

    repeat._rpython_per_arguments_ = True  # type: ignore[attr-defined]

    def bind_to(self, address: str) -> None:
        sockettable.socket_bind(self.opened(), address)

    def connect_to(self, address: str) -> None:
        fd = self.opened()
        if self.seconds <= 0:
            sockettable.socket_connect(fd, address)
            return
        deadline = deadline_after(self.seconds)
        try:
            sockettable.socket_connect(fd, address)
        except BlockingIOError as e:
            if e.errno != errno.EINPROGRESS:
                raise
            self.wait(POLLOUT, deadline)
            number = self.option(int(socket.SOL_SOCKET), socket.SO_ERROR)
            if number:
                raise failure(number) from None

    def accept_one(self) -> tuple[int, str]:
        """The descriptor and the address."""
        answer = self.repeat(POLLIN, sockettable.socket_accept).decode("utf-8", "surrogateescape")
        fd, _, address = answer.partition(" ")
        return int(fd), address

    def receive(self, size: int, flags: int) -> bytes:
        def operation(fd: int) -> bytes:
            return sockettable.socket_receive(fd, min(size, MOST_DATA), flags)

        received: bytes = self.repeat(POLLIN, operation)
        return received

    def receive_from(self, size: int, flags: int) -> tuple[bytes, str]:
        """Data and the address that they are from."""

        def operation(fd: int) -> bytes:
            return sockettable.socket_receive_from(fd, min(size, MOST_DATA), flags)

        both: bytes = self.repeat(POLLIN, operation)
        end = both.index(b"\0")
        return both[end + 1 :], both[:end].decode("utf-8", "surrogateescape")

    def send_some(self, data: bytes, flags: int) -> int:
        def operation(fd: int) -> int:
            return sockettable.socket_send(fd, data, flags)

        sent: int = self.repeat(POLLOUT, operation)
        return sent

    def send_all(self, data: bytes, flags: int) -> None:
        deadline = deadline_after(self.seconds) if self.seconds > 0 else FOREVER
        at = 0
        while at < len(data):
            if self.seconds > 0:
                self.wait(POLLOUT, deadline)
            try:
                piece = data if at == 0 else data[at:]
                at += sockettable.socket_send(self.opened(), piece, flags)
            except BlockingIOError:
                if self.seconds <= 0:
                    raise

    def send_to(self, data: bytes, flags: int, address: str) -> int:
        def operation(fd: int) -> int:
            return sockettable.socket_send_to(fd, data, flags, address)

        sent: int = self.repeat(POLLOUT, operation)
        return sent

    def name(self, peer: bool) -> str:
        """The address of the socket, or of its peer."""
        found = sockettable.socket_name(self.opened(), int(peer))
        return found.decode("utf-8", "surrogateescape")

    def option(self, level: int, option: int) -> int:
        data = sockettable.socket_option(self.opened(), level, option, 4)
        return int.from_bytes(data, "little", signed=True)

    def option_bytes(self, level: int, option: int, size: int) -> bytes:
        return sockettable.socket_option(self.opened(), level, option, size)

    def set_option(self, level: int, option: int, value: int) -> None:
        if value < -(2**31) or value >= 2**31:
            raise OverflowError("Python int too large to convert to C int")
        self.set_option_bytes(level, option, value.to_bytes(4, "little", signed=True))

    def set_option_bytes(self, level: int, option: int, value: bytes) -> None:
        sockettable.socket_set_option(self.opened(), level, option, value)


# -- numbers ----------------------------------------------------------------------------------


def swapped16(number: int) -> int:
    return (number & 0xFF) << 8 | number >> 8


def swapped32(number: int) -> int:
    return swapped16(number & 0xFFFF) << 16 | swapped16(number >> 16)


def packed4(host: str) -> bytes:
    """Four bytes for ``1.2.3.4`` (``inet_pton``).  Raises ValueError."""
    parts = host.split(".")
    numbers = []
    for part in parts:
        if not part.isdecimal() or not part.isascii() or len(part) > 3 or len(part) > len(
            part.lstrip("0")
        ) > 0:
            raise ValueError(host)
        numbers.append(int(part))
    if len(numbers) != 4 or max(numbers) > 255:
        raise ValueError(host)
    return bytes(numbers)


def shown4(packed: bytes) -> str:
    return ".".join([str(byte) for byte in packed])
