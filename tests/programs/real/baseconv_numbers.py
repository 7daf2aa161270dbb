"""python-baseconv==1.2.2: numbers in other bases."""

import baseconv


def main():
    for number in (0, 7, 1234567, -255):
        text = baseconv.base62.encode(number)
        print(text, baseconv.base62.decode(text))
        print(baseconv.base2.encode(number), baseconv.base16.encode(number))
    print(baseconv.BaseConverter("abc"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
