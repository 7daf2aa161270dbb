"""optparse: options."""

from optparse import OptionParser


def main():
    parser = OptionParser(usage="usage: %prog [options]")
    parser.add_option("-f", "--file", dest="filename", help="write to FILE", metavar="FILE")
    parser.add_option("-q", action="store_false", dest="verbose", default=True)
    options, args = parser.parse_args(["-f", "out.txt", "-q", "rest"])
    print(options.filename, options.verbose, args)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
