"""Huffman coding and run-length encoding."""
import heapq
from collections import Counter
from dataclasses import dataclass
from itertools import count, groupby
from typing import Optional, Union


@dataclass
class Leaf:
    symbol: str
    weight: int


@dataclass
class Node:
    left: Union["Node", Leaf]
    right: Union["Node", Leaf]

    @property
    def weight(self):
        return self.left.weight + self.right.weight


def build_tree(text) -> Optional[Union[Node, Leaf]]:
    tie = count()
    heap = [(n, next(tie), Leaf(s, n)) for s, n in sorted(Counter(text).items())]
    heapq.heapify(heap)
    while len(heap) > 1:
        w1, _, a = heapq.heappop(heap)
        w2, _, b = heapq.heappop(heap)
        heapq.heappush(heap, (w1 + w2, next(tie), Node(a, b)))
    return heap[0][2] if heap else None


def codes(tree, prefix=""):
    if isinstance(tree, Leaf):
        return {tree.symbol: prefix or "0"}
    table = codes(tree.left, prefix + "0")
    table.update(codes(tree.right, prefix + "1"))
    return table


class Huffman:
    def __init__(self, sample):
        self.tree = build_tree(sample)
        self.table = codes(self.tree)
        self.reverse = {v: k for k, v in self.table.items()}

    def encode(self, text):
        return "".join(self.table[c] for c in text)

    def decode(self, bits):
        out, current = [], ""
        for bit in bits:
            current += bit
            if current in self.reverse:
                out.append(self.reverse[current])
                current = ""
        if current:
            raise ValueError(f"trailing bits {current!r}")
        return "".join(out)


def pack(bits):
    padded = bits + "0" * (-len(bits) % 8)
    return bytes(int(padded[i:i + 8], 2) for i in range(0, len(padded), 8))


def unpack(data, nbits):
    return "".join(f"{byte:08b}" for byte in data)[:nbits]


def rle(text):
    return "".join(f"{len(list(g))}{c}" if len(list(g2)) > 1 else c for c, g, g2 in
                   ((c, s, s) for c, s in ((c, "".join(g)) for c, g in groupby(text))))


def unrle(text):
    out = ""
    digits = ""
    for c in text:
        if c.isdigit():
            digits += c
        else:
            out += c * int(digits or 1)
            digits = ""
    return out


def main():
    text = "she sells sea shells by the sea shore"
    h = Huffman(text)
    for symbol, code in sorted(h.table.items(), key=lambda kv: (len(kv[1]), kv[1]))[:6]:
        print(repr(symbol), code)
    bits = h.encode(text)
    print(len(bits), "bits instead of", len(text) * 8, f"({len(bits) / (len(text) * 8):.1%})")
    data = pack(bits)
    print(data[:8].hex(), len(data))
    print(h.decode(unpack(data, len(bits))) == text)
    print(h.tree.weight == len(text), type(h.tree).__name__)
    print(Huffman("aaaa").table, build_tree(""))
    try:
        h.decode(bits[:-1])
    except ValueError:
        print("truncated")
    try:
        h.encode("xyz!")
    except KeyError as e:
        print("no code for", e)
    s = "WWWWBBBWWCDDDDDDDDDD"
    print(rle(s), unrle(rle(s)) == s)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
