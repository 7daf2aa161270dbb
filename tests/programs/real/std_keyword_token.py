"""keyword and token."""

import keyword
import token


def main():
    print(keyword.iskeyword("for"), keyword.issoftkeyword("match"), len(keyword.kwlist) > 30)
    print(
        token.tok_name[token.NAME],
        token.ISEOF(0),
        token.ISTERMINAL(300),
        token.EXACT_TOKEN_TYPES["=="] == token.EQEQUAL,
    )


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
