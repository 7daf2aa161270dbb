"""pyparsing==3.3.3: a grammar of sums."""

from pyparsing import Forward, Word, infix_notation, nums, one_of, opAssoc


def main():
    number = Word(nums).set_parse_action(lambda tokens: int(tokens[0]))
    expression = infix_notation(
        number, [(one_of("* /"), 2, opAssoc.LEFT), (one_of("+ -"), 2, opAssoc.LEFT)]
    )
    for text in ("1 + 2", "2 * (3 + 4) - 5"):
        print(expression.parse_string(text).as_list())
    print(Forward)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
