"""Methods of sockets that each class has of its own, as addresses of families differ."""

from __future__ import annotations

import os
import socket
from typing import Any


class Named:
    """What each family's class has of its own: ``_named`` gives the address that a text is."""

    __slots__ = ()

    def __enter__(self: Any) -> Any:
        return self

    def __repr__(self: Any) -> str:
        closed = " [closed]" if self.descriptor < 0 else ""
        text = f"<socket.socket{closed} fd={self.descriptor}, family={self._family}, "
        text += f"type={self._type}, proto={self._proto}"
        for name, of_peer in (("laddr", False), ("raddr", True)):
            if not closed:
                try:
                    address = self._named(self.name(of_peer))
                    if address:
                        text += f", {name}={address}"
                except OSError:
                    pass
        return text + ">"

    def dup(self: Any) -> Any:
        made = self._like(os.dup(self.opened()))
        if self.seconds >= 0:
            made.wait_at_most(self.seconds)
        return made

    def accept(self: Any) -> Any:
        fd, address = self.accept_one()
        return self._like(fd), self._named(address)

    def getsockname(self: Any) -> Any:
        return self._named(self.name(False))

    def getpeername(self: Any) -> Any:
        return self._named(self.name(True))

    def recvfrom(self: Any, bufsize: int, flags: int = 0, /) -> Any:
        if bufsize < 0:
            raise ValueError("negative buffersize in recvfrom")
        if self._type != socket.SOCK_DGRAM:
            raise NotImplementedError("recvfrom() of a socket that is not SOCK_DGRAM")
        data, address = self.receive_from(bufsize, int(flags))
        return data, self._sender(address)
