"""python-stdnum==2.1: numbers with check digits."""

from stdnum import isbn, luhn, verhoeff
from stdnum.iso7064 import mod_11_2, mod_97_10


def main():
    print(luhn.is_valid("7894"), luhn.calc_check_digit("789"), verhoeff.calc_check_digit("12345"))
    print(
        isbn.validate("978-9024538270"),
        isbn.to_isbn13("1-85798-218-5"),
        isbn.is_valid("9789024538271"),
    )
    print(mod_11_2.calc_check_digit("0794"), mod_97_10.checksum("99991"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
