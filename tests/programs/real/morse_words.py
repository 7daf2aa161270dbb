"""morse-talk==0.2: Morse code."""

import morse_talk


def main():
    code = morse_talk.encode("SOS we sink")
    print(code, morse_talk.decode(code))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
