"""Python's ``socket`` in translated programs: on ``_sockets``.

What the addresses of a socket are depends on its family: each of AF_INET, AF_INET6 and AF_UNIX has
a class, which the constant in ``socket.socket(family)`` chooses.  A family that is not a constant
is any of them: a program that asks for addresses of such a socket is refused.
"""

from __future__ import annotations

import enum
import errno
import os
import socket
from typing import Any

from rpython.lltypesystem.foreign import sockettable
from rpython.rlib import _sockets
from rpython.rlib._sockets import FOREVER, Found, OpenSocket, ResolverError
from rpython.rlib.objectmodel import import_from_mixin, specialize
from rpython.stdlib._registry import replaces
from rpython.stdlib._socketnames import Named

for _flags in (socket.MsgFlag, socket.AddressInfo):
    # an enum.Flag is not supported, and an IntEnum does all that sockets need
    _numbers = enum.IntEnum(  # type: ignore[misc]
        _flags.__name__, {_name: int(_member) for _name, _member in _flags.__members__.items()}
    )
    for _name, _member in _flags.__members__.items():
        if _member.name == _name:
            replaces(_member)(_numbers[_name])


class DefaultTimeout:
    """What new sockets have."""

    def __init__(self) -> None:
        self.seconds = FOREVER


DEFAULT = DefaultTimeout()


def resolver_failure(error: ResolverError) -> socket.gaierror:
    return socket.gaierror(error.code, error.text)


def _host_for(host: str, family: int) -> str:
    _check_ascii(host)
    try:
        return _sockets.look_up_one(host, family)
    except ResolverError as e:
        raise resolver_failure(e) from None


def check_name(host: str) -> None:
    """What the codec ``idna`` says of ASCII names."""
    _check_ascii(host)
    labels = host.removesuffix(".").split(".")
    for label in labels:
        if host and not 0 < len(label) < 64:
            raise UnicodeError(
                "encoding with 'idna' codec failed (UnicodeError: label empty or too long)"
            )


def _check_ascii(host: str) -> None:
    if not host.isascii():
        raise NotImplementedError("names of hosts that are not ASCII")


def _internet_name(address: str) -> tuple[str, int]:
    if _sockets.family_of(address) != socket.AF_INET:
        raise NotImplementedError("addresses of sockets of other families")
    return _sockets.host_of(address), _sockets.port_of(address)


def _internet6_name(address: str) -> tuple[str, int, int, int]:
    _, port, flow, scope, host = address.split(" ")
    return host, int(port), int(flow), int(scope)


def _unix_name(address: str) -> str:
    if _sockets.family_of(address) < 0:
        raise NotImplementedError("abstract addresses of AF_UNIX")
    return _sockets.path_of(address)


def _seconds_of(timeout: Any) -> float:
    if timeout is None:
        return FOREVER
    seconds = float(timeout)
    if seconds < 0:
        raise ValueError("Timeout value out of range")
    return seconds


_seconds_of._rpython_per_arguments_ = True  # type: ignore[attr-defined]


@replaces(socket.socket, socket.SocketType)
class Socket(OpenSocket):
    """``socket.socket``, but for what gives addresses."""

    __slots__ = ("_family", "_proto", "_type")

    def __init__(
        self, family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None
    ) -> None:
        if fileno is None:
            self._family = int(family) if family != -1 else int(socket.AF_INET)
            self._type = int(type) if type != -1 else int(socket.SOCK_STREAM)
            self._proto = proto if proto != -1 else 0
            fd = sockettable.socket_open(self._family, self._type, self._proto)
        else:
            if fileno < 0:
                raise ValueError("negative file descriptor")
            fd = fileno
            level = int(socket.SOL_SOCKET)
            asked = OpenSocket(fd, FOREVER)
            self._family = int(family) if family != -1 else asked.option(level, _SO_DOMAIN)
            self._type = int(type) if type != -1 else asked.option(level, socket.SO_TYPE)
            self._proto = proto if proto != -1 else asked.option(level, _SO_PROTOCOL)
            asked.descriptor = -1
        waits = 0.0 if self._type & socket.SOCK_NONBLOCK else DEFAULT.seconds
        self._type &= ~(int(socket.SOCK_NONBLOCK) | int(socket.SOCK_CLOEXEC))
        OpenSocket.__init__(self, fd, waits)

    def __del__(self) -> None:
        self.close()

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self.close()

    @property
    def family(self) -> int:
        return socket.AF_INET if self._family == socket.AF_INET else self._family

    @property
    def type(self) -> int:
        return socket.SOCK_STREAM if self._type == socket.SOCK_STREAM else self._type

    @property
    def proto(self) -> int:
        return self._proto

    @property
    def timeout(self) -> float | None:
        return self.gettimeout()

    def fileno(self) -> int:
        return self.descriptor

    def detach(self) -> int:
        fd = self.descriptor
        self.descriptor = -1
        return fd

    def makefile(
        self, mode: str = "r", buffering: int = -1, *, encoding: str | None = None,
        errors: str | None = None, newline: str | None = None,
    ) -> Any:  # fmt: skip
        if self.seconds >= 0:
            raise NotImplementedError("files on sockets with a timeout")
        fd = os.dup(self.opened())
        return open(fd, mode, buffering, encoding=encoding, errors=errors, newline=newline)

    makefile._rpython_per_arguments_ = True  # type: ignore[attr-defined]
    makefile._rpython_per_values_ = True  # type: ignore[attr-defined]

    # -- addresses

    @specialize.argtype(1)
    def _address(self, address: Any, function: str) -> str:
        """The text for an address of that method; names are looked up."""
        wide = self._family == socket.AF_INET6
        if isinstance(address, str):
            if self._family != socket.AF_UNIX:
                name = "AF_INET6" if wide else "AF_INET"
                raise TypeError(f"{function}(): {name} address must be tuple, not str")
            return _sockets.unix_address(address)
        if self._family != socket.AF_INET and not wide:
            raise TypeError("a bytes-like object is required, not 'tuple'")
        if wide and len(address) > 4:
            raise TypeError(
                "AF_INET6 address must be a tuple (host, port[, flowinfo[, scopeid]])"
            )
        if not wide and len(address) > 2:
            raise TypeError("AF_INET address must be a pair (host, port)")
        host = _host_for(address[0], self._family)
        port = address[1]
        if port < 0 or port > 0xFFFF:
            raise OverflowError(function + "(): port must be 0-65535.")
        flow = address[2] if len(address) > 2 else 0
        if flow < 0 or flow > 0xFFFFF:
            raise OverflowError(function + "(): flowinfo must be 0-1048575.")
        scope = address[3] if len(address) > 3 else 0
        return _sockets.internet_address(self._family, host, port, flow, scope)

    @specialize.argtype(1)
    def bind(self, address: Any, /) -> None:
        self.bind_to(self._address(address, "bind"))

    @specialize.argtype(1)
    def connect(self, address: Any, /) -> None:
        self.connect_to(self._address(address, "connect"))

    @specialize.argtype(1)
    def connect_ex(self, address: Any, /) -> int:
        try:
            self.connect_to(self._address(address, "connect_ex"))
        except TimeoutError:
            return errno.EAGAIN
        except OSError as e:
            if e.errno is None:
                raise
            return e.errno
        return 0

    def listen(self, backlog: int = 128, /) -> None:
        sockettable.socket_listen(self.opened(), max(backlog, 0))

    # -- data

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        if bufsize < 0:
            raise ValueError("negative buffersize in recv")
        return self.receive(bufsize, int(flags))

    def recv_into(self, buffer: bytearray, nbytes: int = 0, flags: int = 0) -> int:
        if nbytes < 0:
            raise ValueError("negative buffersize in recv_into")
        if nbytes > len(buffer):
            raise ValueError("buffer too small for requested bytes")
        data = self.receive(nbytes or len(buffer), int(flags))
        buffer[: len(data)] = data
        return len(data)

    @specialize.argtype(1)
    def send(self, data: Any, flags: int = 0, /) -> int:
        return self.send_some(bytes(data), int(flags))

    @specialize.argtype(1)
    def sendall(self, data: Any, flags: int = 0, /) -> None:
        self.send_all(bytes(data), int(flags))

    @specialize.argtype(1, 2)
    def sendto(self, data: Any, address: Any, /) -> int:
        return self.send_to(bytes(data), 0, self._address(address, "sendto"))

    def shutdown(self, how: int, /) -> None:
        sockettable.socket_shutdown(self.opened(), int(how))

    # -- options

    @specialize.argtype(1)
    def settimeout(self, value: Any, /) -> None:
        self.wait_at_most(_seconds_of(value))

    def gettimeout(self) -> float | None:
        return None if self.seconds < 0 else self.seconds

    def setblocking(self, flag: bool, /) -> None:
        self.wait_at_most(FOREVER if flag else 0.0)

    def getblocking(self) -> bool:
        return self.seconds != 0.0

    def getsockopt(self, level: int, optname: int, *buflen: int) -> Any:
        if buflen:
            return self.option_bytes(int(level), int(optname), buflen[0])
        return self.option(int(level), int(optname))

    getsockopt._rpython_per_arguments_ = True  # type: ignore[attr-defined]

    @specialize.argtype(3)
    def setsockopt(self, level: int, optname: int, value: Any, /) -> None:
        if isinstance(value, bytes):
            self.set_option_bytes(int(level), int(optname), value)
        else:
            self.set_option(int(level), int(optname), int(value))


class InternetSocket(Socket):
    """One of AF_INET, or of a family whose addresses are not supported."""

    __slots__ = ()
    import_from_mixin(Named, ["__enter__", "__repr__"])

    def _like(self, fd: int) -> InternetSocket:
        return InternetSocket(self._family, self._type, self._proto, fd)

    def _named(self, address: str) -> tuple[str, int]:
        return _internet_name(address)

    def _sender(self, address: str) -> tuple[str, int]:
        return _internet_name(address)


class Internet6Socket(Socket):
    """One of AF_INET6."""

    __slots__ = ()
    import_from_mixin(Named, ["__enter__", "__repr__"])

    def _like(self, fd: int) -> Internet6Socket:
        return Internet6Socket(self._family, self._type, self._proto, fd)

    def _named(self, address: str) -> tuple[str, int, int, int]:
        return _internet6_name(address)

    def _sender(self, address: str) -> tuple[str, int, int, int]:
        return _internet6_name(address)


class UnixSocket(Socket):
    """One of AF_UNIX."""

    __slots__ = ()
    import_from_mixin(Named, ["__enter__", "__repr__"])

    def _like(self, fd: int) -> UnixSocket:
        return UnixSocket(self._family, self._type, self._proto, fd)

    def _named(self, address: str) -> str:
        return _unix_name(address)

    def _sender(self, address: str) -> str | None:
        """None: the sender has no name."""
        return _unix_name(address) if _sockets.family_of(address) else None


def _per_values(function: Any) -> Any:
    """Decorator: the function has a graph for every kind of argument, and every constant."""
    function._rpython_per_arguments_ = function._rpython_per_values_ = True
    return function


@_per_values
def make_socket(
    family: int = -1, type: int = -1, proto: int = -1, fileno: int | None = None
) -> Any:
    """``socket.socket(...)``: of the class that is for the family."""
    if family == socket.AF_INET6:
        return Internet6Socket(family, type, proto, fileno)
    if family == socket.AF_UNIX:
        return UnixSocket(family, type, proto, fileno)
    return InternetSocket(family, type, proto, fileno)


make_socket.__name__ = "socket"
Socket._rpython_maker_ = make_socket  # type: ignore[attr-defined]

_SO_PROTOCOL, _SO_DOMAIN = 38, 39
"""Linux's; Python has names for them on some hosts only."""

# -- functions --------------------------------------------------------------------------------


@_per_values
@replaces(socket.socketpair)
def socketpair(family: int = socket.AF_UNIX, type: int = socket.SOCK_STREAM, proto: int = 0) -> Any:
    fds = sockettable.socket_pair(int(family), int(type), proto)
    first = make_socket(family, type, proto, fds & 0xFFFFFFFF)
    return first, make_socket(family, type, proto, fds >> 32)


@replaces(socket.create_connection)
def create_connection(address: tuple[str, int], timeout: Any = False) -> InternetSocket:
    host, port = address
    last: OSError | None = None
    check_name(host)
    try:
        answers = _sockets.look_up(host, str(port), 0, int(socket.SOCK_STREAM))
    except ResolverError as e:
        raise resolver_failure(e) from None
    for answer in answers:
        made = InternetSocket(answer.family, answer.type, answer.proto)
        try:
            if timeout is not False:
                made.settimeout(timeout)
            made.connect_to(answer.address)
            return made
        except OSError as e:
            made.close()
            if last is None:
                last = e
    if last is None:
        raise OSError("getaddrinfo returns an empty list")
    raise last


@_per_values
@replaces(socket.create_server)
def create_server(
    address: tuple[str, int], *, family: int = socket.AF_INET, backlog: int = 128
) -> Any:
    made = make_socket(family, socket.SOCK_STREAM)
    made.setsockopt(int(socket.SOL_SOCKET), socket.SO_REUSEADDR, 1)
    made.bind(address)
    made.listen(backlog)
    return made


@_per_values
@replaces(socket.fromfd)
def fromfd(fd: int, family: int, type: int, proto: int = 0) -> Any:
    return make_socket(family, type, proto, os.dup(fd))


@_per_values
@replaces(socket.getaddrinfo)
def getaddrinfo(
    host: str | None, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
) -> Any:
    service = "" if port is None else str(port)
    if host is not None:
        check_name(host)
    try:
        found = _sockets.look_up(
            host or "", service, int(family), int(type), proto, int(flags)
        )
    except ResolverError as e:
        raise resolver_failure(e) from None
    if family == socket.AF_INET6:
        return [
            (socket.AF_INET6, _kind(f), f.proto, f.canonical, _internet6_name(f.address))
            for f in found
        ]
    for f in found:
        if f.family != socket.AF_INET:
            raise NotImplementedError("getaddrinfo() found others than AF_INET: ask for that")
    return [
        (socket.AF_INET, _kind(f), f.proto, f.canonical, _internet_name(f.address)) for f in found
    ]


def _kind(found: Found) -> int:
    return socket.SOCK_STREAM if found.type == socket.SOCK_STREAM else found.type


@replaces(socket.gethostbyname)
def gethostbyname(hostname: str, /) -> str:
    check_name(hostname)
    return _host_for(hostname, int(socket.AF_INET))


@replaces(socket.gethostname)
def gethostname() -> str:
    return _sockets.own_name()


@replaces(socket.getservbyname)
def getservbyname(servicename: str, protocolname: str = "", /) -> int:
    port = sockettable.service_port(servicename, protocolname)
    if port < 0:
        raise OSError("service/proto not found")
    return port


@replaces(socket.getservbyport)
def getservbyport(port: int, protocolname: str = "", /) -> str:
    if port < 0 or port > 0xFFFF:
        raise OverflowError("getservbyport: port must be 0-65535.")
    name = sockettable.service_name(port, protocolname)
    if name is None:
        raise OSError("port/proto not found")
    return name


@replaces(socket.getprotobyname)
def getprotobyname(protocolname: str, /) -> int:
    number = sockettable.protocol_number(protocolname)
    if number < 0:
        raise OSError("protocol not found")
    return number


@replaces(socket.getdefaulttimeout)
def getdefaulttimeout() -> float | None:
    return None if DEFAULT.seconds < 0 else DEFAULT.seconds


@replaces(socket.setdefaulttimeout)
def setdefaulttimeout(timeout: Any, /) -> None:
    DEFAULT.seconds = _seconds_of(timeout)


@replaces(socket.close)
def close(fd: int, /) -> None:
    os.close(fd)


# -- numbers ----------------------------------------------------------------------------------


def _checked16(function: str, x: int) -> int:
    if x < 0:
        raise OverflowError(
            function + ": can't convert negative Python int to C 16-bit unsigned integer"
        )
    if x >= 1 << 31:
        raise OverflowError("signed integer is greater than maximum")
    if x >= 1 << 16:
        raise OverflowError(
            function + ": Python int too large to convert to C 16-bit unsigned integer"
        )
    return x


def _checked32(x: int) -> int:
    if x < 0:
        raise OverflowError("can't convert negative value to unsigned int")
    if x >= 1 << 32:
        raise OverflowError("int larger than 32 bits")
    return x


@replaces(socket.htons)
def htons(x: int, /) -> int:
    return _sockets.swapped16(_checked16("htons", x))


@replaces(socket.ntohs)
def ntohs(x: int, /) -> int:
    return _sockets.swapped16(_checked16("ntohs", x))


@replaces(socket.htonl)
def htonl(x: int, /) -> int:
    return _sockets.swapped32(_checked32(x))


@replaces(socket.ntohl)
def ntohl(x: int, /) -> int:
    return _sockets.swapped32(_checked32(x))


@replaces(socket.inet_ntoa)
def inet_ntoa(packed_ip: bytes, /) -> str:
    if len(packed_ip) != 4:
        raise OSError("packed IP wrong length")
    return _sockets.shown4(packed_ip)


@replaces(socket.inet_pton)
def inet_pton(address_family: int, ip_string: str, /) -> bytes:
    if address_family != socket.AF_INET:
        raise NotImplementedError("inet_pton() of others than AF_INET")
    try:
        return _sockets.packed4(ip_string)
    except ValueError:
        raise OSError("illegal IP address string passed to inet_pton") from None


@replaces(socket.inet_ntop)
def inet_ntop(address_family: int, packed_ip: bytes, /) -> str:
    if address_family != socket.AF_INET:
        raise NotImplementedError("inet_ntop() of others than AF_INET")
    if len(packed_ip) != 4:
        raise ValueError("invalid length of packed IP address string")
    return _sockets.shown4(packed_ip)


