"""colour==0.1.5: colours and their spaces."""

from colour import hex2rgb, hsl2rgb, rgb2hex, rgb2hsl, web2hex


def main():
    print(rgb2hex((0.0, 1.0, 0.0)), hex2rgb("#0f0"), web2hex("red"))
    print([round(x, 4) for x in rgb2hsl((0.2, 0.4, 0.6))], hsl2rgb((0.5, 1.0, 0.25)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
