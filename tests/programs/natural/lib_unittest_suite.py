import io
import re
import unittest


def roman(n):
    result = ""
    for value, letters in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= value:
            result += letters
            n -= value
    return result


class RomanTest(unittest.TestCase):
    known = [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV")]

    def test_known(self):
        for number, text in self.known:
            self.assertEqual(roman(number), text)

    def test_wrong(self):
        self.assertEqual(roman(6), "IIIIII")

    def test_list(self):
        self.assertListEqual([roman(i) for i in range(3)], ["", "I", "II"])
        self.assertRegex(roman(8), "^V")
        self.assertNotIn("X", roman(8))

    def test_error(self):
        with self.assertRaisesRegex(TypeError, "not supported"):
            raise TypeError("this is not supported")
        with self.assertRaises(ZeroDivisionError) as caught:
            1 // len(roman(0))
        self.assertIn("division", str(caught.exception))


def main():
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(RomanTest)
    stream = io.StringIO()
    result = unittest.TextTestRunner(stream=stream, verbosity=2).run(suite)
    print(re.sub(r"in \d+\.\d+s", "in no time", stream.getvalue()).replace("__main__", "lib_unittest_suite"))
    print(result.testsRun, len(result.failures), result.wasSuccessful())
    return 0


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
