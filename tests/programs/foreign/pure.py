"""Modules of the standard library in their pure-Python form."""

from __future__ import annotations

import importlib.util
import sys
import types
from unittest import mock


def pure_module(name: str, *accelerators: str) -> types.ModuleType:
    """A fresh copy of module ``name``, run from its installed source with the C modules it
    would replace itself by out of reach."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with mock.patch.dict(sys.modules, dict.fromkeys(accelerators)):
        spec.loader.exec_module(module)
    return module
