"""A toy bank with accounts, transactions and statements."""
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import List, Optional


class Kind(Enum):
    DEPOSIT = "deposit"
    WITHDRAWAL = "withdrawal"
    TRANSFER_IN = "transfer in"
    TRANSFER_OUT = "transfer out"
    INTEREST = "interest"


class BankError(Exception):
    """Base class of everything that can go wrong."""


class InsufficientFunds(BankError):
    def __init__(self, account, amount):
        super().__init__(f"{account.owner} cannot withdraw {amount}: balance is {account.balance}")
        self.account = account
        self.amount = amount


class UnknownAccount(BankError, KeyError):
    pass


@dataclass
class Transaction:
    when: date
    kind: Kind
    amount: Decimal
    note: str = ""

    def __str__(self):
        sign = "-" if self.kind in (Kind.WITHDRAWAL, Kind.TRANSFER_OUT) else "+"
        return f"{self.when:%Y-%m-%d} {self.kind.value:<13}{sign}{self.amount:>10} {self.note}".rstrip()


@dataclass
class Account:
    number: int
    owner: str
    balance: Decimal = Decimal("0.00")
    history: List[Transaction] = field(default_factory=list)

    def record(self, when, kind, amount, note=""):
        self.history.append(Transaction(when, kind, amount, note))

    def deposit(self, amount, when):
        if amount <= 0:
            raise ValueError("deposit must be positive")
        self.balance += amount
        self.record(when, Kind.DEPOSIT, amount)

    def withdraw(self, amount, when):
        if amount > self.available():
            raise InsufficientFunds(self, amount)
        self.balance -= amount
        self.record(when, Kind.WITHDRAWAL, amount)

    def available(self):
        return self.balance

    def statement(self):
        print(f"Statement for {self.owner} (#{self.number:05d})")
        for t in self.history:
            print("  ", t, sep="")
        print(f"  balance: {self.balance:,}")


@dataclass
class Savings(Account):
    rate: Decimal = Decimal("0.02")

    def add_interest(self, when):
        interest = (self.balance * self.rate).quantize(Decimal("0.01"))
        self.balance += interest
        self.record(when, Kind.INTEREST, interest, note=f"{self.rate:.1%}")


@dataclass
class Checking(Account):
    overdraft: Decimal = Decimal("100")

    def available(self):
        return self.balance + self.overdraft


class Bank:
    def __init__(self):
        self._accounts = {}
        self._next = 1

    def open(self, cls, owner, **options):
        account = cls(number=self._next, owner=owner, **options)
        self._accounts[account.number] = account
        self._next += 1
        return account

    def __getitem__(self, number):
        try:
            return self._accounts[number]
        except KeyError:
            raise UnknownAccount(number) from None

    def transfer(self, src, dst, amount, when):
        source, target = self[src], self[dst]
        if amount > source.available():
            raise InsufficientFunds(source, amount)
        source.balance -= amount
        target.balance += amount
        source.record(when, Kind.TRANSFER_OUT, amount, note=f"to {target.owner}")
        target.record(when, Kind.TRANSFER_IN, amount, note=f"from {source.owner}")

    @property
    def total(self):
        return sum(a.balance for a in self._accounts.values())

    def find(self, owner) -> Optional[Account]:
        return next((a for a in self._accounts.values() if a.owner == owner), None)


def main():
    bank = Bank()
    day = date(2024, 2, 27)
    alice = bank.open(Savings, "Alice", rate=Decimal("0.035"))
    bob = bank.open(Checking, "Bob")
    alice.deposit(Decimal("1250.50"), day)
    bob.deposit(Decimal("80"), day + timedelta(days=1))
    bank.transfer(1, 2, Decimal("200.25"), day + timedelta(days=2))
    bob.withdraw(Decimal("300"), day + timedelta(days=3))
    alice.add_interest(day + timedelta(days=30))
    for attempt in (
        lambda: bob.withdraw(Decimal("500"), day),
        lambda: bank.transfer(1, 9, Decimal("1"), day),
        lambda: alice.deposit(Decimal("-5"), day),
    ):
        try:
            attempt()
        except BankError as e:
            print(type(e).__name__, "->", e)
        except ValueError as e:
            print("bad value:", e)
    alice.statement()
    bob.statement()
    print("total:", bank.total)
    print(bank.find("Bob") is bob, bank.find("Carol"))
    print(alice.history[0])
    print(repr(alice.history[-1]))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
