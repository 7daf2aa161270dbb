"""Terminal settings: ``termios`` of the system.

    settings = tcgetattr(0)
    tcsetattr(0, TCSANOW, settings)

Settings are a tuple: input, output, control and local flags, input and output speed, and a list
of the control characters, each a str of one character (up to U+00FF).
"""

from __future__ import annotations

import os
import termios as _host
from typing import Any

from rpython.lltypesystem.foreign.cdef import cdef

_c: Any = cdef(
    """
    struct termios {
        unsigned int c_iflag, c_oflag, c_cflag, c_lflag;
        unsigned char c_line;
        unsigned char c_cc[32];
        unsigned int c_ispeed, c_ospeed;
    };
    int tcgetattr(int fd, struct termios *);
    int tcsetattr(int fd, int when, const struct termios *);
    unsigned int cfgetispeed(const struct termios *);
    unsigned int cfgetospeed(const struct termios *);
    int cfsetispeed(struct termios *, unsigned int);
    int cfsetospeed(struct termios *, unsigned int);
    int tcsendbreak(int fd, int duration);
    int tcdrain(int fd);
    int tcflush(int fd, int queue);
    int tcflow(int fd, int action);
    """
)

NCCS = _host.NCCS
TCSANOW, TCSADRAIN, TCSAFLUSH = _host.TCSANOW, _host.TCSADRAIN, _host.TCSAFLUSH
TCIFLUSH, TCOFLUSH, TCIOFLUSH = _host.TCIFLUSH, _host.TCOFLUSH, _host.TCIOFLUSH
TCOOFF, TCOON, TCIOFF, TCION = _host.TCOOFF, _host.TCOON, _host.TCIOFF, _host.TCION
ECHO, ECHOE, ECHOK, ECHONL = _host.ECHO, _host.ECHOE, _host.ECHOK, _host.ECHONL
ICANON, ISIG, IEXTEN = _host.ICANON, _host.ISIG, _host.IEXTEN
IGNBRK, BRKINT, IGNPAR, PARMRK, INPCK, ISTRIP = (
    _host.IGNBRK, _host.BRKINT, _host.IGNPAR, _host.PARMRK, _host.INPCK, _host.ISTRIP
)  # fmt: skip
INLCR, IGNCR, ICRNL, IXON, IXANY, IXOFF = (
    _host.INLCR, _host.IGNCR, _host.ICRNL, _host.IXON, _host.IXANY, _host.IXOFF
)  # fmt: skip
OPOST, CSIZE, CS8, PARENB = _host.OPOST, _host.CSIZE, _host.CS8, _host.PARENB
VMIN, VTIME, VINTR, VEOF = _host.VMIN, _host.VTIME, _host.VINTR, _host.VEOF

Settings = tuple[int, int, int, int, int, int, list[str]]


def _check(status: int) -> None:
    if status != 0:
        number = _c.get_errno()
        raise OSError(number, os.strerror(number))


def tcgetattr(fd: int) -> Settings:
    """The settings of a terminal.  Raises OSError."""
    with _c.new("struct termios *") as t:
        _check(_c.tcgetattr(fd, t))
        characters = [chr(t.c_cc[i]) for i in range(NCCS)]
        return (
            t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag,
            _c.cfgetispeed(t), _c.cfgetospeed(t), characters,
        )  # fmt: skip


def tcsetattr(fd: int, when: int, attributes: Settings) -> None:
    """Change the settings of a terminal: at once, after what was written, ... (``TCSA...``).
    Raises OSError."""
    iflag, oflag, cflag, lflag, ispeed, ospeed, characters = attributes
    with _c.new("struct termios *") as t:
        _check(_c.tcgetattr(fd, t))
        t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag = iflag, oflag, cflag, lflag
        for i in range(len(characters)):
            t.c_cc[i] = ord(characters[i])
        _check(_c.cfsetispeed(t, ispeed))
        _check(_c.cfsetospeed(t, ospeed))
        _check(_c.tcsetattr(fd, when, t))


def tcsendbreak(fd: int, duration: int) -> None:
    """Send zeros for a while.  Raises OSError."""
    _check(_c.tcsendbreak(fd, duration))


def tcdrain(fd: int) -> None:
    """Wait until what was written is sent.  Raises OSError."""
    _check(_c.tcdrain(fd))


def tcflush(fd: int, queue_selector: int) -> None:
    """Drop what was not read, or not sent (``TCIFLUSH``, ...).  Raises OSError."""
    _check(_c.tcflush(fd, queue_selector))


def tcflow(fd: int, action: int) -> None:
    """Stop or go on (``TCOOFF``, ...).  Raises OSError."""
    _check(_c.tcflow(fd, action))
