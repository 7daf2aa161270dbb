"""rply==0.7.8: tokens of an arithmetic language."""

from rply import LexerGenerator

GENERATOR = LexerGenerator()
GENERATOR.add("NUMBER", r"\d+")
GENERATOR.add("PLUS", r"\+")
GENERATOR.add("MINUS", r"-")
GENERATOR.ignore(r"\s+")
LEXER = GENERATOR.build()


def main():
    for token in LEXER.lex("1 + 22 - 333"):
        print(token.gettokentype(), token.getstr(), token.getsourcepos().colno)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
