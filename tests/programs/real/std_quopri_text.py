"""quopri: quoted printable text."""

import quopri


def main():
    packed = quopri.encodestring("héllo = wörld".encode())
    print(packed, quopri.decodestring(packed).decode())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
