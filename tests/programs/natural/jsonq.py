"""A jq-like query tool over JSON documents."""
import io
import json
import re
import sys
from typing import Any, Callable, Iterator, List, Union

JSON = Union[None, bool, int, float, str, list, dict]

DOC = """
{"name": "Shop", "open": true, "rating": 4.5, "tags": ["a", "b", "c"],
 "items": [{"sku": "x1", "price": 9.99, "qty": 3, "dims": {"w": 1, "h": 2}},
           {"sku": "y2", "price": 20, "qty": 0, "dims": null},
           {"sku": "z3", "price": 1.25, "qty": 100, "dims": {"w": 5.5, "h": 0}}]}
"""

TOKEN = re.compile(r"""\s*(?:(?P<field>\.[A-Za-z_]\w*)|(?P<iter>\[\])|\[(?P<index>-?\d+)\]|(?P<pipe>\|)
                       |(?P<func>[a-z]\w*)(?:\((?P<arg>[^)]*)\))?|(?P<dot>\.))""", re.VERBOSE)


class QueryError(ValueError):
    def __init__(self, message: str, pos: int = -1):
        super().__init__(message)
        self.pos = pos


Step = Callable[[JSON], Iterator[JSON]]


def field_step(name: str) -> Step:
    def step(value):
        if value is None:
            yield None
        elif isinstance(value, dict):
            yield value.get(name)
        else:
            raise QueryError(f"cannot index {type(value).__name__} with {name!r}")
    return step


def index_step(i: int) -> Step:
    def step(value):
        if not isinstance(value, list):
            raise QueryError(f"cannot index {type(value).__name__} with {i}")
        yield value[i] if -len(value) <= i < len(value) else None
    return step


def iter_step(value):
    if isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        yield from value
    else:
        raise QueryError(f"cannot iterate over {json.dumps(value)}")


def fn_length(value):
    yield 0 if value is None else abs(value) if isinstance(value, (int, float)) else len(value)


def fn_keys(value):
    yield sorted(value) if isinstance(value, dict) else list(range(len(value)))


def fn_type(value):
    names = {type(None): "null", bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    yield names[type(value)]


FUNCTIONS: dict = {"length": fn_length, "keys": fn_keys, "type": fn_type}


def select_step(arg: str) -> Step:
    m = re.fullmatch(r"\.(\w+)\s*(==|!=|<=|>=|<|>)\s*(.+)", arg.strip())
    if not m:
        raise QueryError(f"bad condition: {arg}")
    name, operator, literal = m.groups()
    wanted = json.loads(literal)
    tests = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
             ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
    test = tests[operator]

    def step(value):
        if test(value[name], wanted):
            yield value
    return step


def compile_query(text: str) -> List[Step]:
    steps: List[Step] = []
    pos = 0
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise QueryError(f"syntax error at {text[pos:]!r}", pos)
        pos = m.end()
        if m["field"]:
            steps.append(field_step(m["field"][1:]))
        elif m["iter"]:
            steps.append(iter_step)
        elif m["index"] is not None:
            steps.append(index_step(int(m["index"])))
        elif m["func"]:
            if m["func"] == "select":
                steps.append(select_step(m["arg"] or ""))
            elif m["func"] in FUNCTIONS:
                steps.append(FUNCTIONS[m["func"]])
            else:
                raise QueryError(f"unknown function {m['func']}", m.start("func"))
    return steps


def run(steps: List[Step], value: Any) -> Iterator[Any]:
    if not steps:
        yield value
        return
    first, *rest = steps
    for v in first(value):
        yield from run(rest, v)


def main() -> int:
    doc = json.load(io.StringIO(DOC))
    failures = 0
    for query in [".name", ".rating", ".items[] | .sku", ".items[0]", ".items[].dims.w", ".tags[-1]", ".tags | length",
                  ".items[1] | keys", ".items[] | select(.price < 10) | .sku", ".[] | type", ".name[0]", ".bogus.more",
                  ".open | length", ".items[] | select(price)", "frob", ".items[] | .qty | length", ".a $"]:
        try:
            results = [json.dumps(v, sort_keys=True) for v in run(compile_query(query), doc)]
            print(f"{query:<42} {' '.join(results)}")
        except QueryError as e:
            failures += 1
            print(f"{query:<42} ! {e} ({e.pos})")
        except TypeError as e:
            failures += 1
            print(f"{query:<42} type error: {e}")
    return failures


if __name__ == "__main__":
    sys.exit(main())
