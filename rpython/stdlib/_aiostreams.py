"""Streams of ``asyncio`` over sockets: ``start_server`` and ``open_connection``.

Readers and writers are translated from CPython's own source; the transport below them is ours, and
does what ``asyncio.selector_events`` does, in the same iterations of the loop.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from types import CoroutineType
from typing import Any

from rpython.lltypesystem.foreign import sockettable
from rpython.rlib import _sockets
from rpython.rlib._sockets import Found, ResolverError
from rpython.stdlib._aiofutures import NAMES, Waiter, make_task
from rpython.stdlib._aioloop import Loop, get_running_loop
from rpython.stdlib._aiosource import from_source
from rpython.stdlib._registry import per_arguments, per_values, replaces
from rpython.stdlib.socket import InternetSocket, check_name, resolver_failure

_MOST_READ = 256 * 1024
_HIGH_WATER, _LOW_WATER = 64 * 1024, 16 * 1024
_MOST_ACCEPTED = 100
"""In one iteration of the loop."""

StreamReader = from_source(asyncio.StreamReader, memoryview=bytes)


class Transport:
    def __init__(self, loop: Loop, sock: InternetSocket, protocol: Protocol) -> None:
        self._loop = loop
        self._sock: Any = sock
        self._fd = sock.fileno()
        self._protocol = protocol
        self._buffer = bytearray()
        self._closing = False
        self._eof = False
        self._paused = False
        self._protocol_paused = False
        self._lost = 0

    def _begin(self, waiter: Waiter | None) -> None:
        self._loop.call_soon(self._protocol.connection_made)
        self._loop.call_soon(self._add_reader)
        if waiter is not None:
            self._loop.call_soon(waiter._wake)

    def _add_reader(self) -> None:
        if not self._closing and not self._paused:
            self._loop._on_readable(self._fd, self._read_ready)

    # -- reading

    def pause_reading(self) -> None:
        if self._closing or self._paused:
            return
        self._paused = True
        self._loop._forget_readable(self._fd)

    def resume_reading(self) -> None:
        if self._closing or not self._paused:
            return
        self._paused = False
        self._add_reader()

    def is_reading(self) -> bool:
        return not self._closing and not self._paused

    def _read_ready(self) -> None:
        if self._lost:
            return
        try:
            data = self._sock.recv(_MOST_READ)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._fail(error)
            return
        if data:
            self._protocol.reader.feed_data(data)
        else:
            self._protocol.reader.feed_eof()
            self._loop._forget_readable(self._fd)

    # -- writing

    def get_write_buffer_size(self) -> int:
        return len(self._buffer)

    @per_arguments
    def write(self, data: Any) -> None:
        if self._eof:
            raise RuntimeError("Cannot call write() after write_eof()")
        rest = bytes(data)
        if not rest or self._lost:
            return
        if not self._buffer:
            try:
                sent = self._sock.send(rest)
            except (BlockingIOError, InterruptedError):
                sent = 0
            except OSError as error:
                self._fail(error)
                return
            if sent == len(rest):
                return
            rest = rest[sent:]
            self._loop._on_writable(self._fd, self._write_ready)
        self._buffer += rest
        if len(self._buffer) > _HIGH_WATER and not self._protocol_paused:
            self._protocol_paused = True
            self._protocol.paused = True

    @per_arguments
    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        if self._closing or self._eof:
            return
        self._eof = True
        if not self._buffer:
            self._sock.shutdown(socket.SHUT_WR)

    def _write_ready(self) -> None:
        if self._lost:
            return
        try:
            sent = self._sock.send(bytes(self._buffer))
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._loop._forget_writable(self._fd)
            self._buffer.clear()
            self._fail(error)
            return
        del self._buffer[:sent]
        if len(self._buffer) <= _LOW_WATER and self._protocol_paused:
            self._protocol_paused = False
            self._protocol.resume_writing()
        if not self._buffer:
            self._loop._forget_writable(self._fd)
            if self._closing:
                self._lose(None)
            elif self._eof:
                self._sock.shutdown(socket.SHUT_WR)

    # -- its end

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        self._loop._forget_readable(self._fd)
        if not self._buffer:
            self._lost += 1
            self._loop._forget_writable(self._fd)
            self._loop.call_soon(self._lose, None)

    def abort(self) -> None:
        self._force_close(None)

    def _fail(self, error: OSError) -> None:
        self._force_close(error)

    def _force_close(self, error: OSError | None) -> None:
        if self._lost:
            return
        if self._buffer:
            self._buffer.clear()
            self._loop._forget_writable(self._fd)
        if not self._closing:
            self._closing = True
            self._loop._forget_readable(self._fd)
        self._lost += 1
        self._loop.call_soon(self._lose, error)

    def _lose(self, error: OSError | None) -> None:
        self._protocol.connection_lost(error)
        self._sock.close()
        server = self._protocol.server
        if server is not None:
            server._one_less()

    @per_values
    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "peername":
            return self._sock.getpeername()
        if name == "sockname":
            return self._sock.getsockname()
        if name == "socket":
            return self._sock
        return default


class Protocol:
    """What is between a transport and its streams."""

    def __init__(self, loop: Loop, reader: Any) -> None:
        self._loop = loop
        self.reader = reader
        self.connected: Callable[[], object] | None = None
        self.server: Server | None = None
        self.paused = False
        self._drained: list[Waiter] = []
        self._lost = False
        self._closed = Waiter()

    def connection_made(self) -> None:
        connected = self.connected
        if connected is not None:
            connected()

    def resume_writing(self) -> None:
        self.paused = False
        for waiter in self._drained:
            waiter._wake()

    def connection_lost(self, error: OSError | None) -> None:
        if error is None:
            self.reader.feed_eof()
            self._closed._wake()
        else:
            self.reader.set_exception(error)
            if not self._closed.done():
                self._closed._set_error(error)
        self._lost = True
        if self.paused:
            for waiter in self._drained:
                if error is None:
                    waiter._wake()
                elif not waiter.done():
                    waiter._set_error(error)

    async def _drain_helper(self) -> None:
        if self._lost:
            raise ConnectionResetError("Connection lost")
        if not self.paused:
            return
        waiter = Waiter()
        self._drained.append(waiter)
        try:
            await waiter
        finally:
            self._drained.remove(waiter)

    def _get_close_waiter(self, stream: Any) -> Waiter:
        return self._closed


StreamWriter = from_source(
    asyncio.StreamWriter, without=("start_tls", "__del__", "__repr__", "get_extra_info", "__init__")
)


def _new_writer(self: Any, transport: Any, protocol: Any, reader: Any, loop: Any) -> None:
    self._transport = transport
    self._protocol = protocol
    self._reader = reader


@per_values
def _extra_info(self: Any, name: str, default: Any = None) -> Any:
    return self._transport.get_extra_info(name, default)


StreamWriter.__init__ = _new_writer
StreamWriter.get_extra_info = _extra_info


# -- servers ----------------------------------------------------------------------------------


@replaces(asyncio.Server, asyncio.AbstractServer)
class Server:
    def __init__(
        self, loop: Loop, sockets: list[InternetSocket], connected: Callable[[Any, Any], object],
        limit: int,
    ) -> None:  # fmt: skip
        self._loop = loop
        self._sockets = sockets
        self._connected = connected
        self._limit = limit
        self._serving = False
        self._forever: Waiter | None = None
        self._active = 0
        self._waiting: list[Waiter] = []

    @property
    def sockets(self) -> Any:
        return tuple(self._sockets)

    def get_loop(self) -> Loop:
        return self._loop

    def is_serving(self) -> bool:
        return self._serving

    def _start(self) -> None:
        if self._serving:
            return
        self._serving = True
        for sock in self._sockets:
            sock.listen(100)
            self._loop._on_readable(sock.fileno(), lambda sock=sock: self._accept(sock))

    async def start_serving(self) -> None:
        self._start()
        await asyncio.sleep(0)

    def _accept(self, sock: InternetSocket) -> None:
        for _ in range(_MOST_ACCEPTED):
            try:
                fd, _address = sock.accept_one()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            accepted = sock._like(fd)
            accepted.setblocking(False)
            NAMES.count += 1  # CPython has a task for it
            self._loop.call_soon(self._connect, accepted)

    def _connect(self, sock: InternetSocket) -> None:
        reader = StreamReader(self._limit, self._loop)
        protocol = Protocol(self._loop, reader)
        transport = Transport(self._loop, sock, protocol)
        reader.set_transport(transport)
        writer = StreamWriter(transport, protocol, reader, self._loop)
        protocol.connected = lambda: self._connected(reader, writer)
        protocol.server = self
        self._active += 1
        transport._begin(None)

    def close(self) -> None:
        if not self._sockets:
            return
        for sock in self._sockets:
            self._loop._forget_readable(sock.fileno())
            sock.close()
        self._sockets = []
        self._serving = False
        self._wake()
        if self._forever is not None:
            self._forever.cancel()
            self._forever = None

    def _one_less(self) -> None:
        """A connection has ended."""
        self._active -= 1
        self._wake()

    def _wake(self) -> None:
        if not self._sockets and not self._active:
            for waiter in self._waiting:
                waiter._wake()
            self._waiting = []

    async def wait_closed(self) -> None:
        """Until 3.11 nothing waits for connections."""
        if not self._sockets and (not self._active or sys.version_info < (3, 12)):
            return
        waiter = Waiter()
        self._waiting.append(waiter)
        await waiter

    async def serve_forever(self) -> None:
        if self._forever is not None:
            raise RuntimeError("server is already being awaited on serve_forever()")
        if not self._sockets:
            raise RuntimeError("server is closed")
        self._start()
        self._forever = Waiter()
        try:
            await self._forever
        except asyncio.CancelledError:
            self.close()
            raise
        finally:
            self._forever = None

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.close()
        await self.wait_closed()


def _addresses(host: str, port: int, flags: int) -> list[Found]:
    check_name(host)
    try:
        return _sockets.look_up(host, str(port), 0, int(socket.SOCK_STREAM), 0, flags)
    except ResolverError as error:
        raise resolver_failure(error) from None


@replaces(asyncio.start_server)
@per_arguments
async def start_server(
    client_connected_cb: Any, host: str, port: int, *, limit: int = 65536,
    reuse_address: bool = True, start_serving: bool = True,
) -> Server:  # fmt: skip
    def connected(reader: Any, writer: Any) -> None:
        result = client_connected_cb(reader, writer)
        if isinstance(result, CoroutineType):
            make_task(loop, result, None)

    loop = get_running_loop()
    sockets = []
    for found in _addresses(host, port, int(socket.AI_PASSIVE)):
        sock = InternetSocket(found.family, found.type, found.proto)
        if reuse_address:
            sock.setsockopt(int(socket.SOL_SOCKET), int(socket.SO_REUSEADDR), 1)
        if found.family == socket.AF_INET6:
            sock.setsockopt(int(socket.IPPROTO_IPV6), int(socket.IPV6_V6ONLY), 1)
        try:
            sock.bind_to(found.address)
        except OSError as error:
            number = error.errno
            assert number is not None
            shown = (_sockets.host_of(found.address), port)
            raise OSError(
                number,
                f"error while attempting to bind on address {shown}: "
                f"{_sockets.error_text(number).lower()}",
            ) from None
        sock.setblocking(False)
        sockets.append(sock)
    server = Server(loop, sockets, connected, limit)
    if start_serving:
        server._start()
        await asyncio.sleep(0)
    return server


@replaces(asyncio.open_connection)
async def open_connection(host: str, port: int, *, limit: int = 65536) -> Any:
    loop = get_running_loop()
    errors: list[OSError] = []
    for found in _addresses(host, port, 0):
        sock = InternetSocket(found.family, found.type, found.proto)
        sock.setblocking(False)
        try:
            await _connect(loop, sock, found.address)
        except OSError as error:
            sock.close()
            errors.append(error)
            continue
        reader = StreamReader(limit, loop)
        protocol = Protocol(loop, reader)
        transport = Transport(loop, sock, protocol)
        reader.set_transport(transport)
        waiter = Waiter()
        transport._begin(waiter)
        await waiter
        return reader, StreamWriter(transport, protocol, reader, loop)
    if len(errors) == 1 or all(str(error) == str(errors[0]) for error in errors):
        raise errors[0]
    raise OSError(f"Multiple exceptions: {', '.join(str(error) for error in errors)}")


async def _connect(loop: Loop, sock: InternetSocket, address: str) -> None:
    try:
        sockettable.socket_connect(sock.opened(), address)
        return
    except (BlockingIOError, InterruptedError):
        pass
    waiter = Waiter()
    loop._on_writable(sock.fileno(), waiter._wake)
    try:
        await waiter
    finally:
        loop._forget_writable(sock.fileno())
    number = sock.option(int(socket.SOL_SOCKET), int(socket.SO_ERROR))
    if number:
        shown = (_sockets.host_of(address), _sockets.port_of(address))
        raise OSError(number, f"Connect call failed {shown}")
