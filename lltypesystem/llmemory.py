"""Pointers whose target type is left open."""

from __future__ import annotations

from lltypesystem.types import GcOpaqueType, Ptr

GCREF = Ptr(GcOpaqueType("GCREF"))
"""A pointer to any GC object; ``lltype.cast_opaque_ptr`` goes there and back."""
