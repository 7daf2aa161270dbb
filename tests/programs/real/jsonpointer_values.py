"""jsonpointer==3.0.0: a value in a document."""

from jsonpointer import JsonPointer, JsonPointerException, resolve_pointer


def main():
    document = {"foo": {"anArray": [{"prop": 44}], "a/b": "c"}}
    for pointer in ("/foo/anArray/0/prop", "/foo/a~1b", "/foo/missing"):
        try:
            print(resolve_pointer(document, pointer))
        except JsonPointerException as error:
            print(error)
    print(JsonPointer("/a/b/0").parts, JsonPointer("/a").contains(JsonPointer("/a/b")))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
