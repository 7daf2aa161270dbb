"""A graph as a picture: its blocks one below the other, with the jumps beside them.

::

      +--> [b1(i):          ]
      |    [    ... goto b2 ]  |
      |    [b2():           ] <+
      +--- [    ... goto b1 ]
"""

from __future__ import annotations

import html

from rpython.translator.ir.records import dataclass

_CHAR, _LINE = 7.25, 17
"""What a character and a line take, in the units of the picture."""
_PAD, _GAP, _LANE, _TOP = 8, 14, 10, 40

_STYLE = """\
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1d2430; \
white-space: pre; }
.head { font-weight: bold; } .name { fill: #6b7686; }
.block { fill: #ffffff; stroke: #c5ccd6; } .top { fill: #eef1f5; }
.edge { fill: none; stroke: #8b97a8; stroke-width: 1.3; } .tip { fill: #8b97a8; }
.back { stroke: #c2571a; } .tip.back { fill: #c2571a; stroke: none; }"""


@dataclass(frozen=True, slots=True)
class Box:
    """A block: its lines, and the labels of those to which it leads."""

    label: str
    lines: list[str]
    targets: list[str]


@dataclass(frozen=True, slots=True)
class _Edge:
    start: int
    end: int
    lane: int = 0

    @property
    def kind(self) -> str:
        return " back" if self.end <= self.start else ""


def drawing(heading: str, boxes: list[Box]) -> str:
    """The text of the picture."""
    edges = _in_lanes(_edges(boxes))
    left = _PAD * 2 + _LANE * (1 + max((edge.lane for edge in edges), default=0))
    longest = max((len(line) for box in boxes for line in box.lines), default=0)
    width = int(longest * _CHAR) + 2 * _PAD
    tops: list[int] = []
    y = _TOP
    for box in boxes:
        tops.append(y)
        y += len(box.lines) * _LINE + _PAD + _GAP
    parts = [_text(_PAD, 24, heading, "name")]
    for box, top in zip(boxes, tops):
        parts += _box(box, left, top, width)
    bottoms = [top + len(box.lines) * _LINE + _PAD for box, top in zip(boxes, tops)]
    for edge in edges:
        parts += _arrow(edge, left, tops, bottoms)
    whole = max(left + width, int(len(heading) * _CHAR) + _PAD) + _PAD
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{y}"'
        f' viewBox="0 0 {whole} {y}">\n<style>{_STYLE}</style>\n'
        f'<rect width="{whole}" height="{y}" fill="#ffffff"/>\n'
        + "".join(f"{part}\n" for part in parts)
        + "</svg>\n"
    )


def _edges(boxes: list[Box]) -> list[_Edge]:
    number = {box.label: i for i, box in enumerate(boxes)}
    return [
        _Edge(i, number[target])
        for i, box in enumerate(boxes)
        for target in dict.fromkeys(box.targets)
        if target in number
    ]


def _in_lanes(edges: list[_Edge]) -> list[_Edge]:
    """Each with a lane in which it crosses no other; short ones are the nearest to the blocks.
    Lane 0 is of those to the next block, which go straight down."""
    result: list[_Edge] = []
    lanes: list[list[tuple[int, int]]] = []
    for edge in sorted(edges, key=lambda edge: (abs(edge.end - edge.start), edge.start)):
        if edge.end == edge.start + 1:
            result.append(edge)
            continue
        low, high = sorted((edge.start, edge.end))
        free = [
            number for number, lane in enumerate(lanes)
            if all(high < first or last < low for first, last in lane)
        ] or [len(lanes)]  # fmt: skip
        if free[0] == len(lanes):
            lanes.append([])
        lanes[free[0]].append((low, high))
        result.append(_Edge(edge.start, edge.end, free[0] + 1))
    return result


def _box(box: Box, x: int, y: int, width: int) -> list[str]:
    height = len(box.lines) * _LINE + _PAD
    result = [
        f'<rect class="block" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>',
        f'<rect class="top" x="{x + 1}" y="{y + 1}" width="{width - 2}" height="{_LINE + 2}"'
        ' rx="4"/>',
    ]
    for number, line in enumerate(box.lines):
        kind = "head" if number == 0 else ""
        result.append(_text(x + _PAD, y + 14 + number * _LINE, line, kind))
    return result


def _text(x: int, y: int, text: str, kind: str) -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{x}" y="{y}"{name} xml:space="preserve">{html.escape(text)}</text>'


def _arrow(edge: _Edge, left: int, tops: list[int], bottoms: list[int]) -> list[str]:
    if edge.lane == 0:
        x, start, end = left + 14, bottoms[edge.start], tops[edge.end]
        path = f"M{x} {start}V{end - 5}"
        tip = f"{x},{end} {x - 3.5},{end - 6} {x + 3.5},{end - 6}"
    else:
        x = left - _PAD - edge.lane * _LANE
        start, end = bottoms[edge.start] - 10, tops[edge.end] + 10
        turn = 4 if end > start else -4
        path = (
            f"M{left} {start}H{x + 4}Q{x} {start} {x} {start + turn}"
            f"V{end - turn}Q{x} {end} {x + 4} {end}H{left - 5}"
        )
        tip = f"{left},{end} {left - 6},{end - 3.5} {left - 6},{end + 3.5}"
    return [
        f'<path class="edge{edge.kind}" d="{path}"/>',
        f'<polygon class="tip{edge.kind}" points="{tip}"/>',
    ]
