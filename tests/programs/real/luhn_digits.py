"""luhn==0.2.0: check digits."""

import luhn


def main():
    for digits in ("356938035643809", "534618613411236", "4111111111111111"):
        print(digits, luhn.verify(digits), luhn.generate(digits), luhn.append(digits))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
