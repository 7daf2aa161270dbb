"""codecs: text in other encodings."""

import codecs
import io


def main():
    for name in ["utf-8", "utf-16-le", "cp1252", "koi8-r", "no-such-codec"]:
        try:
            print(name, "naïve €".encode(name, "replace"), codecs.lookup(name).name)
        except LookupError as error:
            print(error)
    decoder = codecs.getincrementaldecoder("utf-8")()
    print([decoder.decode(bytes([byte])) for byte in "é€".encode()])
    print(codecs.getreader("latin-1")(io.BytesIO(b"caf\xe9\nend")).readlines())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
