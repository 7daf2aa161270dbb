"""What programs get in place of the functions of ``os`` about limits of the system, groups of users
and times of processes."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lltypesystem import systemtable
from rpython.rlib._system import checked, checked_no_path


def _number_of(names: dict[str, int], setting: str | int) -> int:
    if isinstance(setting, str):
        if setting not in names:
            raise ValueError("unrecognized configuration name")
        return names[setting]
    return setting


def sysconf(setting: str | int) -> int:
    return int(checked_no_path(systemtable.system_limit(_number_of(os.sysconf_names, setting))))


def pathconf(path: str, setting: str | int) -> int:
    number = _number_of(os.pathconf_names, setting)
    return int(checked(systemtable.path_limit(path, number), path))


def fpathconf(fd: int, setting: str | int) -> int:
    return int(checked_no_path(systemtable.fd_limit(fd, _number_of(os.pathconf_names, setting))))


def confstr(setting: str | int) -> str | None:
    found = checked_no_path(systemtable.system_text(_number_of(os.confstr_names, setting)))
    return found[1:] if found else None


def getgroups() -> list[int]:
    return [int(group) for group in checked_no_path(systemtable.group_numbers()).split()]


def setgroups(groups: list[int]) -> None:
    for group in groups:
        if not 0 <= group < 1 << 32:
            raise OverflowError("group id is out of range")
    numbers = "".join([str(group) + " " for group in groups])
    systemtable.set_group_numbers(numbers, len(groups))


class TimesResult:
    """What ``os.times`` gives."""

    def __init__(self, parts: list[float]) -> None:
        self.user, self.system, self.children_user = parts[0], parts[1], parts[2]
        self.children_system, self.elapsed = parts[3], parts[4]
        self._parts = parts

    def __len__(self) -> int:
        return 5

    def __getitem__(self, index: int) -> float:
        if not -5 <= index < 5:
            raise IndexError("tuple index out of range")
        return self._parts[index]

    def __iter__(self) -> Iterator[float]:
        return iter(self._parts)


def times() -> TimesResult:
    ticks = [int(part) for part in checked_no_path(systemtable.process_times()).split(" ")]
    return TimesResult([float(part) / ticks[5] for part in ticks[:5]])
