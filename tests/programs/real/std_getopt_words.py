"""getopt: options as C has them."""

import getopt


def main():
    print(getopt.getopt(["-a", "-b", "x", "--name=y", "rest"], "ab:", ["name="]))
    try:
        getopt.getopt(["-z"], "a")
    except getopt.GetoptError as error:
        print(error, error.opt)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
