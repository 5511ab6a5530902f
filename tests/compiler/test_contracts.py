"""Contracts as the IR has them: every operator, literal and built-in function with its type."""

import json

import pytest

ARGUMENTS = """in bool b, in char c, in int i, in long l, in float f, in double x, in fcomplex z,
  in dcomplex w, in string s, in opaque p, in Mood mood, in C me, in Shape shape,
  in array<int> ints, in array<long> longs, in array<float> floats, in array<double> v,
  in array<double,2> m, in array<dcomplex> ws, in array<string> names, in array<> any_array,
  in rarray<double> raw(i), inout int n, out int made"""

PROGRAM = """package t version 1.0 {
  enum Mood { good, bad }
  interface Shape { double area(); ensure is pure; }
  class Base { static bool ready(); ensure is pure; }
  class C extends Base implements-all Shape {
    bool size(); ensure is pure;
    bool count(in bool flag); ensure is pure;
    bool takes(in long a, in double b, in Shape c, in array<> d); ensure is pure;
    bool narrow(in float a, in fcomplex b); ensure is pure;
    double check(ARGUMENTS);
      CLAUSE
  }
}"""


@pytest.fixture
def compile_ir(sidlc, run, tmp_path):
    """compile_ir(text) gives the types of a program by name."""

    def compile_it(text):
        (tmp_path / "input.sidl").write_text(text)
        done = run([sidlc, "--emit=ir-json", "input.sidl"], cwd=tmp_path)
        return {item["name"]: item for item in json.loads(done.stdout)["types"]}

    return compile_it


def type_of(node):
    ref = node["type"]
    if ref["kind"] in ("ARRAY", "RARRAY"):
        element = ref.get("element", {}).get("kind", "")
        return f"{ref['kind']}<{element},{ref.get('dimension', 0)}>".lower()
    return ref.get("name", ref["kind"].lower())


def shown(node):
    """(a + b):int, with the type of every node but the operands' own where it is the same."""
    operands = [shown(operand) for operand in node.get("operands", [])]
    operators = node.get("operators", [])
    kind = node["kind"]
    if kind == "CHAIN":
        text = operands[0]
        for operator, operand in zip(operators, operands[1:], strict=True):
            text += f" {operator} {operand}"
        text = f"({text})"
    elif kind == "UNARY":
        text = f"{operators[0]} {operands[0]}"
    elif kind in ("CALL", "BUILTIN"):
        text = f"{kind.lower()} {node['text']}({', '.join(operands)})"
    elif kind == "VARIABLE":
        assert node["text"] == NAMES[node.get("index", 0)]
        text = node["text"]
    else:
        text = node["text"] if kind == "LITERAL" else "result"
    return f"{text}:{type_of(node)}"


NAMES = [part.split("(")[0].split()[-1] for part in ARGUMENTS.replace(",2>", ">").split(",")]


@pytest.fixture
def expression(compile_ir):
    """expression(text) shows what became of `require text;` of the method check."""

    def show(text, clause="require"):
        program = PROGRAM.replace("ARGUMENTS", ARGUMENTS).replace("CLAUSE", f"{clause} {text};")
        methods = compile_ir(program)["t.C"]["object"]["methods"]
        (method,) = [item for item in methods if item["long_name"] == "check"]
        (assertion,) = method[clause]
        return shown(assertion["expression"])

    return show


# ---- precedence and types of operators -----------------------------------------------------------

OPERATORS = [
    ("b implies not b", "(b:bool implies not b:bool:bool):bool"),
    ("b iff b", "(b:bool iff b:bool):bool"),
    ("b or b xor b", "(b:bool or b:bool xor b:bool):bool"),
    ("b or b and b implies b", "((b:bool or (b:bool and b:bool):bool):bool implies b:bool):bool"),
    ("(b implies b) implies b", "((b:bool implies b:bool):bool implies b:bool):bool"),
    ("b and (i & l) == 1", "(b:bool and ((i:int & l:long):long == 1:int):bool):bool"),
    ("(i & i | i ^ 1) != 0", "((i:int & i:int | i:int ^ 1:int):int != 0:int):bool"),
    ("i < l == b", "((i:int < l:long):bool == b:bool):bool"),
    ("i <= x and f > l", "((i:int <= x:double):bool and (f:float > l:long):bool):bool"),
    ("i <<< l < 3", "((i:int <<< l:long):int < 3:int):bool"),
    ("l >>> 1 + 2 >= 3", "((l:long >>> (1:int + 2:int):int):long >= 3:int):bool"),
    ("i + f - 1 > 0", "((i:int + f:float - 1:int):float > 0:int):bool"),
    ("i + l * x == 0", "((i:int + (l:long * x:double):double):double == 0:int):bool"),
    ("f + z == w", "((f:float + z:fcomplex):fcomplex == w:dcomplex):bool"),
    ("x * z != w", "((x:double * z:fcomplex):dcomplex != w:dcomplex):bool"),
    (
        "i / 2 % 3 mod 4 rem l == 1",
        "((i:int / 2:int % 3:int mod 4:int rem l:long):long == 1:int):bool",
    ),
    ("2 * i ** 3 ** 2 == 1", "((2:int * (i:int ** 3:int ** 2:int):int):int == 1:int):bool"),
    ("-x ** 2 > 0", "((- x:double:double ** 2:int):double > 0:int):bool"),
    ("+i == ~l", "(+ i:int:int == ~ l:long:long):bool"),
    ("- -i == - 1", "(- - i:int:int:int == - 1:int:int):bool"),
    ("not not b", "not not b:bool:bool:bool"),
    ("((b))", "b:bool"),
    # Comparisons of what is no number.
    ("c < 'z'", "(c:char < 'z':char):bool"),
    ("c == 'z'", "(c:char == 'z':char):bool"),
    ("b != true", "(b:bool != true:bool):bool"),
    ('s == "a"', '(s:string == "a":string):bool'),
    ("p == p", "(p:opaque == p:opaque):bool"),
    ("mood == mood", "(mood:t.Mood == mood:t.Mood):bool"),
    ("mood != 1", "(mood:t.Mood != 1:int):bool"),
    ("w == 1.0", "(w:dcomplex == 1.0:double):bool"),
    ("b == b != b", "(b:bool == b:bool != b:bool):bool"),
    # A null has the type of what it is compared with.
    ("me != null", "(me:t.C != null:t.C):bool"),
    ("null == shape", "(null:t.Shape == shape:t.Shape):bool"),
    ("s != null", "(s:string != null:string):bool"),
    ("p != null", "(p:opaque != null:opaque):bool"),
    ("m != null", "(m:array<double,2> != null:array<double,2>):bool"),
    ("any_array != null", "(any_array:array<,0> != null:array<,0>):bool"),
    ("raw != null", "(raw:rarray<double,1> != null:rarray<double,1>):bool"),
]


@pytest.mark.parametrize(("text", "expected"), OPERATORS, ids=[item[0] for item in OPERATORS])
def test_operators(text, expected, expression):
    assert expression(text) == expected


LITERALS = [
    ("i", "0", "int"),
    ("i", "017", "int"),
    ("i", "0x7fffffff", "int"),
    ("i", "0x80000000", "long"),
    ("i", "2147483648", "long"),
    ("i", "1L", "long"),
    ("i", "9223372036854775807", "long"),
    ("x", "1.", "double"),
    ("x", ".5", "double"),
    ("x", "1.5e-3", "double"),
    ("x", "1d", "double"),
    ("x", "1e-999", "double"),
    ("x", "2F", "float"),
    ("x", "1.5f", "float"),
    ("b", "false", "bool"),
    ("c", "'a'", "char"),
    ("c", r"'\''", "char"),
    ("c", r"'\377'", "char"),
    ("s", r'"\"\101\n"', "string"),
    ("s", '"Grüße"', "string"),
    ("w", "{0.0, 1.0}", "dcomplex"),
    ("w", "{1, -2}", "dcomplex"),
    ("w", "{1.5f, -2}", "fcomplex"),
    ("w", "{1.5f, +2.0}", "dcomplex"),
]


@pytest.mark.parametrize(("name", "text", "kind"), LITERALS, ids=[item[1] for item in LITERALS])
def test_literals(name, text, kind, expression):
    assert expression(f"{text} == {name}").startswith(f"({text}:{kind} == {name}:")


def test_smallest_integers(expression):
    assert expression("i > -2147483648") == "(i:int > - 2147483648:int:int):bool"
    assert expression("l > -2147483649") == "(l:long > - 2147483649:long:long):bool"
    smallest = "9223372036854775808"
    assert expression(f"l > -{smallest}") == f"(l:long > - {smallest}:long:long):bool"


def test_a_complex_literal_is_its_numbers(expression):
    assert expression("w == { - 1.0 ,/* and */\n 2 }") == "(w:dcomplex == {-1.0, 2}:dcomplex):bool"


BUILTINS = [
    ("all(v > 0)", "all((v:array<double,1> > 0:int):bool):bool"),
    ("any(1L <= ints)", "any((1L:long <= ints:array<int,1>):bool):bool"),
    ("none(v == raw)", "none((v:array<double,1> == raw:rarray<double,1>):bool):bool"),
    ("none(ws != z)", "none((ws:array<dcomplex,1> != z:fcomplex):bool):bool"),
    ("nonDecr(v)", "nonDecr(v:array<double,1>):bool"),
    ("nonIncr(ints)", "nonIncr(ints:array<int,1>):bool"),
    ("range(x, 1, l)", "range(x:double, 1:int, l:long):bool"),
    ("range(v, 1, 2, 0.5)", "range(v:array<double,1>, 1:int, 2:int, 0.5:double):bool"),
    ("irange(i, 1, l)", "irange(i:int, 1:int, l:long):bool"),
    ("irange(longs, 1, 2)", "irange(longs:array<long,1>, 1:int, 2:int):bool"),
    ("nearEqual(x, 1, 1e-6)", "nearEqual(x:double, 1:int, 1e-6:double):bool"),
    ("nearEqual(w, z, f)", "nearEqual(w:dcomplex, z:fcomplex, f:float):bool"),
    (
        "nearEqual(v, raw, 0)",
        "nearEqual(v:array<double,1>, raw:rarray<double,1>, 0:int):bool",
    ),
    ("nearEqual(m, 1, 0)", "nearEqual(m:array<double,2>, 1:int, 0:int):bool"),
    # In any mix of upper and lower case.
    ("NEAREQUAL(x, x, 0)", "nearEqual(x:double, x:double, 0:int):bool"),
    ("Nondecr(v)", "nonDecr(v:array<double,1>):bool"),
]


@pytest.mark.parametrize(("text", "expected"), BUILTINS, ids=[item[0] for item in BUILTINS])
def test_builtin_conditions(text, expected, expression):
    assert expression(text) == "builtin " + expected


VALUES = [
    ("count(v != x)", "count((v:array<double,1> != x:double):bool):int"),
    ("dimen(any_array)", "dimen(any_array:array<,0>):int"),
    ("size(names)", "size(names:array<string,1>):int"),
    ("lower(m, 0)", "lower(m:array<double,2>, 0:int):int"),
    ("upper(m, i + 1)", "upper(m:array<double,2>, (i:int + 1:int):int):int"),
    ("stride(raw, 0)", "stride(raw:rarray<double,1>, 0:int):int"),
    ("min(ints)", "min(ints:array<int,1>):int"),
    ("max(floats)", "max(floats:array<float,1>):float"),
    ("max(raw)", "max(raw:rarray<double,1>):double"),
    ("sum(longs)", "sum(longs:array<long,1>):long"),
    ("sum(ws)", "sum(ws:array<dcomplex,1>):dcomplex"),
]


@pytest.mark.parametrize(("text", "expected"), VALUES, ids=[item[0] for item in VALUES])
def test_builtin_values(text, expected, expression):
    assert expression(f"{text} == 1") == f"(builtin {expected} == 1:int):bool"


# ---- methods -------------------------------------------------------------------------------------


def test_calls_of_pure_methods(expression):
    assert expression("area() > 0") == "(call area():double > 0:int):bool"
    assert expression("ready()") == "call ready():bool"
    assert expression("takes(i, f, me, v)") == (
        "call takes(i:int, f:float, me:t.C, v:array<double,1>):bool"
    )


def test_floating_literals_fit_a_float(expression):
    assert expression("narrow(-1.5, {1.0, 2})") == (
        "call narrow(- 1.5:float:float, {1.0, 2}:fcomplex):bool"
    )


def test_a_builtin_goes_first_where_its_arguments_fit(expression):
    assert expression("size()") == "call size():bool"
    assert expression("size(v) == 1") == "(builtin size(v:array<double,1>):int == 1:int):bool"
    assert expression("count(i > 1)") == "call count((i:int > 1:int):bool):bool"
    assert expression("count(b)") == "call count(b:bool):bool"
    assert expression("count(v > 1) > 0") == (
        "(builtin count((v:array<double,1> > 1:int):bool):int > 0:int):bool"
    )


def test_result_and_outputs(expression):
    assert expression("result >= made + n", "ensure") == (
        "(result:double >= (made:int + n:int):int):bool"
    )


# ---- clauses -------------------------------------------------------------------------------------


def methods_of(item):
    return {method["long_name"]: method for method in item["object"]["methods"]}


def test_clauses_stay_where_they_are_written(compile_ir):
    types = compile_ir(
        """package t version 1.0 {
          interface Stack {
            invariant not_negative: depth() >= 0; 0 <= depth();
            int depth(); ensure free: is pure; result >= 0;
            void push(in int x);
              require room: depth() < 10;
              require x > 0;
              ensure depth() > 0;
          }
          class Impl implements-all Stack {
            invariant own: depth() < 11;
            void push(in int x); ensure x != 5;
          }
        }"""
    )
    stack, impl = types["t.Stack"], types["t.Impl"]
    assert [item.get("name") for item in stack["object"]["invariants"]] == ["not_negative", None]
    assert [item["name"] for item in impl["object"]["invariants"]] == ["own"]
    push = methods_of(stack)["push"]
    assert [item.get("name") for item in push["require"]] == ["room", None]
    assert [shown_simply(item) for item in push["ensure"]] == ["depth() > 0"]
    depth = methods_of(stack)["depth"]
    assert depth["is_pure"] and [shown_simply(item) for item in depth["ensure"]] == ["result >= 0"]
    # What overrides a pure method is pure; its clauses are those of its own text.
    assert methods_of(impl)["depth"]["is_pure"] and "ensure" not in methods_of(impl)["depth"]
    assert "require" not in methods_of(impl)["push"]
    assert [shown_simply(item) for item in methods_of(impl)["push"]["ensure"]] == ["x != 5"]


def shown_simply(assertion):
    chain = assertion["expression"]
    names = {"CALL": "{text}()", "RESULT": "result"}
    left, right = (names.get(item["kind"], "{text}").format(**item) for item in chain["operands"])
    return f"{left} {chain['operators'][0]} {right}"


def test_spans(compile_ir):
    types = compile_ir(
        "package t version 1.0 { interface I {\n  void f(in int n); require a: n + 1 > 0;\n} }"
    )
    (assertion,) = methods_of(types["t.I"])["f"]["require"]
    text = "  void f(in int n); require a: n + 1 > 0;"

    def source(node):
        span = node["span"]
        assert span["line"] == span["end_line"] == 2
        return text[span["column"] - 1 : span["end_column"] - 1]

    assert source(assertion) == "a: n + 1 > 0;"
    expression = assertion["expression"]
    assert source(expression) == "n + 1 > 0"
    assert [source(item) for item in expression["operands"]] == ["n + 1", "0"]


def test_purity_follows_renamed_methods(compile_ir):
    types = compile_ir(
        """package t version 1.0 {
          interface A { int f(); ensure is pure; }
          interface B extends A { int f(); }
          interface D { int f(in double x); }
          class C implements B, D {
            invariant fA() > 0;
            int f[A]() from B.f;
            int f(in double x);
          }
        }"""
    )
    assert methods_of(types["t.B"])["f"]["is_pure"]
    methods = methods_of(types["t.C"])
    assert methods["fA"]["is_pure"] and "is_pure" not in methods["f"]


def test_contracts_of_an_included_library(sidlc, run, root, tmp_path):
    """A library's contracts are read although it is only referred to."""
    (tmp_path / "lib.sidl").write_text(
        """package lib version 1.0 {
          class Stack {
            int depth(); ensure is pure; result >= 0;
            void pop(); require depth() > 0;
          }
        }"""
    )
    (tmp_path / "use.sidl").write_text(
        "package t version 1.0 { class C extends lib.Stack { invariant depth() < 9; } }"
    )
    done = run([sidlc, "--emit=ir-json", "-I", "lib.sidl", "use.sidl"], cwd=tmp_path)
    types = {item["name"]: item for item in json.loads(done.stdout)["types"]}
    assert types["lib.Stack"]["external"]
    assert len(methods_of(types["lib.Stack"])["pop"]["require"]) == 1
    (invariant,) = types["t.C"]["object"]["invariants"]
    assert shown_simply(invariant) == "depth() < 9"


# ---- size ----------------------------------------------------------------------------------------


def test_long_and_deep_expressions(expression):
    chain = "i + " * 20000 + "i > 0"
    assert expression(chain).count("i:int") == 20001
    deep = "(" * 46 + "i" + " + 1)" * 46 + " > 0"
    assert expression(deep).count("1:int") == 46


@pytest.mark.parametrize(
    "text",
    [
        "not " * 99 + "b",
        "(" + "- " * 99 + "(" * 90 + "i" + ")" * 91 + " > 0",
        "b implies (" * 99 + "b" + ")" * 99,
        "count(" * 99 + "b" + ")" * 99,
        ("(" + "- " * 90) * 90 + "i" + ")" * 90 + " > 0",
        "x + " * 20000 + "y",
        "narrow(1.0, " * 90 + "z" + ")" * 90,
        "b and " * 20000 + "1",
        "1 < " * 20000 + "1",
    ],
)
def test_extremes_are_answered(text, sidlc, run, tmp_path):
    program = PROGRAM.replace("ARGUMENTS", ARGUMENTS).replace("CLAUSE", f"require {text};")
    (tmp_path / "input.sidl").write_text(program)
    done = run([sidlc, "--check", "input.sidl"], status=None, cwd=tmp_path, timeout=20)
    assert done.returncode == (1 if ": error: " in done.stderr else 0)
