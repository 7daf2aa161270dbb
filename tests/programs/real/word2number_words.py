"""word2number==1.1: numbers of English words."""

from word2number import w2n


def main():
    words = "two million three thousand nine hundred and eighty four"
    for text in (words, "point one", "nineteen", "112"):
        print(w2n.word_to_num(text))
    try:
        w2n.word_to_num("no number")
    except ValueError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
