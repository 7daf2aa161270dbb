"""tokenize: the tokens of Python."""

import io
import tokenize


def main():
    for token in tokenize.generate_tokens(io.StringIO("x = 1 + y # z\n").readline):
        print(tokenize.tok_name[token.type], token.string, token.start)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
