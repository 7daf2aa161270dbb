"""Tokens -> bytecode, in one pass: a method for each kind of statement and expression.

    while i < 3 { i = i + 1; }   ->    0 LOAD_GLOBAL i
                                       1 CONSTANT 3
                                       2 LESS
                                       3 JUMP_IF_FALSE to 9
                                       4 LOAD_GLOBAL i
                                       5 CONSTANT 1
                                       6 ADD
                                       7 STORE_GLOBAL i
                                       8 POP
                                       9 LOOP to 0 ...

Local variables get places in the frame here; what has none is global.
"""

from __future__ import annotations

from kettle.bytecode import EFFECTS, MAX_ARGUMENTS, NUMBERS, ClassDescription, Code
from kettle.classes import W_Function
from kettle.lexer import Token, tokens
from kettle.objects import (
    KettleError,
    W_Int,
    W_Root,
    W_Str,
    W_Table,
    number,
    w_false,
    w_nil,
    w_true,
)

PRECEDENCE = {
    "or": 1, "and": 2, "==": 3, "!=": 3, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5,
    "*": 6, "/": 6, "%": 6,
}  # fmt: skip
OPERATORS = {
    "==": "EQUAL", "!=": "UNEQUAL", "<": "LESS", "<=": "LESS_EQUAL", ">": "GREATER",
    ">=": "GREATER_EQUAL", "+": "ADD", "-": "SUBTRACT", "*": "MULTIPLY", "/": "DIVIDE",
    "%": "MODULO",
}  # fmt: skip
UNARY = 7
MAX_NESTING = 100


class Globals:
    """The names of global variables; a variable's value is None as long as it is not defined."""

    def __init__(self) -> None:
        self.indexes: dict[str, int] = {}
        self.names: list[str] = []
        self.values: list[W_Root | None] = []

    def index(self, name: str) -> int:
        if name not in self.indexes:
            self.indexes[name] = len(self.names)
            self.names.append(name)
            self.values.append(None)
        return self.indexes[name]

    def define(self, name: str, w_value: W_Root) -> None:
        self.values[self.index(name)] = w_value


class Loop:
    """A loop that is being compiled."""

    def __init__(self, start: int, has_iterator: bool):
        self.start = start
        self.has_iterator = has_iterator
        self.breaks: list[int] = []


class Builder:
    """The code of a function that is being compiled."""

    def __init__(self, name: str, outer: Builder | None, is_method: bool):
        self.name = name
        self.outer = outer
        self.is_method = is_method
        self.operations: list[int] = []
        self.arguments: list[int] = []
        self.lines: list[int] = []
        self.constants: list[W_Root] = []
        self.constant_places = W_Table()
        self.names: list[str] = []
        self.functions: list[Code] = []
        self.classes: list[ClassDescription] = []
        self.scopes: list[dict[str, int]] = []
        self.loops: list[Loop] = []
        self.variables = 0  # in the scopes that are open
        self.most_variables = 0
        self.height = 0  # of the stack
        self.greatest_height = 0

    def emit(self, name: str, argument: int, line: int, popped: int = 0) -> int:
        """Add an operation; its place.  `popped`: what it pops beyond what the table says."""
        self.operations.append(NUMBERS[name])
        self.arguments.append(argument)
        self.lines.append(line)
        self.height += EFFECTS[NUMBERS[name]] - popped
        self.greatest_height = max(self.greatest_height, self.height)
        return len(self.operations) - 1

    def patch(self, jump: int) -> None:
        """Let a jump go to the place reached."""
        self.arguments[jump] = len(self.operations)

    def constant(self, w_value: W_Root) -> int:
        w_place = self.constant_places.getitem(w_value)
        if isinstance(w_place, W_Int):
            return w_place.value
        place = len(self.constants)
        self.constants.append(w_value)
        self.constant_places.setitem(w_value, W_Int(place))
        return place

    def name_index(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def declare(self, name: str) -> int:
        """A new local variable."""
        place = self.variables
        self.scopes[-1][name] = place
        self.variables += 1
        self.most_variables = max(self.most_variables, self.variables)
        return place

    def find(self, name: str) -> int:
        """The place of a local variable, or -1."""
        for i in range(len(self.scopes) - 1, -1, -1):
            if name in self.scopes[i]:
                return self.scopes[i][name]
        return -1

    def finish(self, parameters: int) -> Code:
        return Code(
            self.name, parameters, self.operations, self.arguments, self.lines, self.constants,
            self.names, self.functions, self.classes, self.most_variables,
            self.most_variables + self.greatest_height,
        )  # fmt: skip


class Compiler:
    def __init__(self, text: str, names: Globals):
        self.tokens = tokens(text)
        self.place = 0
        self.token = self.tokens[0]
        self.globals = names
        self.builder = Builder("main", None, False)
        self.nesting = 0

    # -- tokens

    def advance(self) -> Token:
        """Go to the next token; the one left."""
        token = self.token
        self.place += 1
        if self.place < len(self.tokens):
            self.token = self.tokens[self.place]
        return token

    def accept(self, kind: str) -> bool:
        if self.token.kind != kind:
            return False
        self.advance()
        return True

    def expect(self, kind: str) -> Token:
        if self.token.kind != kind:
            raise self.error(f"{kind} expected, not {self.token.text}")
        return self.advance()

    def error(self, message: str) -> KettleError:
        return KettleError(message, self.token.line)

    def emit(self, name: str, argument: int = 0, popped: int = 0) -> int:
        """An operation of the line of the last token."""
        line = self.tokens[max(self.place - 1, 0)].line
        return self.builder.emit(name, argument, line, popped)

    # -- statements

    def program(self) -> Code:
        while self.token.kind != "end":
            self.statement()
        self.emit_constant(w_nil)
        self.emit("RETURN")
        return self.builder.finish(0)

    def block(self) -> None:
        self.expect("{")
        self.nest()
        variables = self.builder.variables
        self.builder.scopes.append({})
        while self.token.kind not in ("}", "end"):
            self.statement()
        self.expect("}")
        self.builder.scopes.pop()
        self.builder.variables = variables
        self.nesting -= 1

    def nest(self) -> None:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise self.error("the program nests too deeply")

    def statement(self) -> None:
        match self.token.kind:
            case "{":
                self.block()
            case "var":
                self.variable_statement()
            case "fun":
                self.advance()
                name = self.expect("name").text
                place = self.declare(name)
                self.emit_function(name)
                self.emit_definition(name, place)
            case "class":
                self.class_statement()
            case "if":
                self.if_statement()
            case "while":
                self.while_statement()
            case "for":
                self.for_statement()
            case "break" | "continue":
                self.jump_statement()
            case "return":
                self.return_statement()
            case _:
                self.expression()
                self.expect(";")
                self.emit("POP")

    def declare(self, name: str) -> int:
        """The place of a new variable; -1: it is global."""
        return self.builder.declare(name) if self.builder.scopes else -1

    def emit_definition(self, name: str, place: int) -> None:
        """Give a new variable the value on the stack."""
        if place < 0:
            self.emit("DEFINE_GLOBAL", self.globals.index(name))
        else:
            self.emit("STORE_LOCAL", place)
            self.emit("POP")

    def variable_statement(self) -> None:
        self.advance()
        name = self.expect("name").text
        if self.accept("="):
            self.expression()
        else:
            self.emit_constant(w_nil)
        self.emit_definition(name, self.declare(name))
        self.expect(";")

    def if_statement(self) -> None:
        self.advance()
        self.expression()
        to_else = self.emit("JUMP_IF_FALSE")
        self.block()
        if not self.accept("else"):
            self.builder.patch(to_else)
            return
        to_end = self.emit("JUMP")
        self.builder.patch(to_else)
        if self.token.kind == "if":
            self.if_statement()
        else:
            self.block()
        self.builder.patch(to_end)

    def while_statement(self) -> None:
        self.advance()
        loop = Loop(len(self.builder.operations), False)
        self.expression()
        to_end = self.emit("JUMP_IF_FALSE")
        self.loop_body(loop)
        self.builder.patch(to_end)
        self.end_loop(loop)

    def for_statement(self) -> None:
        """The iterator stays on the stack; NEXT drops it at the end."""
        self.advance()
        name = self.expect("name").text
        self.expect("in")
        self.expression()
        self.emit("ITERATE")
        loop = Loop(len(self.builder.operations), True)
        to_end = self.emit("NEXT")
        variables = self.builder.variables
        self.builder.scopes.append({})
        self.emit("STORE_LOCAL", self.builder.declare(name))
        self.emit("POP")
        self.loop_body(loop)
        self.builder.scopes.pop()
        self.builder.variables = variables
        self.builder.patch(to_end)
        self.end_loop(loop)
        self.builder.height -= 1

    def loop_body(self, loop: Loop) -> None:
        self.builder.loops.append(loop)
        self.block()
        self.emit("LOOP", loop.start)
        self.builder.loops.pop()

    def end_loop(self, loop: Loop) -> None:
        for jump in loop.breaks:
            self.builder.patch(jump)

    def jump_statement(self) -> None:
        token = self.advance()
        if not self.builder.loops:
            raise KettleError(f"{token.text} outside of a loop", token.line)
        loop = self.builder.loops[-1]
        if token.kind == "continue":
            self.emit("LOOP", loop.start)
        else:
            if loop.has_iterator:
                self.emit("POP")
                self.builder.height += 1  # what follows is not reached from here
            loop.breaks.append(self.emit("JUMP"))
        self.expect(";")

    def return_statement(self) -> None:
        self.advance()
        if self.token.kind == ";":
            self.emit_constant(w_nil)
        else:
            self.expression()
        self.emit("RETURN")
        self.expect(";")

    # -- functions and classes

    def function(self, name: str, is_method: bool) -> Code:
        """The code of a function, from its parameters on."""
        builder = Builder(name, self.builder, is_method)
        builder.scopes.append({})
        if is_method:
            builder.declare("self")
        self.builder = builder
        self.expect("(")
        while self.token.kind != ")":
            parameter = self.expect("name")
            if parameter.text in builder.scopes[0]:
                raise KettleError(f"two parameters are named {parameter.text}", parameter.line)
            builder.declare(parameter.text)
            if not self.accept(","):
                break
        self.expect(")")
        parameters = builder.variables
        self.block()
        self.emit_constant(w_nil)
        self.emit("RETURN")
        assert builder.outer is not None
        self.builder = builder.outer
        return builder.finish(parameters)

    def emit_function(self, name: str) -> None:
        code = self.function(name, False)
        self.builder.functions.append(code)
        self.emit_constant(W_Function(code))

    def class_statement(self) -> None:
        self.advance()
        name = self.expect("name").text
        place = self.declare(name)
        if self.accept("<"):
            self.emit_load(self.expect("name"))
        else:
            self.emit_constant(w_nil)
        self.expect("{")
        methods: list[int] = []
        while not self.accept("}"):
            self.expect("fun")
            code = self.function(self.expect("name").text, True)
            methods.append(len(self.builder.functions))
            self.builder.functions.append(code)
        self.builder.classes.append(ClassDescription(name, methods))
        self.emit("MAKE_CLASS", len(self.builder.classes) - 1)
        self.emit_definition(name, place)

    # -- expressions

    def expression(self, least: int = 1) -> None:
        """An expression of operators that bind at least as strongly as `least`."""
        self.nest()
        self.unary(least == 1)
        while True:
            operator = self.token.kind
            precedence = PRECEDENCE.get(operator, 0)
            if precedence < max(least, 1):
                break
            line = self.advance().line
            if operator == "and" or operator == "or":
                jump = self.emit(operator.upper())
                self.expression(precedence + 1)
                self.builder.patch(jump)
            else:
                self.expression(precedence + 1)
                self.builder.emit(OPERATORS[operator], 0, line)
        self.nesting -= 1

    def unary(self, may_assign: bool) -> None:
        if self.token.kind == "-" or self.token.kind == "not":
            token = self.advance()
            # `not` binds more weakly than comparisons
            self.expression(UNARY if token.kind == "-" else 3)
            self.builder.emit("NEGATE" if token.kind == "-" else "NOT", 0, token.line)
            return
        self.primary(may_assign)
        while True:
            token = self.token
            match token.kind:
                case "(":
                    count = self.call_arguments()
                    self.builder.emit("CALL", count, token.line, count)
                case "[":
                    self.advance()
                    self.expression()
                    self.expect("]")
                    if may_assign and self.accept("="):
                        self.expression()
                        self.builder.emit("SET_INDEX", 0, token.line)
                    else:
                        self.builder.emit("GET_INDEX", 0, token.line)
                case ".":
                    self.advance()
                    self.field(may_assign)
                case _:
                    return

    def field(self, may_assign: bool) -> None:
        token = self.expect("name")
        index = self.builder.name_index(token.text)
        if self.token.kind == "(":
            count = self.call_arguments()
            self.builder.emit("CALL_METHOD", index << 8 | count, token.line, count)
        elif may_assign and self.accept("="):
            self.expression()
            self.builder.emit("SET_FIELD", index, token.line)
        else:
            self.builder.emit("GET_FIELD", index, token.line)

    def call_arguments(self) -> int:
        self.expect("(")
        count = self.expressions(")")
        if count > MAX_ARGUMENTS:
            raise self.error(f"more than {MAX_ARGUMENTS} arguments")
        return count

    def expressions(self, end: str) -> int:
        """Expressions with commas between them; how many."""
        count = 0
        while self.token.kind != end:
            self.expression()
            count += 1
            if not self.accept(","):
                break
        self.expect(end)
        return count

    def primary(self, may_assign: bool) -> None:
        token = self.advance()
        match token.kind:
            case "number":
                self.emit_constant(number(token.text))
            case "string":
                self.emit_constant(W_Str(token.text))
            case "nil":
                self.emit_constant(w_nil)
            case "true":
                self.emit_constant(w_true)
            case "false":
                self.emit_constant(w_false)
            case "name":
                if may_assign and self.accept("="):
                    self.expression()
                    self.emit_store(token)
                else:
                    self.emit_load(token)
            case "self":
                self.emit("LOAD_LOCAL", self.self_place(token))
            case "super":
                self.emit("LOAD_LOCAL", self.self_place(token))
                self.expect(".")
                index = self.builder.name_index(self.expect("name").text)
                count = self.call_arguments()
                self.builder.emit("CALL_SUPER", index << 8 | count, token.line, count)
            case "fun":
                self.emit_function("anonymous")
            case "(":
                self.expression()
                self.expect(")")
            case "[":
                count = self.expressions("]")
                self.emit("MAKE_LIST", count, count - 1)
            case "{":
                count = self.table_items()
                self.emit("MAKE_TABLE", 2 * count, 2 * count - 1)
            case _:
                raise KettleError(f"an expression expected, not {token.text}", token.line)

    def table_items(self) -> int:
        count = 0
        while self.token.kind != "}":
            self.expression()
            self.expect(":")
            self.expression()
            count += 1
            if not self.accept(","):
                break
        self.expect("}")
        return count

    def self_place(self, token: Token) -> int:
        if not self.builder.is_method:
            raise KettleError(f"{token.text} outside of a method", token.line)
        return 0

    def emit_constant(self, w_value: W_Root) -> None:
        self.emit("CONSTANT", self.builder.constant(w_value))

    def emit_load(self, token: Token) -> None:
        place = self.local_place(token)
        if place >= 0:
            self.builder.emit("LOAD_LOCAL", place, token.line)
        else:
            self.builder.emit("LOAD_GLOBAL", self.globals.index(token.text), token.line)

    def emit_store(self, token: Token) -> None:
        place = self.local_place(token)
        if place >= 0:
            self.builder.emit("STORE_LOCAL", place, token.line)
        else:
            self.builder.emit("STORE_GLOBAL", self.globals.index(token.text), token.line)

    def local_place(self, token: Token) -> int:
        """The place of a local variable; -1: there is none, the name is global."""
        place = self.builder.find(token.text)
        outer = self.builder.outer
        while place < 0 and outer is not None:
            if outer.find(token.text) >= 0:
                raise KettleError(f"{token.text} belongs to another function", token.line)
            outer = outer.outer
        return place


def compile_program(text: str, names: Globals) -> Code:
    """Raises KettleError, with a line."""
    return Compiler(text, names).program()
