"""The rows of ``lltypesystem.foreign.systemcalls`` about sockets: what ``rpython.rlib._sockets`` is
made of.

Addresses are texts: ``2 8080 127.0.0.1``, ``10 8080 0 0 ::1`` (the family, the port, flow
information, scope, host), ``1 /the/path``; ``0`` is none, ``-1`` an abstract name of AF_UNIX.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rpython.lltypesystem.foreign.systemcalls import PRELUDE, row
from rpython.lltypesystem.foreign.systemtable import SYSTEM_CALLS as SYSTEM_CALLS

SOCKET_PRELUDE = PRELUDE + r"""
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
struct rpy_address { socklen_t size; struct sockaddr_storage at; };
/* The address that a text is; -1 and errno for none. */
static __attribute__((unused)) int rpy_read_address(const char *text, struct rpy_address *where)
{
    int family = 0, port = 0, used = 0;
    unsigned flow = 0, scope = 0;
    memset(where, 0, sizeof *where);
    sscanf(text, "%d", &family);
    if (family == AF_INET && sscanf(text, "%d %d %n", &family, &port, &used) >= 2) {
        struct sockaddr_in *in = (struct sockaddr_in *)&where->at;
        in->sin_port = htons(port);
        where->size = sizeof *in;
        if (inet_pton(family, text + used, &in->sin_addr) == 1)
            return in->sin_family = AF_INET, 0;
    } else if (family == AF_INET6
               && sscanf(text, "%d %d %u %u %n", &family, &port, &flow, &scope, &used) >= 4) {
        struct sockaddr_in6 *in = (struct sockaddr_in6 *)&where->at;
        in->sin6_port = htons(port);
        in->sin6_flowinfo = htonl(flow);
        in->sin6_scope_id = scope;
        where->size = sizeof *in;
        if (inet_pton(family, text + used, &in->sin6_addr) == 1)
            return in->sin6_family = AF_INET6, 0;
    } else if (family == AF_UNIX && strlen(text) > 1) {
        struct sockaddr_un *un = (struct sockaddr_un *)&where->at;
        size_t length = strlen(text + 2);
        where->size = offsetof(struct sockaddr_un, sun_path) + length + 1;
        if (length < sizeof un->sun_path)
            return strcpy(un->sun_path, text + 2), un->sun_family = AF_UNIX, 0;
    }
    errno = EINVAL;
    return -1;
}
static __attribute__((unused))
int rpy_write_address(char *out, const struct sockaddr *at, socklen_t size)
{
    char host[INET6_ADDRSTRLEN];
    if (size >= sizeof(struct sockaddr_in) && at->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)at;
        inet_ntop(AF_INET, &in->sin_addr, host, sizeof host);
        return sprintf(out, "%d %d %s", AF_INET, ntohs(in->sin_port), host);
    }
    if (size >= sizeof(struct sockaddr_in6) && at->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)at;
        inet_ntop(AF_INET6, &in->sin6_addr, host, sizeof host);
        return sprintf(out, "%d %d %u %u %s", AF_INET6, ntohs(in->sin6_port),
                       ntohl(in->sin6_flowinfo), in->sin6_scope_id, host);
    }
    if (size >= 2 && at->sa_family == AF_UNIX) {
        const struct sockaddr_un *un = (const struct sockaddr_un *)at;
        int length = (int)(size - offsetof(struct sockaddr_un, sun_path));
        if (length > 0 && un->sun_path[0] == 0)
            return sprintf(out, "-1"); /* an abstract name */
        return sprintf(out, "%d %.*s", AF_UNIX, length, un->sun_path);
    }
    return sprintf(out, "0");
}
#define RPY_ADDRESS_ROOM 256
/* Data that a call gives: the length, or -errno, and room for the bytes. */
static __attribute__((unused)) unsigned char *rpy_data(long size)
{
    long header = size < 0 ? -(long)errno : size;
    memcpy(rpy_need(8 + (size < 0 ? 0 : size)), &header, 8);
    return (unsigned char *)rpy_text;
}
#define RPY_AGAIN(result, call) \
    do result = call; while (result < 0 && errno == EINTR && !rpy_interrupt_pending())
"""


def _row(host: Any, parameters: str, result: str, c: str, blocking: bool = False) -> None:
    row(host, parameters, result, c, blocking=blocking, prelude=SOCKET_PRELUDE)


# -- addresses --------------------------------------------------------------------------------


def _address_of(text: str) -> Any:
    """The same for the host."""
    family, _, rest = text.partition(" ")
    if int(family) == socket.AF_INET:
        port, _, host = rest.partition(" ")
        return host, int(port)
    if int(family) == socket.AF_INET6:
        port, flow, scope, host = rest.split(" ", 3)
        return host, int(port), int(flow), int(scope)
    if int(family) == socket.AF_UNIX:
        if len(os.fsencode(rest)) >= 108:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return rest
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def _address_text(family: int, address: Any) -> bytes:
    if not address or family not in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
        return b"1 " if family == socket.AF_UNIX and address == "" else b"0"
    if family == socket.AF_UNIX:
        return b"-1" if isinstance(address, bytes) else b"1 " + os.fsencode(address)
    host, port, *rest = address
    return " ".join([str(int(family)), *map(str, [port, *rest]), host]).encode()


@contextmanager
def _socket_of(fd: int) -> Iterator[socket.socket]:
    """The host's socket for a descriptor, which stays open.  It waits as the descriptor does."""
    found = socket.socket(fileno=fd)
    try:
        yield found
    finally:
        found.detach()


# -- one call each ----------------------------------------------------------------------------


def socket_open(family: int, type: int, proto: int) -> int:
    return socket.socket(family, type, proto).detach()


_row(socket_open, "family:cint type:cint proto:cint", "int!",
     "socket((int)a0, (int)a1 | SOCK_CLOEXEC, (int)a2)")  # fmt: skip


def socket_pair(family: int, type: int, proto: int) -> int:
    """Two connected ones: the first + 2**32 * the second."""
    a, b = socket.socketpair(family, type, proto)
    return a.detach() | b.detach() << 32


_row(socket_pair, "family:cint type:cint proto:cint", "int!", """
    int fds[2];
    if (socketpair((int)a0, (int)a1 | SOCK_CLOEXEC, (int)a2, fds) < 0)
        return -(long)errno;
    return fds[0] | (long)fds[1] << 32;
""")  # fmt: skip


def socket_bind(fd: int, address: str) -> None:
    with _socket_of(fd) as s:
        s.bind(_address_of(address))


_row(socket_bind, "fd:fd address:text", "none!", """
    struct rpy_address where;
    if (rpy_read_address(a1, &where) < 0)
        return -(long)errno;
    return bind((int)a0, (struct sockaddr *)&where.at, where.size) < 0 ? -(long)errno : 0;
""")  # fmt: skip


def socket_connect(fd: int, address: str) -> None:
    with _socket_of(fd) as s:
        s.connect(_address_of(address))


_row(socket_connect, "fd:fd address:text", "none!", """
    struct rpy_address where;
    int result;
    if (rpy_read_address(a1, &where) < 0)
        return -(long)errno;
    result = connect((int)a0, (struct sockaddr *)&where.at, where.size);
    if (result < 0 && errno == EINTR && !rpy_interrupt_pending()) {
        /* it goes on meanwhile */
        struct pollfd waiting = {(int)a0, POLLOUT, 0};
        int error = 0;
        socklen_t size = sizeof error;
        RPY_AGAIN(result, poll(&waiting, 1, -1));
        if (result >= 0 && getsockopt((int)a0, SOL_SOCKET, SO_ERROR, &error, &size) >= 0) {
            errno = error;
            result = error ? -1 : 0;
        }
    }
    return result < 0 ? -(long)errno : 0;
""", blocking=True)  # fmt: skip


def socket_listen(fd: int, backlog: int) -> None:
    with _socket_of(fd) as s:
        s.listen(backlog)


_row(socket_listen, "fd:fd backlog:cint", "none!", "listen((int)a0, (int)a1)")


def socket_accept(fd: int) -> bytes:
    """The new descriptor and the address."""
    with _socket_of(fd) as s:
        accepted, address = s._accept()  # type: ignore[attr-defined]
        return b"%d %s" % (accepted, _address_text(s.family, address))


_row(socket_accept, "fd:fd", "data!", """
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    int fd, length;
    RPY_AGAIN(fd, accept4((int)a0, (struct sockaddr *)&at, &size, SOCK_CLOEXEC));
    if (fd < 0)
        return rpy_data(-1);
    length = sprintf(rpy_need(8 + RPY_ADDRESS_ROOM) + 8, "%d ", fd);
    length += rpy_write_address(rpy_text + 8 + length, (struct sockaddr *)&at, size);
    return rpy_data(length);
""", blocking=True)  # fmt: skip


def socket_name(fd: int, peer: int) -> bytes:
    """The address of a socket, or of what it is connected to."""
    with _socket_of(fd) as s:
        return _address_text(s.family, s.getpeername() if peer else s.getsockname())


_row(socket_name, "fd:fd peer:int", "data!", """
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    if ((a1 ? getpeername : getsockname)((int)a0, (struct sockaddr *)&at, &size) < 0)
        return rpy_data(-1);
    char *room = rpy_need(8 + RPY_ADDRESS_ROOM) + 8;
    return rpy_data(rpy_write_address(room, (struct sockaddr *)&at, size));
""")  # fmt: skip


def socket_shutdown(fd: int, how: int) -> None:
    with _socket_of(fd) as s:
        s.shutdown(how)


_row(socket_shutdown, "fd:fd how:cint", "none!", "shutdown((int)a0, (int)a1)")


def socket_option(fd: int, level: int, option: int, size: int) -> bytes:
    with _socket_of(fd) as s:
        return s.getsockopt(level, option, size)


_row(socket_option, "fd:fd level:cint option:cint size:cint", "data!", """
    socklen_t size = (socklen_t)a3;
    char *room = rpy_need(8 + a3) + 8;
    return rpy_data(getsockopt((int)a0, (int)a1, (int)a2, room, &size) < 0 ? -1 : (long)size);
""")  # fmt: skip


def socket_set_option(fd: int, level: int, option: int, value: bytes) -> None:
    with _socket_of(fd) as s:
        s.setsockopt(level, option, value)


_row(socket_set_option, "fd:fd level:cint option:cint value:data", "none!",
     "setsockopt((int)a0, (int)a1, (int)a2, a3, (socklen_t)n3)")  # fmt: skip

# -- data -------------------------------------------------------------------------------------


def socket_send(fd: int, data: bytes, flags: int) -> int:
    with _socket_of(fd) as s:
        return s.send(data, flags)


def socket_send_to(fd: int, data: bytes, flags: int, address: str) -> int:
    with _socket_of(fd) as s:
        return s.sendto(data, flags, _address_of(address))


_row(socket_send, "fd:fd data:data flags:cint", "int!", """
    long result;
    RPY_AGAIN(result, send((int)a0, a1, (size_t)n1, (int)a2 | MSG_NOSIGNAL));
    return result < 0 ? -(long)errno : result;
""", blocking=True)  # fmt: skip
_row(socket_send_to, "fd:fd data:data flags:cint address:text", "int!", """
    struct rpy_address where;
    long result;
    if (rpy_read_address(a3, &where) < 0)
        return -(long)errno;
    RPY_AGAIN(result, sendto((int)a0, a1, (size_t)n1, (int)a2 | MSG_NOSIGNAL,
                             (struct sockaddr *)&where.at, where.size));
    return result < 0 ? -(long)errno : result;
""", blocking=True)  # fmt: skip


def socket_receive(fd: int, size: int, flags: int) -> bytes:
    with _socket_of(fd) as s:
        return s.recv(size, flags)


def socket_receive_from(fd: int, size: int, flags: int) -> bytes:
    """The address, a zero byte, the data."""
    with _socket_of(fd) as s:
        data, address = s.recvfrom(size, flags)
        return _address_text(s.family, address) + b"\0" + data


_row(socket_receive, "fd:fd size:int flags:cint", "data!", """
    long result;
    char *room = rpy_need(8 + a1) + 8;
    RPY_AGAIN(result, recv((int)a0, room, (size_t)a1, (int)a2));
    return rpy_data(result);
""", blocking=True)  # fmt: skip
_row(socket_receive_from, "fd:fd size:int flags:cint", "data!", """
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    long result;
    char *room = rpy_need(8 + RPY_ADDRESS_ROOM + a1) + 8, *data = room + RPY_ADDRESS_ROOM;
    RPY_AGAIN(result, recvfrom((int)a0, data, (size_t)a1, (int)a2, (struct sockaddr *)&at, &size));
    if (result < 0)
        return rpy_data(-1);
    int length = rpy_write_address(room, (struct sockaddr *)&at, size) + 1;
    memmove(room + length, data, (size_t)result);
    return rpy_data(length + result);
""", blocking=True)  # fmt: skip


def wait_for_events(wanted: str, milliseconds: int) -> bytes:
    """``poll``: pairs of descriptors and events, and which events there are; fails with EINTR for
    signals, too.  A negative time: until there are some."""
    polling = select.poll()
    numbers = [int(number) for number in wanted.split()]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    for fd, events in pairs:
        polling.register(fd, events)
    found = dict(polling.poll(milliseconds if milliseconds >= 0 else None))
    texts = [b"%d %d" % (fd, found[fd]) for fd, _ in pairs if fd in found]
    return b" ".join(texts)


_row(wait_for_events, "wanted:text milliseconds:cint", "data!", """
    size_t count = 0, room = strlen(a0) / 4 + 1;
    struct pollfd *fds = calloc(room, sizeof *fds);
    int used, fd, events, length = 0, result;
    if (!fds)
        return errno = ENOMEM, rpy_data(-1);
    for (char *at = a0; sscanf(at, "%d %d%n", &fd, &events, &used) >= 2; at += used)
        fds[count++] = (struct pollfd){fd, (short)events, 0};
    result = poll(fds, count, (int)a1);
    rpy_need(16 + 24 * count);
    for (size_t i = 0; result > 0 && i < count; i++)
        if (fds[i].revents)
            length += sprintf(rpy_text + 8 + length, length ? " %d %d" : "%d %d", fds[i].fd,
                              (int)fds[i].revents);
    fd = errno;
    free(fds);
    errno = fd;
    return rpy_data(result < 0 ? -1 : length);
""", blocking=True)  # fmt: skip

# -- names ------------------------------------------------------------------------------------


def _or_code(function: Callable[[], bytes]) -> bytes:
    try:
        return function()
    except socket.gaierror as error:
        return b"?%d" % error.args[0]


def address_info(host: str, port: str, family: int, type: int, proto: int, flags: int) -> bytes:
    """``getaddrinfo``: lines of family, type, protocol, the address, a tab and the official name;
    ``?`` and a number for an error."""

    def lines() -> bytes:
        found = socket.getaddrinfo(host or None, port or None, family, type, proto, flags)
        return b"\n".join(
            b"%d %d %d %s\t%s" % (f, t, p, _address_text(f, address), name.encode())
            for f, t, p, name, address in found
        )

    return _or_code(lines)


_row(address_info, "host:text port:text family:cint type:cint proto:cint flags:cint", "data!", """
    struct addrinfo hints, *found = 0;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = (int)a2;
    hints.ai_socktype = (int)a3;
    hints.ai_protocol = (int)a4;
    hints.ai_flags = (int)a5;
    int error = getaddrinfo(*a0 ? a0 : 0, *a1 ? a1 : 0, &hints, &found), length = 0;
    if (error)
        return rpy_data(sprintf(rpy_need(64) + 8, "?%d", error));
    rpy_need(8);
    for (struct addrinfo *i = found; i; i = i->ai_next) {
        const char *name = i->ai_canonname ? i->ai_canonname : "";
        char *out = rpy_need(8 + length + RPY_ADDRESS_ROOM + strlen(name)) + 8 + length;
        char *start = out;
        out += sprintf(out, length ? "\\n%d %d %d " : "%d %d %d ", i->ai_family, i->ai_socktype,
                       i->ai_protocol);
        out += rpy_write_address(out, i->ai_addr, i->ai_addrlen);
        out += sprintf(out, "\\t%s", name);
        length += out - start;
    }
    freeaddrinfo(found);
    return rpy_data(length);
""", blocking=True)  # fmt: skip


def name_info(address: str, flags: int) -> bytes:
    """``getnameinfo``: the host and the service in two lines; ``?`` and a number for an error."""
    return _or_code(lambda: "\n".join(socket.getnameinfo(_address_of(address), flags)).encode())


_row(name_info, "address:text flags:cint", "data!", """
    struct rpy_address where;
    char host[1025], service[32];
    if (rpy_read_address(a0, &where) < 0)
        return rpy_data(-1);
    int error = getnameinfo((struct sockaddr *)&where.at, where.size, host, sizeof host, service,
                            sizeof service, (int)a1);
    if (error)
        return rpy_data(sprintf(rpy_need(64) + 8, "?%d", error));
    return rpy_data(sprintf(rpy_need(8 + 1100) + 8, "%s\\n%s", host, service));
""", blocking=True)  # fmt: skip


def resolver_error(code: int) -> str:
    """The text for an error of the two."""
    describe = ctypes.CDLL(None).gai_strerror
    describe.restype = ctypes.c_char_p
    return str(describe(code).decode())


_row(resolver_error, "code:cint", "text", "(char *)gai_strerror((int)a0)")


def own_name() -> bytes:
    """``gethostname``"""
    return os.fsencode(socket.gethostname())


_row(own_name, "", "data!", """
    if (gethostname(rpy_need(8 + 1024) + 8, 1023) < 0)
        return rpy_data(-1);
    rpy_text[8 + 1023] = 0;
    return rpy_data((long)strlen(rpy_text + 8));
""")  # fmt: skip


def service_port(name: str, protocol: str) -> int:
    """The port of a service, -1 for none; any protocol for ""."""
    try:
        return socket.getservbyname(name, *([protocol] if protocol else []))
    except OSError:
        return -1


def service_name(port: int, protocol: str) -> str | None:
    try:
        return socket.getservbyport(port, *([protocol] if protocol else []))
    except OSError:
        return None


def protocol_number(name: str) -> int:
    """The number of a protocol, -1 for none."""
    try:
        return socket.getprotobyname(name)
    except OSError:
        return -1


_row(service_port, "name:text protocol:text", "int", """
    struct servent *found = getservbyname(a0, *a1 ? a1 : 0);
    return found ? (long)ntohs((unsigned short)found->s_port) : -1;
""")  # fmt: skip
_row(service_name, "port:cint protocol:text", "text", """
    struct servent *found = getservbyport(htons((unsigned short)a0), *a1 ? a1 : 0);
    return found ? (unsigned char *)found->s_name : 0;
""")  # fmt: skip
_row(protocol_number, "name:text", "int", """
    struct protoent *found = getprotobyname(a0);
    return found ? found->p_proto : -1;
""")  # fmt: skip
