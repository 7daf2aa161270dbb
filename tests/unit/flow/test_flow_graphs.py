"""Details of flow graphs: spans, arguments, constants, termination on odd shapes."""

from rpython.translator.flow.build import build_flow
from rpython.translator.flow.signature import signature
from rpython.translator.ir.model import Constant
from rpython.translator.ir.verifier import verify


def source_of(function, opname):
    """The source text of each operation of that name."""
    texts = []
    for _, op in build_flow(function).iterblockops():
        if op.opname == opname:
            assert op.span.function == function.__qualname__
            assert op.span.filename == __file__
            line = op.span.source_line()
            texts.append(line[op.span.col : op.span.end_col])
    return texts


def expressions(a, b):
    return (a + b) * foo(a, b[1:2]).bar


def foo(*args):
    return args


def not_ascii(ä):
    return "äöü€" + (ä + "😀")


def comprehension(xs):
    return [x * 2 for x in xs]


def loop(n):
    while n > 0:
        n -= 1


def test_spans() -> None:
    assert source_of(expressions, "add") == ["a + b"]
    assert source_of(expressions, "mul") == ["(a + b) * foo(a, b[1:2]).bar"]
    assert source_of(expressions, "simple_call") == ["foo(a, b[1:2])"]
    assert source_of(expressions, "getitem") == ["b[1:2]"]
    assert source_of(loop, "lt") == []
    assert source_of(loop, "gt") == ["n > 0"]
    assert source_of(comprehension, "mul") == ["x * 2"]


def test_columns_are_characters() -> None:
    assert source_of(not_ascii, "add") == ['"äöü€" + (ä + "😀")', 'ä + "😀"'][::-1]


def test_graph_attributes() -> None:
    graph = build_flow(expressions)
    assert graph.func is expressions
    assert not graph.is_helper
    assert graph.name == "expressions"
    assert graph.span.line == expressions.__code__.co_firstlineno
    assert [v.name for v in graph.getargs()] == ["a", "b"]


def many(a, b, /, c, d=4, *rest, e, f=6):
    return a


def test_signature() -> None:
    found = signature(many)
    assert found.argnames == ("a", "b", "c", "d")
    assert (found.posonly, found.kwonly, found.vararg, found.kwarg) == (
        2, ("e", "f"), "rest", None,
    )  # fmt: skip
    assert (found.defaults, found.kwdefaults) == ((4,), {"f": 6})
    assert found.graph_args() == ("a", "b", "c", "d", "e", "f", "rest")
    assert [v.name for v in build_flow(many).getargs()] == list(found.graph_args())


def test_unused_arguments_stay() -> None:
    assert len(build_flow(lambda x, y, z: y).getargs()) == 3


def test_endless_loops() -> None:
    def empty():
        while True:
            pass

    def calling():
        while True:
            foo()

    for function in (empty, calling):
        graph = build_flow(function)
        verify(graph, "build_flow")
        assert all(link.target is not graph.returnblock for link in graph.iterlinks())


def test_entry_is_a_loop() -> None:
    def entry(n):
        while True:
            n = foo(n)
            if n:
                return n

    graph = build_flow(entry)
    verify(graph, "build_flow")
    assert all(link.target is not graph.startblock for link in graph.iterlinks())


def test_same_function_object_for_copies() -> None:
    """The body of ``finally`` is compiled twice; the lambda in it is one constant."""

    def f(x):
        try:
            foo(x)
        finally:
            foo(lambda y: y)

    lambdas = [
        arg.value
        for _, op in build_flow(f).iterblockops()
        for arg in op.args
        if isinstance(arg, Constant) and getattr(arg.value, "__name__", "") == "<lambda>"
    ]
    assert len(lambdas) == 2
    assert lambdas[0] is lambdas[1]


def test_exception_links_by_class() -> None:
    def f(d):
        try:
            return d["a"]
        except (KeyError, IndexError):
            return 1
        except ValueError:
            return 2

    (block,) = [block for block in build_flow(f).iterblocks() if block.canraise]
    cases = [link.exitcase for link in block.exits]
    assert cases == [None, KeyError, IndexError, ValueError]
    assert not any(op.opname == "exception_match" for _, op in build_flow(f).iterblockops())


def test_chain_of_many_statements_is_linear() -> None:
    """A long function takes no longer than its parts."""
    lines = [f"    if a > {i}:\n        b = b + {i}\n    c = b * a" for i in range(1500)]
    space: dict = {}
    exec("def f(a, b):\n    c = 0\n" + "\n".join(lines) + "\n    return c", space)
    graph = build_flow(space["f"])
    assert sum(1 for _ in graph.iterblockops()) == 1500 * 4
