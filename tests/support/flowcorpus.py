"""The corpus of flow-graph functions: modules ``tests/corpus/flow_*.py``."""

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
CORPUS = TESTS / "corpus"
EXPECTED = CORPUS / "expected"

for _folder in (TESTS, CORPUS):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

MODULES = [importlib.import_module(path.stem) for path in sorted(CORPUS.glob("flow_*.py"))]


def functions(module: types.ModuleType) -> Iterator[tuple[str, types.FunctionType]]:
    """Names and functions of one corpus module, in order."""
    for name, value in vars(module).items():
        if hasattr(value, "runs") and isinstance(value, types.FunctionType):
            yield name, value


ALL = [(f"{module.__name__}.{name}", function)
       for module in MODULES for name, function in functions(module)]  # fmt: skip
