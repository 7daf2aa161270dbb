"""The machine: a loop over the operations of a function.

The loop tells a JIT what it needs to know (there is none here, the hints cost nothing): `code` and
`place` say where the interpreted program is, so a trace begins where they come back to.
"""

from __future__ import annotations

from kettle.bytecode import MAX_ARGUMENTS, NAMES, NUMBERS, Code
from kettle.classes import (
    Context,
    W_Builtin,
    W_Class,
    W_Function,
    W_Instance,
    W_Method,
    get_field,
    set_field,
)
from kettle.compiler import Globals
from kettle.objects import (
    KettleError,
    W_Iterator,
    W_List,
    W_Root,
    W_Table,
    add,
    divide,
    equal,
    less,
    less_equal,
    modulo,
    multiply,
    negate,
    subtract,
    unequal,
    w_nil,
    wrap_bool,
)
from rpython.rlib import jit
from rpython.rlib.streamio import Stream
from rpython.rlib.unroll import unrolling_iterable

MAX_DEPTH = 1000
"""How many calls may be in progress."""

RETURN = NUMBERS["RETURN"]
JUMP = NUMBERS["JUMP"]
LOOP = NUMBERS["LOOP"]
JUMP_IF_FALSE = NUMBERS["JUMP_IF_FALSE"]
AND = NUMBERS["AND"]
OR = NUMBERS["OR"]
NEXT = NUMBERS["NEXT"]

BINARY = {
    "ADD": add,
    "SUBTRACT": subtract,
    "MULTIPLY": multiply,
    "DIVIDE": divide,
    "MODULO": modulo,
    "EQUAL": equal,
    "UNEQUAL": unequal,
    "LESS": less,
    "LESS_EQUAL": less_equal,
    "GREATER": lambda w_left, w_right: less(w_right, w_left),
    "GREATER_EQUAL": lambda w_left, w_right: less_equal(w_right, w_left),
}


def location(place: int, code: Code) -> str:
    return f"{code.name}:{code.lines[place]} {code.describe(place)}"


driver = jit.JitDriver(
    greens=["place", "code"],
    reds=["frame"],
    virtualizables=["frame"],
    get_printable_location=location,
)


class Frame:
    """A call in progress: the variables of a function, and its stack above them."""

    _virtualizable_ = ["code", "place", "top", "slots[*]"]

    def __init__(self, machine: Machine, code: Code, w_owner: W_Class | None):
        self = jit.hint(self, access_directly=True, fresh_virtualizable=True)
        self.machine = machine
        self.code = code
        self.w_owner = w_owner
        self.place = 0
        self.slots: list[W_Root | None] = [None] * code.size
        self.top = code.variables

    # -- the stack

    def push(self, w_value: W_Root) -> None:
        self.slots[self.top] = w_value
        self.top += 1

    def pop(self) -> W_Root:
        self.top -= 1
        w_value = self.slots[self.top]
        self.slots[self.top] = None
        assert w_value is not None
        return w_value

    def peek(self) -> W_Root:
        w_value = self.slots[self.top - 1]
        assert w_value is not None
        return w_value

    @jit.unroll_safe
    def pop_many(self, count: int) -> list[W_Root]:
        values: list[W_Root] = [w_nil] * count
        for i in range(count - 1, -1, -1):
            values[i] = self.pop()
        return values

    # -- the operations that do not jump

    def op_CONSTANT(self, argument: int) -> None:
        self.push(self.code.constants[argument])

    def op_LOAD_LOCAL(self, argument: int) -> None:
        w_value = self.slots[argument]
        if w_value is None:
            raise KettleError("a function or class is used before it is made")
        self.push(w_value)

    def op_STORE_LOCAL(self, argument: int) -> None:
        self.slots[argument] = self.peek()

    def op_LOAD_GLOBAL(self, argument: int) -> None:
        w_value = self.machine.globals.values[argument]
        if w_value is None:
            raise self.machine.undefined(argument)
        self.push(w_value)

    def op_STORE_GLOBAL(self, argument: int) -> None:
        if self.machine.globals.values[argument] is None:
            raise self.machine.undefined(argument)
        self.machine.globals.values[argument] = self.peek()

    def op_DEFINE_GLOBAL(self, argument: int) -> None:
        self.machine.globals.values[argument] = self.pop()

    def op_POP(self, argument: int) -> None:
        self.pop()

    def op_NEGATE(self, argument: int) -> None:
        self.push(negate(self.pop()))

    def op_NOT(self, argument: int) -> None:
        self.push(wrap_bool(not self.pop().is_true()))

    def op_GET_INDEX(self, argument: int) -> None:
        w_key = self.pop()
        self.push(self.pop().getitem(w_key))

    def op_SET_INDEX(self, argument: int) -> None:
        w_value = self.pop()
        w_key = self.pop()
        self.pop().setitem(w_key, w_value)
        self.push(w_value)

    def op_GET_FIELD(self, argument: int) -> None:
        self.push(get_field(self.pop(), self.code.names[argument]))

    def op_SET_FIELD(self, argument: int) -> None:
        w_value = self.pop()
        set_field(self.pop(), self.code.names[argument], w_value)
        self.push(w_value)

    def op_ITERATE(self, argument: int) -> None:
        self.push(W_Iterator(self.pop().items()))

    def op_MAKE_LIST(self, argument: int) -> None:
        self.push(W_List(self.pop_many(argument)))

    @jit.unroll_safe
    def op_MAKE_TABLE(self, argument: int) -> None:
        values = self.pop_many(argument)
        w_table = W_Table()
        for i in range(0, argument, 2):
            w_table.setitem(values[i], values[i + 1])
        self.push(w_table)

    def op_CALL(self, argument: int) -> None:
        args = self.pop_many(argument)
        self.push(self.machine.call(self.pop(), args))

    def op_CALL_METHOD(self, argument: int) -> None:
        args = self.pop_many(argument & MAX_ARGUMENTS)
        w_object = self.pop()
        name = self.code.names[argument >> 8]
        if isinstance(w_object, W_Instance) and w_object.get(name) is None:
            w_method = w_object.find_method(name)
            if w_method is not None:  # without making the method an object
                self.push(self.machine.call_function(w_method, [w_object, *args]))
                return
        self.push(self.machine.call(get_field(w_object, name), args))

    def op_CALL_SUPER(self, argument: int) -> None:
        args = self.pop_many(argument & MAX_ARGUMENTS)
        w_object = self.pop()
        name = self.code.names[argument >> 8]
        w_class = self.w_owner
        assert w_class is not None
        w_method = w_class.w_base.find_method(name) if w_class.w_base is not None else None
        if w_method is None:
            raise KettleError(f"the base of {w_class.text()} has no method {name}")
        self.push(self.machine.call_function(w_method, [w_object, *args]))

    def op_MAKE_CLASS(self, argument: int) -> None:
        w_base = self.pop()
        description = self.code.classes[argument]
        if isinstance(w_base, W_Class):
            w_class = W_Class(description.name, w_base)
        elif w_base is w_nil:
            w_class = W_Class(description.name, None)
        else:
            raise KettleError(f"the base of a class is a class, not {w_base.kind}")
        for i in description.methods:
            w_method = W_Function(self.code.functions[i])
            w_method.w_owner = w_class
            w_class.methods[w_method.code.name] = w_method
        self.push(w_class)


BINARY_OPERATIONS = unrolling_iterable([(NUMBERS[name], BINARY[name]) for name in BINARY])
HANDLERS = unrolling_iterable(
    [(NUMBERS[name], f"op_{name}") for name in NAMES if hasattr(Frame, f"op_{name}")]
)


class Machine(Context):
    def __init__(self, names: Globals, input_stream: Stream, output: Stream):
        self.globals = names
        self.input = input_stream
        self.output = output
        self.depth = 0

    @jit.dont_look_inside
    def write(self, text: str) -> None:
        self.output.write(text)

    @jit.dont_look_inside
    def read_line(self) -> str:
        self.output.flush()
        return self.input.readline()

    def undefined(self, index: int) -> KettleError:
        return KettleError(f"{self.globals.names[index]} is not defined")

    def run_program(self, code: Code) -> None:
        self.call_function(W_Function(code), [])

    # -- calls

    def call(self, w_callable: W_Root, args: list[W_Root]) -> W_Root:
        if isinstance(w_callable, W_Function):
            return self.call_function(w_callable, args)
        if isinstance(w_callable, W_Method):
            return self.call_function(w_callable.w_function, [w_callable.w_self, *args])
        if isinstance(w_callable, W_Builtin):
            if not w_callable.least <= len(args) <= w_callable.most:
                raise KettleError(f"{w_callable.name} does not take {len(args)} arguments")
            return w_callable.function(self, args)
        if isinstance(w_callable, W_Class):
            return self.instantiate(w_callable, args)
        raise KettleError(f"{w_callable.kind} cannot be called")

    def instantiate(self, w_class: W_Class, args: list[W_Root]) -> W_Root:
        w_instance = W_Instance(w_class)
        w_init = w_class.find_method("init")
        if w_init is not None:
            self.call_function(w_init, [w_instance, *args])
        elif args:
            raise KettleError(f"{w_class.name} takes 0 arguments, not {len(args)}")
        return w_instance

    @jit.unroll_safe
    def call_function(self, w_function: W_Function, args: list[W_Root]) -> W_Root:
        code = jit.promote(w_function.code)
        if len(args) != code.parameters:
            selfs = 0 if w_function.w_owner is None else 1
            wanted = code.parameters - selfs
            raise KettleError(f"{code.name} takes {wanted} arguments, not {len(args) - selfs}")
        if self.depth == MAX_DEPTH:
            raise KettleError("too many calls within calls")
        self.depth += 1
        frame = Frame(self, code, w_function.w_owner)
        for i in range(len(args)):
            frame.slots[i] = args[i]
        try:
            w_result = self.run(frame)
        except KettleError as error:
            error.trace.append(f"in {code.name}, line {code.lines[frame.place]}")
            raise
        self.depth -= 1
        return w_result

    def run(self, frame: Frame) -> W_Root:
        """Do the operations of a function."""
        code = frame.code
        place = 0
        while True:
            driver.jit_merge_point(place=place, code=code, frame=frame)
            operation = code.operations[place]
            argument = code.arguments[place]
            frame.place = place
            place += 1
            if operation == RETURN:
                return frame.pop()
            if operation == JUMP:
                place = argument
            elif operation == LOOP:
                place = argument
                driver.can_enter_jit(place=place, code=code, frame=frame)
            elif operation == JUMP_IF_FALSE:
                if not frame.pop().is_true():
                    place = argument
            elif operation in (AND, OR):
                if frame.peek().is_true() == (operation == OR):
                    place = argument
                else:
                    frame.pop()
            elif operation == NEXT:
                w_iterator = frame.peek()
                assert isinstance(w_iterator, W_Iterator)
                w_item = w_iterator.next()
                if w_item is not None:
                    frame.push(w_item)
                else:
                    frame.pop()
                    place = argument
            else:
                self.dispatch(frame, operation, argument)

    def dispatch(self, frame: Frame, operation: int, argument: int) -> None:
        """Each operation becomes a case of a switch: the loops are unrolled."""
        for number, function in BINARY_OPERATIONS:
            if operation == number:
                w_right = frame.pop()
                frame.push(function(frame.pop(), w_right))
                return
        for number, name in HANDLERS:
            if operation == number:
                getattr(frame, name)(argument)
                return
        raise AssertionError("no such operation")
