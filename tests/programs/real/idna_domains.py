"""idna==3.20: names of domains in ASCII and back."""

import idna


def main():
    for name in ("ドメイン.テスト", "faß.de", "bücher.example", "plain.org"):
        encoded = idna.encode(name)
        print(name, encoded, idna.decode(encoded))
    try:
        idna.encode("Königsgäßchen")
    except idna.IDNAError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
