"""pyperformance==1.11.0/pyflate pyperf==2.8.1: bits and Huffman tables."""

from run_benchmark import HuffmanTable, bwt_transform, code_length_orders, reverse_bits


def main():
    print(reverse_bits(0b1011, 4), [code_length_orders(i) for i in range(5)])
    print(bwt_transform([98, 97, 110]))
    table = HuffmanTable([(0, 3), (2, 2), (4, 0)])
    print(len(table.table))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
