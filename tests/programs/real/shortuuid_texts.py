"""shortuuid==1.0.13 --int=big: short texts of UUIDs."""

import uuid

import shortuuid


def main():
    u = uuid.UUID("6ae4a6c1-1d5a-4b3c-9c8f-0123456789ab")
    text = shortuuid.encode(u)
    print(text, shortuuid.decode(text) == u, shortuuid.uuid(name="example.com"))
    print(len(shortuuid.uuid()), len(shortuuid.random(length=10)))
    print(shortuuid.ShortUUID(alphabet="0123456789abcdef").encode(u))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
