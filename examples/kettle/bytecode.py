"""The operations of the machine, and the code of a function.

An operation has one argument, a number: a constant's index, a local variable's, a place to jump
to.  Operations take their operands from a stack and leave their result on it.
"""

from __future__ import annotations

from kettle.objects import W_Root

# name, what it does to the height of the stack
OPCODES = [
    ("RETURN", -1),
    ("JUMP", 0),
    ("LOOP", 0),  # a jump back
    ("JUMP_IF_FALSE", -1),
    ("AND", -1),  # jump and keep the value if it is false; drop it otherwise
    ("OR", -1),
    ("NEXT", 1),  # push the next item of the iterator on top; jump at the end
    ("CONSTANT", 1),
    ("LOAD_LOCAL", 1),
    ("STORE_LOCAL", 0),
    ("LOAD_GLOBAL", 1),
    ("STORE_GLOBAL", 0),
    ("DEFINE_GLOBAL", -1),
    ("POP", -1),
    ("ADD", -1),
    ("SUBTRACT", -1),
    ("MULTIPLY", -1),
    ("DIVIDE", -1),
    ("MODULO", -1),
    ("EQUAL", -1),
    ("UNEQUAL", -1),
    ("LESS", -1),
    ("LESS_EQUAL", -1),
    ("GREATER", -1),
    ("GREATER_EQUAL", -1),
    ("NEGATE", 0),
    ("NOT", 0),
    ("GET_INDEX", -1),
    ("SET_INDEX", -2),
    ("GET_FIELD", 0),  # argument: a name
    ("SET_FIELD", -1),
    ("ITERATE", 0),  # a list -> an iterator
    ("MAKE_LIST", 0),  # argument: the number of items, which it pops
    ("MAKE_TABLE", 0),  # argument: the number of keys and values
    ("CALL", 0),  # argument: the number of arguments; the function is below them
    ("CALL_METHOD", 0),  # argument: a name and the number of arguments
    ("CALL_SUPER", 0),
    ("MAKE_CLASS", 0),  # a class or nil -> a class; argument: a class's description
]
NAMES = [name for name, _ in OPCODES]
EFFECTS = [effect for _, effect in OPCODES]
NUMBERS = {name: number for number, name in enumerate(NAMES)}
COUNTS = ("CALL", "MAKE_LIST", "MAKE_TABLE")
JUMPS = frozenset("JUMP LOOP JUMP_IF_FALSE AND OR NEXT".split())

MAX_ARGUMENTS = 255
"""A call of a method has a name and a number of arguments in one argument."""


class ClassDescription:
    """The name of a class, and the indexes of its methods in the code's functions."""

    def __init__(self, name: str, methods: list[int]):
        self.name = name
        self.methods = methods


class Code:
    """What a function does."""

    _immutable_fields_ = [
        "name", "parameters", "operations[*]", "arguments[*]", "lines[*]", "constants[*]",
        "names[*]", "functions[*]", "classes[*]", "variables", "size",
    ]  # fmt: skip

    def __init__(
        self,
        name: str,
        parameters: int,
        operations: list[int],
        arguments: list[int],
        lines: list[int],
        constants: list[W_Root],
        names: list[str],
        functions: list[Code],
        classes: list[ClassDescription],
        variables: int,
        size: int,
    ):
        self.name = name
        self.parameters = parameters
        self.operations = operations
        self.arguments = arguments
        self.lines = lines
        self.constants = constants
        self.names = names
        self.functions = functions
        self.classes = classes
        self.variables = variables
        self.size = size

    def listing(self) -> list[str]:
        """The operations as text."""
        lines = [f"{self.name}: {self.variables} variables, {self.size} places"]
        last = 0
        for i in range(len(self.operations)):
            line = self.lines[i]
            shown = str(line) if line != last else ""
            lines.append(f"{shown:>5} {i:5}  {self.describe(i)}".rstrip())
            last = line
        return lines

    def describe(self, i: int) -> str:
        """An operation and what its argument means."""
        name = NAMES[self.operations[i]]
        argument = self.arguments[i]
        meaning = ""
        if name == "CONSTANT":
            meaning = self.constants[argument].show()
        elif name in JUMPS:
            meaning = f"to {argument}"
        elif name.endswith("_FIELD"):
            meaning = self.names[argument]
        elif name == "CALL_METHOD" or name == "CALL_SUPER":
            meaning = f"{self.names[argument >> 8]}, {argument & MAX_ARGUMENTS}"
        elif name == "MAKE_CLASS":
            meaning = self.classes[argument].name
        elif name.endswith("_LOCAL") or name.endswith("_GLOBAL") or name in COUNTS:
            meaning = str(argument)
        return f"{name:14} {meaning}"
