"""Drives the standard library's colorsys: ``colours.py``."""

from __future__ import annotations

import colorsys
import sys


def entry_point(argv: list[str]) -> int:
    for i in range(28):
        r, g, b = i % 3 / 2, i // 3 % 3 / 2, i // 9 % 3 / 2.5
        y, i1, q = colorsys.rgb_to_yiq(r, g, b)
        h, light, s = colorsys.rgb_to_hls(r, g, b)
        h2, s2, v = colorsys.rgb_to_hsv(r, g, b)
        print(y, i1, q, h, light, s, h2, s2, v)
        print(colorsys.yiq_to_rgb(y, i1, q))
        print(colorsys.hls_to_rgb(h, light, s), colorsys.hsv_to_rgb(h2, s2, v))
    return 0


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
