import argparse
import logging
import sys

logger = logging.getLogger("tool")


def setup(verbose):
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("[%(levelname)s] %(funcName)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG if verbose else logging.WARNING)


def divide(a, b):
    logger.debug("divide(%r, %r)", a, b)
    try:
        return a / b
    except ZeroDivisionError:
        logger.exception("division failed")
        return None


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)
    setup(args.verbose)
    print(divide(7, 2))
    logger.warning("about to try something silly")
    child = logger.getChild("sub")
    child.critical("child says %s", "hello")
    print(child.name, child.getEffectiveLevel())
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
