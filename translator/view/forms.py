"""One graph as text, for Graphviz, as a picture, or for other programs: ``rpython show --format``.

JSON has the lines of each block with their places; what is not known is null::

    {"function": "total", "stage": "lowlevel", "heading": "graph total(...) -> Signed {",
     "blocks": [{"label": "b0", "lines": [
        {"text": "v1 = int_add(result, 1)", "file": "app.py", "line": 3, "column": 12,
         "end_line": 3, "end_column": 22, "leads_to": []}]}]}
"""

from __future__ import annotations

import json
from dataclasses import field
from typing import Any, Literal, get_args

from rpython.lltypesystem.text import TextEnv
from rpython.translator.commandline.findings import place_in_json
from rpython.translator.ir.model import FunctionGraph
from rpython.translator.ir.printer import is_high_level
from rpython.translator.ir.records import dataclass
from rpython.translator.ir.span import Span
from rpython.translator.view.stages import NOWHERE, History, Stage, Table
from rpython.translator.view.svg import Box, drawing

Format = Literal["text", "dot", "svg", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(slots=True)
class _Block:
    label: str
    lines: list[int] = field(default_factory=list)


def formatted(name: str, history: History, stage: Stage, files: Table, form: Format) -> str:
    """A stage of the function of that name; ``files``: those that its places are in."""
    if form == "text":
        return history.text(stage)
    if form == "json":
        return json.dumps(_data(name, history, stage, files), indent=2) + "\n"
    heading, boxes = _boxes(history, stage)
    return drawing(heading, boxes) if form == "svg" else _dot(name, boxes)


def graph_as(graph: FunctionGraph, form: Format, stage: str = "") -> str:
    """A graph as it is, in one of the forms.  ``stage``: what to call that."""
    files = Table()
    history = History(files)
    env = None if is_high_level(graph) else TextEnv()
    history.add(stage or graph.stage, graph, env)
    return formatted(graph.name, history, history.stages[0], files, form)


def _blocks(history: History, stage: Stage) -> tuple[str, list[_Block]]:
    """The first line, and the blocks."""
    lines = history.lines()
    heading, blocks = "", list[_Block]()
    for number in stage.lines:
        text, _, label, _ = lines[number]
        if label:
            blocks.append(_Block(label))
        if blocks and text != "}":
            blocks[-1].lines.append(number)
        elif not blocks:
            heading = text
    return heading, blocks


def _boxes(history: History, stage: Stage) -> tuple[str, list[Box]]:
    lines = history.lines()
    heading, blocks = _blocks(history, stage)
    boxes = [
        Box(
            block.label,
            [lines[number][0] for number in block.lines],
            [target for number in block.lines for target in lines[number][3]],
        )
        for block in blocks
    ]
    return heading.removesuffix(" {"), boxes


def _data(name: str, history: History, stage: Stage, files: Table) -> dict[str, Any]:
    lines, spans, names = history.lines(), history.spans(), files.things()

    def line(number: int) -> dict[str, Any]:
        text, place, _, targets = lines[number]
        span = None
        if place != NOWHERE:
            file, *where, _, _ = spans[place]
            span = Span(names[file], *where)
        return {"text": text.strip(), **place_in_json(span), "leads_to": list(targets)}

    heading, blocks = _blocks(history, stage)
    shown = [{"label": block.label, "lines": list(map(line, block.lines))} for block in blocks]
    return {"function": name, "stage": stage.name, "heading": heading, "blocks": shown}


def _dot(name: str, boxes: list[Box]) -> str:
    known = {box.label for box in boxes}
    result = [f"digraph {_quoted(name)} {{", '    node [shape=box, fontname="monospace"];']
    for box in boxes:
        label = "".join(f"{line}\n" for line in box.lines)
        result.append(f"    {box.label} [label={_quoted(label)}];")
    for box in boxes:
        targets = [target for target in dict.fromkeys(box.targets) if target in known]
        result += [f"    {box.label} -> {target};" for target in targets]
    return "\n".join([*result, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
    return f'"{escaped}"'
