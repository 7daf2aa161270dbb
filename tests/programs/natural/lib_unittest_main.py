import unittest


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


class TestStack(unittest.TestCase):
    def setUp(self):
        self.stack = Stack()

    def test_push(self):
        self.stack.push(1)
        self.stack.push(2)
        self.assertEqual(len(self.stack), 2)
        self.assertEqual(self.stack.items, [1, 2])

    def test_pop(self):
        self.stack.push(3)
        self.assertEqual(self.stack.pop(), 3)
        self.assertTrue(len(self.stack) == 0)

    def test_empty(self):
        with self.assertRaises(IndexError):
            self.stack.pop()
        self.assertRaises(IndexError, self.stack.pop)

    def test_floats(self):
        self.assertAlmostEqual(0.1 + 0.2, 0.3)
        self.assertIn(3, [1, 2, 3])
        self.assertIsNone(None)
        self.assertGreater(3, 2)
        for i in range(3):
            with self.subTest(i=i):
                self.assertLess(i, 3)

    @unittest.skip("not yet")
    def test_later(self):
        self.fail("never")


def entry_point(argv):
    unittest.main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
