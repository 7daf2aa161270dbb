"""RPython's sockets: addresses are objects, data are ``str`` with characters up to U+00FF.

    s = RSocket(AF_INET, SOCK_STREAM)
    s.connect(INETAddress("localhost", 80))
    s.sendall("GET / HTTP/1.0\\r\\n\\r\\n")
    s.recv(1000)
"""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

from rpython.lltypesystem.foreign import sockettable
from rpython.rlib import _sockets
from rpython.rlib._sockets import FOREVER, OpenSocket, ResolverError

has_ipv6 = socket.has_ipv6
_PREFIXES = (
    "AF_", "SOCK_", "SOL_", "SO_", "IPPROTO_", "IP_", "IPV6_", "TCP_", "MSG_", "SHUT_", "AI_",
    "NI_", "EAI_", "INADDR_",
)  # fmt: skip
constants = {
    name: int(getattr(socket, name)) for name in dir(socket) if name.startswith(_PREFIXES)
}
"""The numbers of the host's ``socket``, which are names of this module, too."""
globals().update(constants)

AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6 = (
    int(socket.AF_UNSPEC), int(socket.AF_UNIX), int(socket.AF_INET), int(socket.AF_INET6),
)  # fmt: skip
SOCK_STREAM, SOCK_DGRAM = int(socket.SOCK_STREAM), int(socket.SOCK_DGRAM)


def rsocket_startup() -> None:
    """There is nothing to do first."""


# -- errors -----------------------------------------------------------------------------------


class SocketError(Exception):
    """What all errors of this module are; ``applevelerrcls`` is the name of Python 2's class."""

    applevelerrcls = "error"

    def __init__(self) -> None:
        pass

    def get_msg(self) -> str:
        return ""

    def __str__(self) -> str:
        return self.get_msg()


class SocketErrorWithErrno(SocketError):
    """``errno`` is the number of the error."""

    def __init__(self, errno: int) -> None:
        self.errno = errno


class RSocketError(SocketError):
    """An error that this module finds."""

    def __init__(self, message: str) -> None:
        self.message = message

    def get_msg(self) -> str:
        return self.message


class CSocketError(SocketErrorWithErrno):
    """An error of the system."""

    def get_msg(self) -> str:
        return _sockets.error_text(self.errno)


class GAIError(SocketErrorWithErrno):
    """An error of ``getaddrinfo``."""

    applevelerrcls = "gaierror"

    def get_msg(self) -> str:
        return _sockets.resolver_error_text(self.errno)


class HSocketError(SocketError):
    """An unknown host."""

    applevelerrcls = "herror"

    def __init__(self, host: str) -> None:
        self.host = host

    def get_msg(self) -> str:
        return "host lookup failed: '" + self.host + "'"


class SocketTimeout(SocketError):
    """An operation took longer than the socket's timeout."""

    applevelerrcls = "timeout"

    def get_msg(self) -> str:
        return "timed out"


def converted_error(error: OSError) -> SocketError:
    """The error of this module for one of Python's."""
    if isinstance(error, TimeoutError) and error.errno is None:
        return SocketTimeout()
    number = error.errno
    return RSocketError(str(error)) if number is None else CSocketError(number)


# -- addresses --------------------------------------------------------------------------------


class Address:
    """Where a socket is: ``text`` as ``_sockets`` has it."""

    family = -1

    def __init__(self, text: str) -> None:
        self.text = text

    def eq(self, other: Address) -> bool:
        """Are they the same?"""
        return self.text == other.text

    def __repr__(self) -> str:
        return "<Address>"


class _HostAddress(Address):
    """One with a host and a port."""

    def get_host(self) -> str:
        return _sockets.host_of(self.text)

    def get_port(self) -> int:
        return _sockets.port_of(self.text)


class INETAddress(_HostAddress):
    """A host, by its name or number ("" is any), and a port."""

    family = AF_INET

    def __init__(self, host: str, port: int) -> None:
        self.text = _sockets.internet_address(AF_INET, _host_number(host, AF_INET), port)

    def __repr__(self) -> str:
        return f"<INETAddress {self.get_host()}:{self.get_port()}>"


class INET6Address(_HostAddress):
    """The same for IPv6."""

    family = AF_INET6

    def __init__(self, host: str, port: int, flowinfo: int = 0, scope_id: int = 0) -> None:
        number = _host_number(host, AF_INET6)
        self.text = _sockets.internet_address(AF_INET6, number, port, flowinfo, scope_id)

    def __repr__(self) -> str:
        return f"<INET6Address {self.get_host()}:{self.get_port()}>"

    def get_flowinfo(self) -> int:
        return int(self.text.split(" ")[2])

    def get_scope_id(self) -> int:
        return int(self.text.split(" ")[3])


class UNIXAddress(Address):
    """A path."""

    family = AF_UNIX

    def __init__(self, path: str) -> None:
        try:
            self.text = _sockets.unix_address(path)
        except OSError as e:
            raise converted_error(e) from None

    def __repr__(self) -> str:
        return f"<UNIXAddress {self.get_path()!r}>"

    def get_path(self) -> str:
        return _sockets.path_of(self.text)


def _host_number(host: str, family: int) -> str:
    try:
        return _sockets.look_up_one(host, family)
    except ResolverError as e:
        raise GAIError(e.code) from None


def makeipaddr(name: str, result: Address | None = None) -> Address:
    """The address of a host, with port 0.  (``result`` is not used.)"""
    return INETAddress(name, 0)


def make_address(text: str) -> Address:
    """The address for such a text."""
    family = _sockets.family_of(text)
    if family == AF_INET:
        return INETAddress(_sockets.host_of(text), _sockets.port_of(text))
    if family == AF_INET6:
        _, port, flow, scope, host = text.split(" ")
        return INET6Address(host, int(port), int(flow), int(scope))
    if family == AF_UNIX:
        return UNIXAddress(_sockets.path_of(text))
    return Address(text)


# -- sockets ----------------------------------------------------------------------------------


class _DefaultTimeout:
    def __init__(self) -> None:
        self.seconds = FOREVER


_DEFAULT = _DefaultTimeout()


def getdefaulttimeout() -> float:
    """How long operations of new sockets wait: negative for ever."""
    return _DEFAULT.seconds


def setdefaulttimeout(timeout: float) -> None:
    _DEFAULT.seconds = timeout if timeout >= 0.0 else FOREVER


class RSocket:
    """A socket.  Its operations raise SocketError."""

    def __init__(
        self, family: int = AF_INET, type: int = SOCK_STREAM, proto: int = 0, fd: int = -1,
        inheritable: bool = True,
    ) -> None:  # fmt: skip
        self.family = family
        self.type = type
        self.proto = proto
        try:
            if fd < 0:
                fd = sockettable.socket_open(family, type, proto)
            self._socket = OpenSocket(fd, _DEFAULT.seconds)
            os.set_inheritable(fd, inheritable)
        except OSError as e:
            raise converted_error(e) from None

    def __del__(self) -> None:
        if hasattr(self, "_socket"):
            self._socket.close()

    @property
    def fd(self) -> int:
        return self._socket.descriptor

    def getfd(self) -> int:
        return self._socket.descriptor

    @property
    def timeout(self) -> float:
        return self._socket.seconds

    def gettimeout(self) -> float:
        """In seconds: negative for ever."""
        return self._socket.seconds

    def settimeout(self, timeout: float) -> None:
        """How long operations wait: negative for ever."""
        self._socket.wait_at_most(timeout if timeout >= 0.0 else FOREVER)

    def setblocking(self, block: bool) -> None:
        self._socket.wait_at_most(FOREVER if block else 0.0)

    def close(self) -> None:
        try:
            self._socket.close()
        except OSError as e:
            raise converted_error(e) from None

    def detach(self) -> int:
        """The descriptor, which stays open."""
        fd = self._socket.descriptor
        self._socket.descriptor = -1
        return fd

    def dup(self) -> RSocket:
        try:
            copy = os.dup(self._socket.opened())
        except OSError as e:
            raise converted_error(e) from None
        return make_socket(copy, self.family, self.type, self.proto)

    def bind(self, address: Address) -> None:
        try:
            self._socket.bind_to(address.text)
        except OSError as e:
            raise converted_error(e) from None

    def listen(self, backlog: int) -> None:
        try:
            sockettable.socket_listen(self._socket.opened(), max(backlog, 1))
        except OSError as e:
            raise converted_error(e) from None

    def connect(self, address: Address) -> None:
        try:
            self._socket.connect_to(address.text)
        except OSError as e:
            raise converted_error(e) from None

    def connect_ex(self, address: Address) -> int:
        """The number of the error, 0 for none."""
        try:
            self._socket.connect_to(address.text)
        except OSError as e:
            return errno.EWOULDBLOCK if e.errno is None else e.errno
        return 0

    def accept(self, inheritable: bool = True) -> tuple[int, Address]:
        """The descriptor of the new socket, for ``make_socket``, and the peer's address."""
        try:
            fd, address = self._socket.accept_one()
            os.set_inheritable(fd, inheritable)
        except OSError as e:
            raise converted_error(e) from None
        return fd, make_address(address)

    def getsockname(self) -> Address:
        return self._name(False)

    def getpeername(self) -> Address:
        return self._name(True)

    def _name(self, peer: bool) -> Address:
        try:
            return make_address(self._socket.name(peer))
        except OSError as e:
            raise converted_error(e) from None

    def recv(self, buffersize: int, flags: int = 0) -> str:
        try:
            return self._socket.receive(buffersize, flags).decode("latin-1")
        except OSError as e:
            raise converted_error(e) from None

    def recvfrom(self, buffersize: int, flags: int = 0) -> tuple[str, Address | None]:
        """Data, and where they are from; None where the system does not say."""
        try:
            data, address = self._socket.receive_from(buffersize, flags)
        except OSError as e:
            raise converted_error(e) from None
        known = _sockets.family_of(address) > AF_UNIX
        return data.decode("latin-1"), make_address(address) if known else None

    def recvinto(self, rwbuffer: Any, nbytes: int, flags: int = 0) -> int:
        """Give what is received to ``rwbuffer.setslice(0, data)``; how much that is."""
        data = self.recv(nbytes, flags)
        rwbuffer.setslice(0, data)
        return len(data)

    recvinto._annspecialcase_ = "specialize:argtype(1)"  # type: ignore[attr-defined]

    def send(self, data: str, flags: int = 0) -> int:
        """How many characters were sent."""
        try:
            return self._socket.send_some(data.encode("latin-1"), flags)
        except OSError as e:
            raise converted_error(e) from None

    def sendall(self, data: str, flags: int = 0, signal_checker: Any = None) -> None:
        """(Calls that a signal interrupts are repeated: ``signal_checker`` is not called.)"""
        try:
            self._socket.send_all(data.encode("latin-1"), flags)
        except OSError as e:
            raise converted_error(e) from None

    def sendto(self, data: str, *rest: Any) -> int:
        """``(data, length, flags, address)`` or, as older programs call it, without the length."""
        if len(rest) == 3:
            length, flags, address = rest
            data = data[:length]
        else:
            flags, address = rest
        try:
            return self._socket.send_to(data.encode("latin-1"), flags, address.text)
        except OSError as e:
            raise converted_error(e) from None

    def shutdown(self, how: int) -> None:
        try:
            sockettable.socket_shutdown(self._socket.opened(), how)
        except OSError as e:
            raise converted_error(e) from None

    def getsockopt(self, level: int, option: int, maxlen: int) -> str:
        try:
            return self._socket.option_bytes(level, option, maxlen).decode("latin-1")
        except OSError as e:
            raise converted_error(e) from None

    def getsockopt_int(self, level: int, option: int) -> int:
        try:
            return self._socket.option(level, option)
        except OSError as e:
            raise converted_error(e) from None

    def setsockopt(self, level: int, option: int, value: str) -> None:
        try:
            self._socket.set_option_bytes(level, option, value.encode("latin-1"))
        except OSError as e:
            raise converted_error(e) from None

    def setsockopt_int(self, level: int, option: int, value: int) -> None:
        try:
            self._socket.set_option(level, option, value)
        except OSError as e:
            raise converted_error(e) from None


def make_socket(
    fd: int, family: int, type: int, proto: int, SocketClass: type[RSocket] = RSocket
) -> RSocket:
    """The socket for a descriptor."""
    return SocketClass(family, type, proto, fd)


make_socket._annspecialcase_ = "specialize:arg(4)"  # type: ignore[attr-defined]


def socketpair(
    family: int = AF_UNIX, type: int = SOCK_STREAM, proto: int = 0,
    SocketClass: type[RSocket] = RSocket, inheritable: bool = True,
) -> tuple[RSocket, RSocket]:  # fmt: skip
    """Two that are connected."""
    try:
        fds = sockettable.socket_pair(family, type, proto)
        os.set_inheritable(fds & 0xFFFFFFFF, inheritable)
        os.set_inheritable(fds >> 32, inheritable)
    except OSError as e:
        raise converted_error(e) from None
    first = SocketClass(family, type, proto, fds & 0xFFFFFFFF, inheritable)
    return first, SocketClass(family, type, proto, fds >> 32, inheritable)


socketpair._annspecialcase_ = "specialize:arg(3)"  # type: ignore[attr-defined]


def dup(fd: int, inheritable: bool = True) -> int:
    """A copy of the descriptor."""
    try:
        copy = os.dup(fd)
        os.set_inheritable(copy, inheritable)
    except OSError as e:
        raise converted_error(e) from None
    return copy


def sock_set_inheritable(fd: int, inheritable: bool) -> None:
    """Do programs that are executed have the descriptor?"""
    try:
        os.set_inheritable(fd, inheritable)
    except OSError as e:
        raise converted_error(e) from None


def sock_get_inheritable(fd: int) -> bool:
    try:
        return os.get_inheritable(fd)
    except OSError as e:
        raise converted_error(e) from None


def fromfd(
    fd: int, family: int, type: int, proto: int = 0, SocketClass: type[RSocket] = RSocket
) -> RSocket:
    """A socket for a copy of the descriptor."""
    try:
        return make_socket(os.dup(fd), family, type, proto, SocketClass)
    except OSError as e:
        raise converted_error(e) from None


fromfd._annspecialcase_ = "specialize:arg(4)"  # type: ignore[attr-defined]

# -- names ------------------------------------------------------------------------------------


def gethostname() -> str:
    return _sockets.own_name()


def gethostbyname(name: str) -> Address:
    """The address of a host, with port 0.  Raises GAIError."""
    return INETAddress(name, 0)


def getaddrinfo(
    host: str | None, port_or_service: str | None, family: int = AF_UNSPEC, socktype: int = 0,
    proto: int = 0, flags: int = 0, address_to_fill: Address | None = None,
) -> list[tuple[int, int, int, str, Address]]:  # fmt: skip
    """(family, type, protocol, official name, address) for a host and a service.  Raises
    GAIError."""
    try:
        found = _sockets.look_up(host or "", port_or_service or "", family, socktype, proto, flags)
    except ResolverError as e:
        raise GAIError(e.code) from None
    return [(f.family, f.type, f.proto, f.canonical, make_address(f.address)) for f in found]


def getnameinfo(address: Address, flags: int) -> tuple[str, str]:
    """The names of host and service.  Raises GAIError."""
    try:
        return _sockets.names_of(address.text, flags)
    except ResolverError as e:
        raise GAIError(e.code) from None


def getservbyname(name: str, proto: str | None = None) -> int:
    port = sockettable.service_port(name, proto or "")
    if port < 0:
        raise RSocketError("service/proto not found")
    return port


def getservbyport(port: int, proto: str | None = None) -> str:
    name = sockettable.service_name(port, proto or "")
    if name is None:
        raise RSocketError("port/proto not found")
    return name


def getprotobyname(name: str) -> int:
    number = sockettable.protocol_number(name)
    if number < 0:
        raise RSocketError("protocol not found")
    return number


def inet_aton(ip: str) -> str:
    """Four characters for ``1.2.3.4``."""
    try:
        return _sockets.packed4(ip).decode("latin-1")
    except ValueError:
        raise RSocketError("illegal IP address string passed to inet_aton") from None


def inet_ntoa(packed: str) -> str:
    if len(packed) != 4:
        raise RSocketError("packed IP wrong length for inet_ntoa")
    return _sockets.shown4(packed.encode("latin-1"))


def htons(x: int) -> int:
    return _sockets.swapped16(x & 0xFFFF)


def ntohs(x: int) -> int:
    return _sockets.swapped16(x & 0xFFFF)


def htonl(x: int) -> int:
    return _sockets.swapped32(x & 0xFFFFFFFF)


def ntohl(x: int) -> int:
    return _sockets.swapped32(x & 0xFFFFFFFF)
