"""The items of formats of ``struct`` with C's sizes and alignment."""

from __future__ import annotations

from rpython.rlib.rstruct.standardfmttable import make_table
from rpython.rlib.rstruct.standardfmttable import native_is_bigendian as native_is_bigendian
from rpython.rlib.rstruct.standardfmttable import native_is_ieee754 as native_is_ieee754

native_fmttable = make_table("@", "xcbBspfd?hHiIlLqQP")
