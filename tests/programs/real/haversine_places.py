"""haversine==2.9.0: how far places are from one another."""

from haversine import Unit, haversine


def main():
    lyon, paris = (45.7597, 4.8422), (48.8567, 2.3508)
    print(round(haversine(lyon, paris), 6), round(haversine(lyon, paris, unit=Unit.MILES), 6))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
