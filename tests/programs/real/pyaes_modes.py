"""pyaes==1.6.1: AES in Python."""

import pyaes

KEY = b"This_key_for_demo_purposes_only!"


def main():
    text = pyaes.AESModeOfOperationCTR(KEY).encrypt(b"Text may be any length you wish")
    print(text.hex(), pyaes.AESModeOfOperationCTR(KEY).decrypt(text))
    block = pyaes.AESModeOfOperationCBC(KEY, iv=b"InitializationVe").encrypt(b"TextMustBe16Byte")
    print(block.hex(), pyaes.AESModeOfOperationCBC(KEY, iv=b"InitializationVe").decrypt(block))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
