"""mimetypes: the types of files by their names."""

import mimetypes


def main():
    for name in ["a.html", "b.tar.gz", "c.png", "d.unknownx", "x.json"]:
        print(mimetypes.guess_type(name))
    print(mimetypes.guess_extension("text/html"), mimetypes.guess_all_extensions("image/jpeg"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
