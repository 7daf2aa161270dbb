"""polyline==2.0.4: lines of coordinates as text."""

import polyline


def main():
    line = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
    text = polyline.encode(line, 5)
    print(text, polyline.decode(text), polyline.decode("_p~iF~ps|U_ulLnnqC", 5))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
