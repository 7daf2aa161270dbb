"""natsort==8.4.0: names with numbers, sorted as people do."""

from natsort import natsorted, ns


def main():
    names = ["file10.txt", "file2.txt", "File1.txt", "file1.5.txt", "a1b20", "a1b3"]
    print(natsorted(names))
    print(natsorted(names, alg=ns.IGNORECASE))
    print(natsorted(["-5", "10", "3", "-12"], alg=ns.SIGNED))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
