"""pyperformance==1.11.0/chaos pyperf==2.8.1: a fractal."""

from run_benchmark import Chaosgame, GVector, Spline


def main():
    points = [
        GVector(1.6, 0.3, 0.0),
        GVector(1.68, 0.6, 0.0),
        GVector(1.5, 0.9, 0.0),
        GVector(1.2, 0.9, 0.0),
    ]
    spline = Spline(points, 3, [0, 0, 0, 1, 1, 1])
    print(spline(0.3), len(spline))
    game = Chaosgame([spline], 0.25)
    print(game.num_total if hasattr(game, "num_total") else "")


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
