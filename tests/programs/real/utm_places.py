"""utm==0.8.1: coordinates of maps."""

import utm


def main():
    for latitude, longitude in [(51.2, 7.5), (-34.9, -56.2), (40.71435, -74.00597)]:
        east, north, number, letter = utm.from_latlon(latitude, longitude)
        back = utm.to_latlon(east, north, number, letter)
        print(round(east, 3), round(north, 3), number, letter, [round(x, 6) for x in back])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
