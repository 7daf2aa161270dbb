"""pyDes==2.0.1: blocks encrypted."""

from pyDes import CBC, PAD_PKCS5, des, triple_des


def main():
    cipher = des(b"DESCRYPT", CBC, b"\0\0\0\0\0\0\0\0", pad=None, padmode=PAD_PKCS5)
    data = cipher.encrypt(b"Please encrypt my data")
    print(data.hex(), cipher.decrypt(data))
    three = triple_des(b"sixteen byte key")
    print(three.encrypt(b"8 bytes!").hex())


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
