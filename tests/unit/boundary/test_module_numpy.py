"""Memory that numpy and native code share: both see what either of them writes."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from test_extension import build_native, load_native, load_source

numpy: Any = pytest.importorskip("numpy", reason="numpy is not installed")

SOURCE = '''
from __future__ import annotations


def scale(xs: memoryview[float], by: float) -> None:
    for i in range(len(xs)):
        xs[i] *= by


def total(xs: memoryview[int]) -> int:
    result = 0
    for x in xs:
        result += x
    return result


def squares(xs: memoryview[int]) -> None:
    for i in range(len(xs)):
        xs[i] = i * i


def ramp(data: bytes | bytearray | memoryview, step: int) -> bytes:
    return bytes([(byte + step * i) % 256 for i, byte in enumerate(data)])


class Mixer:
    def __init__(self, gain: float) -> None:
        self.gain = gain

    def mix(self, into: memoryview[float], xs: memoryview[float]) -> int:
        for i in range(min(len(into), len(xs))):
            into[i] += self.gain * xs[i]
        return len(xs)
'''


@pytest.fixture(scope="module", params=["source", "native"])
def module(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    path = tmp_path_factory.mktemp("arrays") / "arrays.py"
    path.write_text(SOURCE)
    if request.param == "source":
        return load_source(path, "arrays")
    return load_native(build_native(path, path.parent), "arrays")


@pytest.mark.parametrize("width", ["float64", "float32"])
def test_floats_are_written_in_place(module: ModuleType, width: str) -> None:
    xs = numpy.linspace(0.0, 3.0, 4, dtype=width)
    module.scale(memoryview(xs), 2.0)
    assert xs.tolist() == [0.0, 2.0, 4.0, 6.0]
    module.scale(memoryview(xs[1:3]), 0.5)
    assert xs.tolist() == [0.0, 1.0, 2.0, 6.0]


@pytest.mark.parametrize("width", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"])
def test_ints_of_any_width(module: ModuleType, width: str) -> None:
    xs = numpy.zeros(11, dtype=width)
    module.squares(memoryview(xs))
    assert xs.tolist() == [i * i for i in range(11)]
    assert module.total(memoryview(xs)) == 385


def test_bytes_of_native_code_become_an_array(module: ModuleType) -> None:
    data = numpy.arange(5, dtype="uint8")
    made = numpy.frombuffer(module.ramp(memoryview(data), 2), dtype="uint8")
    assert made.tolist() == [0, 3, 6, 9, 12]


def test_two_arrays_that_share_memory(module: ModuleType) -> None:
    xs = numpy.ones(4)
    assert module.Mixer(2.0).mix(memoryview(xs[1:]), memoryview(xs[:-1])) == 3
    assert xs.tolist() == [1.0, 3.0, 7.0, 15.0]


def test_what_is_not_in_one_piece_is_refused_or_read(module: ModuleType) -> None:
    xs = numpy.arange(6, dtype="int64")
    if hasattr(module.total, "__code__"):
        assert module.total(memoryview(xs[::2])) == 6
    else:
        with pytest.raises(BufferError):
            module.total(memoryview(xs[::2]))


def test_read_only_arrays_stay_as_they_are(module: ModuleType) -> None:
    xs = numpy.ones(3)
    xs.flags.writeable = False
    with pytest.raises(TypeError, match="cannot modify read-only memory"):
        module.scale(memoryview(xs), 2.0)
    assert xs.tolist() == [1.0, 1.0, 1.0]
