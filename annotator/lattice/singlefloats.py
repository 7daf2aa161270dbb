"""The annotation of ``r_singlefloat``: a 32-bit float to be stored, not computed with."""

from __future__ import annotations

from rpython.annotator.lattice.model import K_SINGLEFLOAT, SomeObject


class SomeSingleFloat(SomeObject):
    __slots__ = ()
    kinds = K_SINGLEFLOAT

    def describe(self) -> str:
        return "r_singlefloat"


s_SingleFloat = SomeSingleFloat()
