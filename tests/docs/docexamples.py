"""The Python code of a page of the documentation."""

import sys
import types
from linecache import cache
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def load(page: str) -> types.ModuleType:
    """All the code of the page as one module, its lines where they are in the page."""
    path = DOCS / page
    code, inside = [], False
    for line in path.read_text().splitlines():
        fence = line.startswith("```")
        inside = line == "```python" if fence else inside
        code.append("" if fence or not inside else line)
    source = "\n".join(code) + "\n"
    cache[str(path)] = (len(source), None, source.splitlines(keepends=True), str(path))
    module = types.ModuleType(f"{path.stem}_examples")
    sys.modules[module.__name__] = module
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module
