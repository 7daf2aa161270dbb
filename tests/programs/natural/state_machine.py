"""A traffic light and a vending machine as state machines."""
from enum import Enum, auto


class State(Enum):
    IDLE = auto()
    HAS_MONEY = auto()
    DISPENSING = auto()
    OUT_OF_ORDER = auto()

    def __str__(self):
        return self.name.lower().replace("_", " ")


class Event(Enum):
    COIN = "coin"
    SELECT = "select"
    REFUND = "refund"
    DONE = "done"
    KICK = "kick"


class InvalidTransition(Exception):
    def __init__(self, state, event):
        super().__init__(f"cannot handle {event.name} while {state}")
        self.state = state


class Machine:
    transitions = {}

    def __init__(self, initial):
        self.state = initial
        self.log = []

    def handle(self, event, **data):
        key = (self.state, event)
        if key not in self.transitions:
            raise InvalidTransition(self.state, event)
        target, action = self.transitions[key]
        if action:
            result = getattr(self, action)(**data)
            if isinstance(result, State):
                target = result
        self.log.append((self.state, event, target))
        self.state = target


class Vending(Machine):
    prices = {"cola": 150, "water": 100, "chips": 125}
    transitions = {
        (State.IDLE, Event.COIN): (State.HAS_MONEY, "add_coin"),
        (State.HAS_MONEY, Event.COIN): (State.HAS_MONEY, "add_coin"),
        (State.HAS_MONEY, Event.SELECT): (State.DISPENSING, "select"),
        (State.HAS_MONEY, Event.REFUND): (State.IDLE, "refund"),
        (State.DISPENSING, Event.DONE): (State.IDLE, "refund"),
        (State.IDLE, Event.KICK): (State.OUT_OF_ORDER, None),
    }

    def __init__(self):
        super().__init__(State.IDLE)
        self.credit = 0

    def add_coin(self, value):
        self.credit += value
        print(f"  credit {self.credit}")

    def select(self, item):
        price = self.prices.get(item)
        if price is None:
            print(f"  no {item} here")
            return State.HAS_MONEY
        if price > self.credit:
            print(f"  {item} costs {price}, have {self.credit}")
            return State.HAS_MONEY
        self.credit -= price
        print(f"  enjoy your {item}")

    def refund(self):
        if self.credit:
            print(f"  returned {self.credit}")
        self.credit = 0


class Light(Enum):
    GREEN = ("go", 30)
    YELLOW = ("slow", 5)
    RED = ("stop", 25)

    def __init__(self, meaning, seconds):
        self.meaning = meaning
        self.seconds = seconds

    def next(self):
        members = list(Light)
        return members[(members.index(self) + 1) % len(members)]


def main():
    m = Vending()
    script = [
        (Event.COIN, {"value": 100}),
        (Event.SELECT, {"item": "cola"}),
        (Event.COIN, {"value": 100}),
        (Event.SELECT, {"item": "soup"}),
        (Event.SELECT, {"item": "cola"}),
        (Event.DONE, {}),
        (Event.REFUND, {}),
        (Event.KICK, {}),
    ]
    for event, data in script:
        print(f"{m.state} <- {event.value}")
        try:
            m.handle(event, **data)
        except InvalidTransition as e:
            print("  !", e)
    print(m.state, m.state.value, repr(m.state))
    print(len(m.log), "transitions")
    visited = {target for _, _, target in m.log}
    print([s.name for s in State if s in visited])
    light, t = Light.GREEN, 0
    for _ in range(5):
        print(f"t={t:>3} {light.name:<6} {light.meaning}")
        t += light.seconds
        light = light.next()
    print(Event("refund"), State(2), Event["KICK"])
    try:
        Event("fly")
    except ValueError as e:
        print(e)


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
