"""Library loans: inventory, members, fines and reports."""
from __future__ import annotations

import datetime
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(order=True)
class Book:
    title: str
    author: str = field(compare=False)
    year: int = field(compare=False)
    isbn: str = field(compare=False, repr=False, default="")
    tags: set[str] = field(default_factory=set, compare=False, repr=False)


@dataclass
class Loan:
    book: Book
    member: str
    out: datetime.date
    due: datetime.date
    returned: datetime.date | None = None

    @property
    def is_open(self):
        return self.returned is None

    def fine(self, today, per_day=0.25):
        end = self.returned or today
        late = (end - self.due).days
        return max(0, late) * per_day


class Library:
    loan_period = datetime.timedelta(days=14)
    max_loans = 2

    def __init__(self, name):
        self.name = name
        self.books: dict[str, Book] = {}
        self.loans: list[Loan] = []

    def add(self, *books):
        for book in books:
            self.books[book.title] = book

    def on_loan(self, title):
        return any(l.is_open and l.book.title == title for l in self.loans)

    def checkout(self, title, member, today):
        if title not in self.books:
            raise LookupError(f"no such book: {title!r}")
        if self.on_loan(title):
            raise RuntimeError(f"{title!r} is already on loan")
        active = [l for l in self.loans if l.member == member and l.is_open]
        if len(active) >= self.max_loans:
            raise RuntimeError(f"{member} has {len(active)} books already")
        loan = Loan(self.books[title], member, today, today + self.loan_period)
        self.loans.append(loan)
        return loan

    def give_back(self, title, today):
        for loan in self.loans:
            if loan.is_open and loan.book.title == title:
                loan.returned = today
                return loan.fine(today)
        raise LookupError(f"{title!r} was not on loan")

    def overdue(self, today):
        return sorted((l for l in self.loans if l.is_open and l.due < today), key=lambda l: l.due)

    def by_tag(self):
        index = defaultdict(list)
        for book in self.books.values():
            for tag in book.tags:
                index[tag].append(book)
        return {tag: sorted(books) for tag, books in sorted(index.items())}


def main():
    lib = Library("Town Library")
    lib.add(
        Book("Dune", "Frank Herbert", 1965, tags={"sf", "classic"}),
        Book("Emma", "Jane Austen", 1815, isbn="0-14-143958-0", tags={"classic"}),
        Book("Neuromancer", "William Gibson", 1984, tags={"sf", "cyberpunk"}),
        Book("Beloved", "Toni Morrison", 1987),
    )
    start = datetime.date(2023, 12, 20)
    events = [
        ("out", "Dune", "ann", 0),
        ("out", "Emma", "ann", 1),
        ("out", "Beloved", "ann", 2),
        ("out", "Dune", "ben", 3),
        ("in", "Dune", "ann", 20),
        ("out", "Dune", "ben", 21),
        ("in", "Ulysses", "ben", 22),
        ("out", "Ulysses", "ben", 22),
    ]
    for action, title, member, offset in events:
        today = start + datetime.timedelta(days=offset)
        try:
            if action == "out":
                loan = lib.checkout(title, member, today)
                print(f"{today}: {member} takes {title}, due {loan.due.strftime('%a %d %b %Y')}")
            else:
                fine = lib.give_back(title, today)
                print(f"{today}: {member} returns {title}, fine ${fine:.2f}")
        except (LookupError, RuntimeError) as e:
            print(f"{today}: refused ({e.__class__.__name__}): {e}")
    today = start + datetime.timedelta(weeks=6)
    print("overdue on", today.isoformat())
    for loan in lib.overdue(today):
        print(f"  {loan.book.title:<12} {loan.member:<5} {(today - loan.due).days:>3} days  ${loan.fine(today):6.2f}")
    for tag, books in lib.by_tag().items():
        print(f"{tag}: {', '.join(b.title for b in books)}")
    print(sorted(lib.books.values())[0])
    print(min(lib.books.values(), key=lambda b: b.year))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
