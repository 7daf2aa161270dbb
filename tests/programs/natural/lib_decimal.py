from decimal import Decimal, ROUND_HALF_UP, getcontext


def total(prices, rate):
    subtotal = sum((Decimal(p) for p in prices), Decimal("0"))
    tax = (subtotal * rate).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return subtotal, tax, subtotal + tax


def compound(principal, rate, years):
    amount = principal
    for _ in range(years):
        amount *= 1 + rate
    return amount.quantize(Decimal("0.01"))


def main():
    subtotal, tax, grand = total(["19.99", "5.01", "0.10"], Decimal("0.075"))
    print(f"subtotal {subtotal}  tax {tax}  total {grand:>10.2f}")
    print(Decimal("0.1") + Decimal("0.2") == Decimal("0.3"))
    print(compound(Decimal("1000"), Decimal("0.05"), 10))
    getcontext().prec = 30
    print(Decimal(1) / Decimal(7))
    print(Decimal(2).sqrt())
    print(repr(Decimal("1E+3")), Decimal("-0.00"), Decimal("3.14").as_tuple())
    print(sorted([Decimal("2.5"), Decimal("-1"), Decimal(3)]))
    print(int(Decimal("12.9")), float(Decimal("0.5")), Decimal("7") // 2, Decimal("7") % 2)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
