"""crccheck==1.3.0: checksums."""

from crccheck.checksum import Checksum8
from crccheck.crc import Crc16Modbus, Crc32


def main():
    print(Crc32.calc(b"123456789"), Crc16Modbus.calc(b"123456789"), Checksum8.calc(b"abc"))
    crc = Crc32()
    crc.process(b"1234")
    crc.process(b"56789")
    print(crc.finalhex(), Crc16Modbus.calchex(b"hello"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
