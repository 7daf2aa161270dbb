"""Simulate an elevator and a thermostat: physics with ints and floats."""
import math
from collections import deque
from dataclasses import dataclass
from statistics import mean


@dataclass
class Request:
    time: int
    origin: int
    target: int
    picked: int = -1
    dropped: int = -1

    @property
    def going_up(self):
        return self.target > self.origin


class Elevator:
    def __init__(self, floors, capacity=4):
        self.floors = floors
        self.capacity = capacity
        self.floor = 0
        self.direction = 0
        self.riders = []
        self.waiting = []
        self.finished = []
        self.distance = 0

    def request(self, r):
        if not (0 <= r.origin < self.floors and 0 <= r.target < self.floors):
            raise ValueError(f"no such floor in {r}")
        self.waiting.append(r)

    def stops(self):
        return {r.target for r in self.riders} | {r.origin for r in self.waiting}

    def step(self, now):
        for r in list(self.riders):
            if r.target == self.floor:
                r.dropped = now
                self.riders.remove(r)
                self.finished.append(r)
        for r in self.waiting[:]:
            if r.origin == self.floor and len(self.riders) < self.capacity:
                r.picked = now
                self.waiting.remove(r)
                self.riders.append(r)
        stops = self.stops() - {self.floor}
        if not stops:
            self.direction = 0
            return
        above = any(s > self.floor for s in stops)
        below = any(s < self.floor for s in stops)
        if self.direction == 0:
            nearest = min(stops, key=lambda s: (abs(s - self.floor), s))
            self.direction = 1 if nearest > self.floor else -1
        elif self.direction == 1 and not above or self.direction == -1 and not below:
            self.direction *= -1
        self.floor += self.direction
        self.distance += 1

    @property
    def idle(self):
        return not self.riders and not self.waiting


class Thermostat:
    def __init__(self, target, hysteresis=0.5):
        self.target = target
        self.hysteresis = hysteresis
        self.heating = False
        self.log = deque(maxlen=6)

    def update(self, temperature):
        if temperature < self.target - self.hysteresis:
            self.heating = True
        elif temperature > self.target + self.hysteresis:
            self.heating = False
        self.log.append(round(temperature, 1))
        return self.heating


def room(hours, thermostat, temperature=15):
    for minute in range(0, hours * 60, 10):
        outside = 5 + 5 * math.sin(2 * math.pi * minute / 1440)
        on = thermostat.update(temperature)
        temperature += (outside - temperature) * 0.02 + (0.6 if on else 0)
        if minute % 60 == 0:
            yield minute // 60, temperature, on


def main():
    lift = Elevator(10, capacity=2)
    plan = [Request(0, 0, 5), Request(1, 3, 0), Request(2, 7, 1), Request(2, 0, 9), Request(4, 5, 6)]
    pending = deque(sorted(plan, key=lambda r: r.time))
    now = 0
    trace = []
    while pending or not lift.idle:
        while pending and pending[0].time <= now:
            lift.request(pending.popleft())
        lift.step(now)
        trace.append(lift.floor)
        now += 1
    print("".join(map(str, trace)), f"{now} ticks, {lift.distance} floors travelled")
    for r in lift.finished:
        arrow = "up" if r.going_up else "down"
        print(f"{r.origin}->{r.target} {arrow:<5} waited {r.picked - r.time}, rode {r.dropped - r.picked}")
    waits = [r.picked - r.time for r in lift.finished]
    print("mean wait", mean(waits), "max", max(waits))
    try:
        lift.request(Request(0, 3, 12))
    except ValueError as e:
        print(e)
    t = Thermostat(20)
    for hour, temp, on in room(8, t):
        bar = "=" * int(temp)
        print(f"{hour:02d}:00 {temp:5.2f} {'*' if on else ' '} {bar}")
    print(list(t.log), math.floor(t.log[0]), math.ceil(t.log[-1]))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
