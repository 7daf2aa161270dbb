"""sched: events in their order."""

import sched

CLOCK = [0]


def wait(amount):
    CLOCK[0] += amount


def main():
    scheduler = sched.scheduler(lambda: CLOCK[0], wait)
    scheduler.enter(5, 1, print, argument=("five",))
    scheduler.enter(2, 1, print, argument=("two",))
    scheduler.run()
    print(CLOCK[0])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
