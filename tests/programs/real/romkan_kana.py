"""romkan==0.2.1: Latin letters to kana and back."""

import romkan


def main():
    for text in ("kanji", "nippon", "kyouto", "shinbun"):
        kana = romkan.to_katakana(text)
        print(text, kana, romkan.to_hiragana(text), romkan.to_roma(kana), romkan.to_kunrei(text))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
