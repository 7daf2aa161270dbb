"""Expressions by kind: ``(condition, text)``.

A hole is ``$int`` (an expression of a kind), ``$self`` (of the same kind), ``$T`` (of the item's),
``$[List(T)]`` (of a kind computed from these), ``$small`` and ``$index`` (numbers), ``$any``
(anything printable), ``$E $H $O`` (any kind that compares, hashes, has an order; the same one
in all holes), ``%method`` (see ``Generator``).
"""

from __future__ import annotations

Templates = dict[str, list[tuple[str, str]]]


def _same(condition: str, *texts: str) -> list[tuple[str, str]]:
    return [(condition, text) for text in texts]


TEMPLATES: Templates = {
    "*": [
        *_same("", "($self if $bool else $self)", "$[List(self)][$index]", "%call", "%call"),
        *_same("", "%attribute", "%method", "%operator", "%guarded", "%call_value", "%narrowed"),
        *_same("", "$[VarTuple(self)][$index]", "$[List(VarTuple(self))][$index][$index]"),
        *_same("", "$[Tuple(self, int)][0]", "next(iter($[List(self)]))", "$[List(self)].pop()"),
        *_same("", "$[Dict(str, self)][$str]", "$[Dict(int, self)].get($int, $self)"),
        *_same(
            "self:ordered", "min($[List(self)])", "max($self, $self)", "sorted($[List(self)])[0]"
        ),
        *_same("self:ordered", "max($[List(self)], default=$self)"),
    ],
    "Int": [
        *_same("", "($int + $int)", "($int - $int)", "($int * $int)", "($int // $int)"),
        *_same("", "($int % $int)", "($int & $int)", "($int | $int)", "($int ^ $int)", "(~$int)"),
        *_same("", "(-$int)", "abs($int)", "($int << $small)", "($int >> $small)", "len($sized)"),
        *_same("", "int($float)", "int($bool)", "int($digits)", "int($digits, 16)", "ord($str)"),
        *_same("", "$str.find($str)", "$str.count($str)", "$str.index($str)", "$bytes[$index]"),
        *_same("", "$bytearray[$index]", "$bytes.find($bytes)", "divmod($int, $int)[1]"),
        *_same("", "round($float)", "($int).bit_length()", "pow($small, $small)", "int($str)"),
        *_same("", "sum($[List(int)])", "($int and $int)", "($int or $int)", "len($[Set(H)])"),
        *_same("", "$[List(E)].index($E)", "$[List(E)].count($E)", "%generator_expression"),
        *_same("", "$[VarTuple(E)].index($E)", "$[VarTuple(E)].count($E)"),
        *_same("", "sum($[VarTuple(int)])", "max(*$[VarTuple(int)], $int)"),
        *_same("", "pow($int, $small, $int)", "int.from_bytes($bytes[:3], 'big')"),
        *_same("", "len($str.split())", "len($[Set(H)] & $[Set(H)])"),
        *_same("", "($bool + $int)", "range($small, 9)[$index]", "sum(q for q in $[List(int)])"),
        *_same("", "len($U)", "int($U)", "$[List(U)].index($U)", "hash($U) * 0", "ord($U)"),
        *_same("", "max($[List(str)], key=len).count('a')", "len($[Dict(H, int)])"),
    ],
    "Float": [
        *_same("", "($float + $float)", "($float - $float)", "($float * $float)"),
        *_same("", "($float / $float)", "($int / $int)", "float($int)", "(-$float)", "abs($float)"),
        *_same("", "($float // $float)", "($float % $float)", "round($float, $small)"),
        *_same("", "float($decimals)", "($float + $int)", "($int * $float)", "float($bool)"),
        *_same("", "($float or $float)", "sum($[List(float)], 0.0)", "float($U)", "(2.5 * $U)"),
    ],
    "Bool": [
        *_same(
            "", "($E == $E)", "($E != $E)", "($O < $O)", "($O <= $O)", "($O > $O)", "($O >= $O)"
        ),
        *_same("", "(not $bool)", "($bool and $bool)", "($bool or $bool)", "($int < $float)"),
        *_same("", "($int in $[List(int)])", "($E in $[List(E)])", "($str in $str)", "bool($int)"),
        *_same("", "($H in $[Dict(H, int)])", "($H in $[Set(H)])", "%instance_test", "%none_test"),
        *_same("", "$str.startswith($str)", "$str.endswith(($str, $str))", "$str.isdigit()"),
        *_same("", "$str.isalpha()", "$str.isspace()", "($bytes in $bytes)", "(not $sized)"),
        *_same(
            "", "($bool & $bool)", "($bool ^ $bool)", "%generator_expression", "any($[List(bool)])"
        ),
        *_same("", "($[Set(H)] <= $[Set(H)])", "($[Set(H)] == $[Set(H)])", "($float).is_integer()"),
        *_same("", "($[Dict(H, int)] == $[Dict(H, int)])", "(0 <= $int < $int)"),
        *_same("", "($[VarTuple(O)] < $[VarTuple(O)])", "($[VarTuple(E)] == ($E, $E))"),
        *_same("", "($E in $[VarTuple(E)])", "(hash($[VarTuple(H)]) == hash(($H,)))"),
        *_same("", "($U < $U)", "($U == $any)", "isinstance($U, (int, str))", "bool($U)"),
        *_same("", "(not $U)"),
        *_same("", "($U in $[List(U)])", "($U >= $int)", "($U in $str)"),
        *_same("", "$[Set(H)].isdisjoint($[List(H)])", "(($E, $int) == ($E, $int))"),
    ],
    "Str": [
        *_same(
            "", "($str + $str)", "str($any)", "repr($any)", "$str[$index]", "$str[$index:$index]"
        ),
        *_same(
            "", "($str * $small)", "$str[::$step]", "$str.upper()", "$str.lower()", "$str.strip()"
        ),
        *_same(
            "", "$str.title()", "$str.swapcase()", "$str.capitalize()", "$str.replace($str, $str)"
        ),
        *_same(
            "", "$str.join($[List(str)])", "chr($int & 1023)", "chr($int)", "$str.split($str)[0]"
        ),
        *_same("", "f'{$vint:>6}|{$vstr}'", "f'{$vany!r}'", "f'{$vfloat:.3f}'", "f'{$vint:x}'"),
        *_same("", "('%s-%d' % ($any, $int))", "('%5.1f|%-4s' % ($float, $str))", "hex($int)"),
        *_same("", "$str.center($small, '*')", "$str.zfill(5)", "$str.partition($str)[2]"),
        *_same("", "$str.lstrip($str)", "$str.encode('utf-8').decode('latin-1')", "($str or $str)"),
        *_same(
            "", "$bytes.decode('latin-1')", "'{}:{}'.format($any, $int)", "%generator_expression"
        ),
        *_same("", "str(sorted($[Set(S)]))", "str($[Set(int)])", "bin($int)", "$bytes.hex()"),
        *_same("", "ascii($str)"),
        *_same("", "', '.join(str(q) for q in $[List(int)])", "$str.expandtabs(4)"),
        *_same("", "type($U).__name__", "('%s' % ($U,))", "('%d' % $U)", "format($U, '>5')"),
        *_same("", "''.join(sorted($str))", "''.join(reversed($str))", "($float).hex()"),
    ],
    "Bytes": [
        *_same(
            "", "($bytes + $bytes)", "$bytes[$index:$index]", "$str.encode()", "bytes($bytearray)"
        ),
        *_same("", "bytes([$int & 255, $int])", "($bytes * $small)", "$bytes[::$step]"),
        *_same("", "$bytes.replace($bytes, $bytes)", "$bytes.upper()", "$bytes.strip()"),
        *_same(
            "",
            "$bytes.split($bytes)[0]",
            "b','.join([$bytes, $bytes])",
            "($int & 255).to_bytes(2, 'big')",
        ),
    ],
    "ByteArray": [
        *_same("", "bytearray($bytes)", "($bytearray + $bytes)", "$bytearray[$index:$index]"),
        *_same("", "bytearray($bytearray)"),
    ],
    "List": [
        *_same("", "($self + $self)", "$self[$index:$index]", "$self[::$step]", "($self * $small)"),
        *_same("", "%list_comprehension", "list($[VarTuple(T)])", "[*$self, $T]", "$self.copy()"),
        *_same(
            "", "list(reversed($self))", "list($[Dict(int, T)].values())", "%generator_expression"
        ),
        *_same("T:ordered", "sorted($self)", "sorted($self, reverse=True)"),
        *_same("T:hashable", "list($[Dict(T, int)])"),
        *_same("T:Int", "list(range($small))", "list($bytes)", "[len(q) for q in $[List(str)]]"),
        *_same("T:Int", "list(map(len, $[List(str)]))", "list(map(abs, $self))"),
        *_same("T:Int", "list($[Set(int)])", "list($[Dict(int, int)].keys() & $[Set(int)])"),
        *_same("T:Int", "sorted($self, key=lambda q: -(q & 7))", "list(filter(None, $self))"),
        *_same("T:Str", "$str.split()", "$str.split($str)", "list($str)", "$str.splitlines()"),
        *_same("T:Str", "list(map(str, $[List(int)]))", "sorted($self, key=len)"),
        *_same("T:pair", "list(zip($[List(First)], $[List(Second)]))"),
    ],
    "Set": [
        *_same("", "($self | $self)", "($self & $self)", "($self - $self)", "($self ^ $self)"),
        *_same("", "set($[List(T)])", "%set_comprehension", "$self.union($[List(T)])"),
        *_same("", "set($[Dict(T, int)])", "$self.copy()", "%generator_expression"),
    ],
    "Dict": [
        *_same("", "%dict_comprehension", "$self.copy()", "dict(zip($[List(K)], $[List(V)]))"),
        *_same("", "($self | $self)", "{**$self, $K: $V}", "dict($self)"),
    ],
    "Tuple": [("", "%tuple_of")],
    "VarTuple": [
        *_same("", "($self + $self)", "($self * $small)", "$self[$index:$index]", "$self[::$step]"),
        *_same("", "tuple($[List(T)])", "tuple($self)", "tuple(q for q in $[List(T)])"),
        *_same("", "($self + ($T,))", "(($T, $T) + $self)", "(*$self, $T)", "(() + $self)"),
        *_same("", "[(), ($T,), ($T, $T)][$index]", "($self or $self)", "tuple($self)"),
        *_same("T:hashable", "tuple($[Dict(T, int)])"),
        *_same("T:ordered", "tuple(sorted($self))", "max($self, $self)"),
        *_same("T:Int", "tuple(range($small))", "tuple(map(len, $[List(str)]))"),
        *_same("T:Str", "tuple($str)", "tuple(map(str, $[VarTuple(int)]))"),
    ],
    "Option": [
        *_same("", "$T", "($T if $bool else None)", "$[Dict(str, T)].get($str)"),
        *_same("", "$[List(self)][$index]"),
    ],
    "Number": [
        *_same("", "$T", "$V", "($T if $bool else $V)", "[$T, $V][$index]", "sum($[List(self)])"),
        *_same("", "($self + $self)", "($self - $self)", "($self * $self)", "($self // $self)"),
        *_same("", "($self % $self)", "(-$self)", "abs($self)", "round($self, $small)"),
        *_same("", "($self + $int)", "($float * $self)", "($self or $self)", "divmod($self, 3)[1]"),
    ],
    "Union": [
        *_same("", "$T", "$V", "($T if $bool else $V)", "[$T, $V][$index]", "($self or $self)"),
        *_same("", "max([$T, $V], key=repr)", "[*$[List(self)], $T][$index]", "($self and $V)"),
    ],
    "Instance": [("", "%creation"), ("", "%creation")],
}
