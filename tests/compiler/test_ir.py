"""What sidlc understood: the promises of compiler/ir/sidl_ir.proto, checked on --emit=ir-json."""

import itertools
import json

import pytest


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


@pytest.fixture
def compile_ir(sidlc, run, tmp_path):
    """compile_ir(text) gives the IR of a program as a dictionary."""

    def compile_it(text):
        (tmp_path / "input.sidl").write_text(text)
        done = run([sidlc, "--emit=ir-json", "input.sidl"], cwd=tmp_path)
        return json.loads(done.stdout)

    return compile_it


@pytest.fixture
def types(compile_ir):
    """types(body) gives the types of `package t version 1.0 { body }` by name."""

    def of(body):
        module = compile_ir("package t version 1.0 {\n" + body + "\n}")
        return {item["name"]: item for item in module["types"]}

    return of


def methods_of(item):
    return {method["long_name"]: method for method in item["object"].get("methods", [])}


def slots_of(table, name):
    """(introducer, long name, owner, abstract) of each slot."""
    result = []
    for slot in table[name]["object"]["slots"]:
        introducer = table[slot["introducer"]]["object"]["methods"]
        method = introducer[slot.get("introducer_method", 0)]["long_name"]
        owner = table[slot["owner"]]["object"]["methods"][slot.get("owner_method", 0)]
        assert owner["long_name"] == method
        short = [slot[key].rsplit(".", 1)[1] for key in ("introducer", "owner")]
        result.append((short[0], method, short[1], slot.get("abstract", False)))
    return result


BASE = ["addRef", "deleteRef", "isSame", "isType", "getClassInfo"]
HIERARCHY = """
  interface Shape { double area(); double scale(in double by); }
  interface Named { string getName(); }
  interface Both extends Shape, Named { void both(); double area(); }
  class Square implements-all Shape { void own(); static Square make(); }
  class Label extends Square implements Both {
    string getName(); void both(); double area();
  }
  abstract class Half implements Both { double area(); abstract void more(); }
"""


def test_slots_of_interfaces(types):
    table = types(HIERARCHY)
    base = [("BaseInterface", name, "BaseInterface", True) for name in BASE]
    assert slots_of(table, "t.Shape") == base + [
        ("Shape", "area", "Shape", True),
        ("Shape", "scale", "Shape", True),
    ]
    assert slots_of(table, "t.Both") == base + [
        ("Shape", "area", "Both", True),
        ("Shape", "scale", "Shape", True),
        ("Named", "getName", "Named", True),
        ("Both", "both", "Both", True),
    ]


def test_slots_of_classes(types):
    table = types(HIERARCHY)
    base = [("BaseInterface", name, "BaseClass", False) for name in BASE]
    square = base + [
        ("Shape", "area", "Square", False),
        ("Shape", "scale", "Square", False),
        ("Square", "own", "Square", False),
    ]
    assert slots_of(table, "t.Square") == square
    label = slots_of(table, "t.Label")
    assert [slot[:2] for slot in label[: len(square)]] == [slot[:2] for slot in square]
    assert label[len(base) :] == [
        ("Shape", "area", "Label", False),
        ("Shape", "scale", "Square", False),
        ("Square", "own", "Square", False),
        ("Named", "getName", "Label", False),
        ("Both", "both", "Label", False),
    ]
    assert slots_of(table, "t.Half")[len(base) :] == [
        ("Shape", "area", "Half", False),
        ("Shape", "scale", "Shape", True),
        ("Named", "getName", "Named", True),
        ("Both", "both", "Both", True),
        ("Half", "more", "Half", True),
    ]


def test_every_table_begins_with_its_first_parent(types):
    table = types(HIERARCHY)
    for item in table.values():
        if "object" not in item:
            continue
        body = item["object"]
        parent = body.get("parent") or (body.get("direct_interfaces") or [None])[0]
        if parent is None:
            continue
        inherited = [slot[:2] for slot in slots_of(table, parent)]
        assert [slot[:2] for slot in slots_of(table, item["name"])][: len(inherited)] == inherited


def test_lineage(types):
    table = types(HIERARCHY)
    label = table["t.Label"]["object"]
    assert label["parent"] == "t.Square"
    assert label["ancestors"] == ["t.Square", "sidl.BaseClass"]
    assert label["direct_interfaces"] == ["t.Both"]
    assert label["interfaces"] == ["t.Shape", "t.Named", "t.Both"]
    assert table["t.Both"]["object"]["interfaces"] == ["t.Shape", "t.Named"]
    assert table["t.Shape"]["object"]["direct_interfaces"] == ["sidl.BaseInterface"]
    assert "interfaces" not in table["t.Shape"]["object"]
    assert table["t.Square"]["object"]["ancestors"] == ["sidl.BaseClass"]
    assert "parent" not in table["sidl.BaseClass"]["object"]


def test_diamond_has_one_slot_and_the_nearest_owner(types):
    table = types(
        """
        interface Top { void f(); }
        interface Left extends Top { }
        interface Right extends Top { void f(); }
        interface Bottom extends Left, Right {}
        class C implements-all Bottom {}
        """
    )
    assert slots_of(table, "t.Bottom")[5:] == [("Top", "f", "Right", True)]
    assert slots_of(table, "t.C")[5:] == [("Top", "f", "C", False)]


def test_wide_diamonds_take_no_time(types):
    levels = 40
    body = "interface A0 { void f(); } interface B0 { void g(); }\n"
    for i in range(1, levels):
        body += f"interface A{i} extends A{i - 1}, B{i - 1} {{ }}\n"
        body += f"interface B{i} extends B{i - 1}, A{i - 1} {{ }}\n"
    table = types(body + f"class C implements-all A{levels - 1}, B{levels - 1} {{}}")
    assert len(slots_of(table, "t.C")) == len(BASE) + 2


def test_long_chains(types):
    body = "class C0 { void f(); }\n"
    body += "".join(f"class C{i} extends C{i - 1} {{}}\n" for i in range(1, 300))
    table = types(body)
    assert len(table["t.C299"]["object"]["ancestors"]) == 300


def test_implements_all(types):
    table = types(
        """
        interface I { /** Says f. */ void f() throws sidl.SIDLException; void g(in int a); }
        class C implements-all I { void g(in int b); void h(); }
        class E extends sidl.SIDLException {}
        class All implements-all sidl.BaseException {}
        """
    )
    methods = methods_of(table["t.C"])
    assert list(methods) == ["g", "h", "f"]
    assert methods["f"]["from_implements_all"]
    assert methods["f"]["doc"] == "Says f."
    assert methods["f"]["throws"] == ["sidl.SIDLException"]
    assert not methods["f"].get("abstract")
    assert not methods["g"].get("from_implements_all")
    assert methods["g"]["arguments"][0]["name"] == "b"
    # sidl.BaseInterface is implemented by sidl.BaseClass, once and for all.
    assert set(methods_of(table["t.All"])).isdisjoint(BASE)
    assert {"packObj", "getNote", "addLine"} <= set(methods_of(table["t.All"]))
    assert table["t.E"]["object"]["is_exception"]
    assert table["t.All"]["object"]["is_exception"]
    assert not table["t.C"]["object"].get("is_exception")


def test_ids_and_digests(types):
    table = types(
        """
        enum E { a }
        struct P { double x; }
        interface I {
          double solve[Raw](in array<double,2> m, inout P p, out E e, in sidl.BaseClass c);
          void nothing();
          array<string> names();
        }
        """
    )
    assert int(table["t.I"]["id"]) == fnv1a("t.I")
    assert int(table["sidl.BaseClass"]["id"]) == fnv1a("sidl.BaseClass")
    methods = methods_of(table["t.I"])
    e = f"t.E#{fnv1a('enum t.E{a=0;}'):016x}"
    p = f"t.P#{fnv1a('struct t.P{double x;}'):016x}"
    expected = f"double solveRaw(in array<double,2>,inout {p},out {e},in sidl.BaseClass)"
    assert int(methods["solveRaw"]["digest"]) == fnv1a(expected)
    assert int(methods["nothing"]["digest"]) == fnv1a("void nothing()")
    assert int(methods["names"]["digest"]) == fnv1a("array<string,1> names()")


def test_digests_of_structs_that_contain_arrays_of_each_other(types):
    """Each has the contents of all of them, in whatever order they are declared."""
    oak = "struct Oak { array<Elm> near; Key key; }"
    elm = "struct Elm { int age; array<Oak,2> near; array<Elm> young; }"
    key = "struct Key { array<Oak> of; }"
    user = "interface I { void f(in Oak o); void g(in Elm e); }"

    def digests(*structs):
        methods = methods_of(types(" ".join([*structs, user]))["t.I"])
        return [int(methods[name]["digest"]) for name in "fg"]

    texts = [
        "struct t.Oak{array<t.Elm,1> near;t.Key key;}",
        "struct t.Elm{int age;array<t.Oak,2> near;array<t.Elm,1> young;}",
        "struct t.Key{array<t.Oak,1> of;}",
    ]
    all_of_them = "".join(f"{each:016x}" for each in sorted(map(fnv1a, texts)))
    of_oak, of_elm = (fnv1a(f"structs t.{name}:{all_of_them}") for name in ("Oak", "Elm"))
    expected = [fnv1a(f"void f(in t.Oak#{of_oak:016x})"), fnv1a(f"void g(in t.Elm#{of_elm:016x})")]
    for order in itertools.permutations([oak, elm, key]):
        assert digests(*order) == expected
    changed = digests(oak, elm.replace("int age", "long age"), key)
    assert all(now != before for now, before in zip(changed, expected, strict=True))


def test_overloads(types):
    methods = methods_of(types("interface I { void f(); void f[One](in int a); }")["t.I"])
    one = methods["fOne"]
    assert (one["name"], one["extension"], one["long_name"]) == ("f", "One", "fOne")
    assert "extension" not in methods["f"]


@pytest.mark.parametrize(
    "items, values",
    [
        ("a, b, c", [0, 1, 2]),
        ("red, green = 5, blue", [0, 5, 1]),
        ("a = 2, b, c = 1, d, e,", [2, 0, 1, 3, 4]),
        ("a = -1, b, c = 0x10, d = 010", [-1, 0, 16, 8]),
        ("a = 2147483647, b = - 2147483648", [2147483647, -2147483648]),
    ],
)
def test_enum_values(items, values, types):
    enum = types(f"enum E {{ {items} }}")["t.E"]["enumeration"]
    assert [item.get("value", 0) for item in enum["enumerators"]] == values


def test_dependency_order(compile_ir):
    module = compile_ir(
        """
        package t version 1.0 {
          class C extends B {}
          struct Outer { Inner i; }
          class B implements-all I {}
          struct Inner { int a; }
          interface I extends J { void f(); }
          interface J {}
        }
        """
    )
    order = [item["name"] for item in module["types"]]
    for first, second in ["JI", "IB", "BC", ("Inner", "Outer"), ("I", "B")]:
        assert order.index(f"t.{first}") < order.index(f"t.{second}")


def test_only_needed_types_come_along(types):
    table = types("interface I { void f(); }")
    assert {name for name in table if name.startswith("sidl.rmi")} == set()
    external = {name for name, item in table.items() if item.get("external")}
    assert external == set(table) - {"t.I"}
    assert {"sidl.BaseInterface", "sidl.BaseClass", "sidl.RuntimeException"} <= external
    table = types("interface I { void f() throws sidl.rmi.NetworkException; }")
    assert {"sidl.rmi.NetworkException", "sidl.io.IOException", "sidl.rmi.RequestFate"} <= set(
        table
    )


def test_packages(compile_ir):
    module = compile_ir(
        """
        /** First. */
        package a version 1.2 {
          package b { enum E { x } }
          package c version 3 { enum F { x } }
        }
        package d.e version 2.0 { enum G { x } }
        package a { enum H { x } }
        final package f version 1 { }
        """
    )
    packages = {p["name"]: p for p in module["packages"] if not p.get("external")}
    assert list(packages) == ["a", "a.b", "a.c", "d", "d.e", "f"]
    versions = {name: item["version"] for name, item in packages.items()}
    assert versions == {"a": "1.2", "a.b": "1.2", "a.c": "3", "d": "2.0", "d.e": "2.0", "f": "1"}
    assert packages["a"]["doc"] == "First."
    assert packages["f"]["final"]
    assert {t["name"]: t["version"] for t in module["types"] if t["name"][0] in "ad"} == {
        "a.b.E": "1.2",
        "a.c.F": "3",
        "d.e.G": "2.0",
        "a.H": "1.2",
    }


def test_names_are_found_from_the_inside_out(compile_ir):
    module = compile_ir(
        """
        package a version 1.0 {
          enum E { x }
          package b {
            enum E { x }
            interface I { void f(in E inner, in a.E outer, in .a.E absolute, in b.E also); }
            interface J { void f(in Inner.E e, in Only o); }
            package Inner { enum E { x } }
          }
          enum Only { x }
        }
        """
    )
    table = {item["name"]: item for item in module["types"]}

    def argument_types(name):
        arguments = table[name]["object"]["methods"][0]["arguments"]
        return [argument["type"]["name"] for argument in arguments]

    assert argument_types("a.b.I") == ["a.b.E", "a.E", "a.E", "a.b.E"]
    assert argument_types("a.b.J") == ["a.b.Inner.E", "a.Only"]


def test_imports(compile_ir):
    module = compile_ir(
        """
        require sidl version 0.9.17;
        import sidl.io;
        import sidl.rmi.Ticket2;
        package t version 1.0 { interface I { void f(in Serializer s); } }
        """.replace("import sidl.rmi.Ticket2;", "import sidl.rmi.Invocation version 0.9.17.0;")
    )
    names = [item["name"] for item in module["types"]]
    assert "sidl.io.Serializer" in names


def test_doc_comments(types):
    table = types(
        """
        /** One line. */
        enum A { /** The first. */ x, /* no doc */ y }
        /**
         * First line.
         *
         *   indented
         * last
         */
        struct B {
          /** About m. */
          int m;
        }
        /**/ interface C {
          /** Old. */
          /** New. */
          void f();
          // not a doc comment
          void g();
        }
        /**
           Without stars,
             indented.
        **/
        final class D {}
        """
    )
    assert table["t.A"]["doc"] == "One line."
    assert [e.get("doc") for e in table["t.A"]["enumeration"]["enumerators"]] == [
        "The first.",
        None,
    ]
    assert table["t.B"]["doc"] == "First line.\n\n  indented\nlast"
    assert table["t.B"]["structure"]["members"][0]["doc"] == "About m."
    assert "doc" not in table["t.C"]
    assert methods_of(table["t.C"])["f"]["doc"] == "New."
    assert "doc" not in methods_of(table["t.C"])["g"]
    assert table["t.D"]["doc"] == "Without stars,\n  indented."


def test_spans(compile_ir):
    module = compile_ir("package t version 1.0 {\n  enum Größe".replace("öß", "os") + " { a }\n}\n")
    assert module["files"] == ["input.sidl"]
    (enum,) = [item for item in module["types"] if item["name"] == "t.Grose"]
    assert enum["span"] == {"line": 2, "column": 8, "end_line": 2, "end_column": 13}
    assert all("span" not in item for item in module["types"] if item.get("external"))


def test_attributes(types):
    table = types(
        """
        abstract class A {
          abstract void a();
          final void f();
          static int s();
        }
        interface I { void m(); }
        """
    )
    assert table["t.A"]["object"]["abstract"]
    methods = methods_of(table["t.A"])
    assert methods["a"]["abstract"] and methods["f"]["final"] and methods["s"]["is_static"]
    assert "s" not in [slot[1] for slot in slots_of(table, "t.A")]
    assert methods_of(table["t.I"])["m"]["abstract"]


def test_argument_kinds(types):
    kinds = [
        "bool",
        "char",
        "int",
        "long",
        "float",
        "double",
        "fcomplex",
        "dcomplex",
        "string",
        "opaque",
    ]
    arguments = ", ".join(f"{mode} {kind} {mode}{kind}" for kind in kinds for mode in ["in", "out"])
    elements = ", ".join(f"inout array<{kind},{i % 7 + 1}> v{kind}" for i, kind in enumerate(kinds))
    table = types(f"interface I {{ void f({arguments}); array<string> g({elements}); }}")
    methods = methods_of(table["t.I"])
    seen = [argument["type"]["kind"] for argument in methods["f"]["arguments"]]
    assert seen == [kind.upper() for kind in kinds for _ in range(2)]
    for i, argument in enumerate(methods["g"]["arguments"]):
        assert argument["mode"] == "INOUT"
        expected = {"kind": "ARRAY", "element": {"kind": kinds[i].upper()}, "dimension": i % 7 + 1}
        assert argument["type"] == expected
    assert methods["g"]["result"]["element"] == {"kind": "STRING"}


def test_the_standard_library_compiles_as_input(sidlc, run, root):
    library = root / "runtime/sidl/sidl.sidl"
    module = json.loads(run([sidlc, "--emit=ir-json", library]).stdout)
    assert [item for item in module["types"] if item.get("external")] == []
    assert len(module["types"]) > 30


def test_the_same_text_gives_the_same_ir(compile_ir):
    text = "package t version 1.0 {\n" + HIERARCHY + "\n}"
    assert json.dumps(compile_ir(text)) == json.dumps(compile_ir(text))


# ---- the rest of the language --------------------------------------------------------------------


def facets_of(table, name):
    """{interface: [(introducer, long name in the class) of each slot of the interface]}"""
    slots = table[name]["object"]["slots"]
    result = {}
    for facet in table[name]["object"].get("facets", []):
        served = []
        for index in facet["slots"]:
            slot = slots[index]
            owner = table[slot["owner"]]["object"]["methods"][slot.get("owner_method", 0)]
            served.append((slot["introducer"], owner["long_name"]))
        result[facet["interface"]] = served[len(BASE) :]
    return result


def test_facets_say_where_an_interface_finds_its_methods(types):
    table = types("""
      interface A { void f(); void a(); }
      interface B { void f(); void b(); }
      interface Both extends A, B {}
      class C implements-all Both {}
      class D extends C implements-all Late {}
      interface Late { void late(); void b(); }
    """)
    assert facets_of(table, "t.C") == {
        "t.A": [("t.A", "f"), ("t.A", "a")],
        "t.B": [("t.A", "f"), ("t.B", "b")],
        "t.Both": [("t.A", "f"), ("t.A", "a"), ("t.B", "b")],
    }
    late = facets_of(table, "t.D")
    assert late.pop("t.Late") == [("t.Late", "late"), ("t.B", "b")]
    assert late == facets_of(table, "t.C")
    assert "facets" not in table["t.Both"]["object"]


def test_from_gives_equal_names_their_own_methods(types):
    table = types("""
      interface A { int f(in int a); }
      interface B { double f(in double a); }
      class C implements A, B {
        int f[Int](in int a) from A.f;
        double f[Double](in double a) from B.f;
      }
      class D extends C { int f[Int](in int a); }
      interface J extends A { int f[J](in int a) from A.f; void own(); }
      class E implements-all J {}
    """)
    assert facets_of(table, "t.C") == {"t.A": [("t.A", "fInt")], "t.B": [("t.B", "fDouble")]}
    assert facets_of(table, "t.D") == facets_of(table, "t.C")
    owners = [slot["owner"] for slot in table["t.D"]["object"]["slots"][len(BASE) :]]
    assert owners == ["t.D", "t.C"]
    assert methods_of(table["t.C"])["fInt"]["from"] == {"interface": "t.A", "long_name": "f"}
    # An interface keeps its first parent's order under the new name.
    first = table["t.J"]["object"]["slots"][len(BASE)]
    assert (first["introducer"], first["owner"]) == ("t.A", "t.J")
    assert facets_of(table, "t.E") == {
        "t.A": [("t.A", "fJ")],
        "t.J": [("t.A", "fJ"), ("t.J", "own")],
    }


def test_communication_and_copy(types):
    table = types("""
      class Packed implements-all sidl.io.Serializable {}
      interface I {
        oneway void a();
        nonblocking int b(in int x);
        local opaque c();
        copy Packed d(copy inout Packed p);
      }
    """)
    methods = methods_of(table["t.I"])
    words = ("oneway", "nonblocking", "local", "copy")
    flags = {name: [word for word in words if method.get(word)] for name, method in methods.items()}
    assert flags == {"a": ["oneway"], "b": ["nonblocking"], "c": ["local"], "d": ["copy"]}
    assert methods["d"]["arguments"][0]["copy"] is True
    assert methods["a"]["digest"] == str(fnv1a("oneway void a()"))
    assert methods["d"]["digest"] == str(fnv1a("copy t.Packed d(copy inout t.Packed)"))


def test_attribute_lists(compile_ir):
    module = compile_ir(r"""
      %attrib{home} package t version 1.0 {
        %attrib{unit = "m\n\"\101", class} abstract class C {
          %attrib{cost = ""} abstract void f(%attrib{a} %attrib{b = "c"} in int x);
        }
      }
    """)

    def plain(item):
        return [(entry["key"], entry.get("value")) for entry in item["attributes"]]

    (package,) = [item for item in module["packages"] if item["name"] == "t"]
    (type_,) = [item for item in module["types"] if item["name"] == "t.C"]
    method = methods_of(type_)["f"]
    assert plain(package) == [("home", None)]
    assert plain(type_) == [("unit", 'm\n"A'), ("class", None)]
    assert plain(method) == [("cost", "")]
    assert plain(method["arguments"][0]) == [("a", None), ("b", "c")]


def test_arrays_of_every_kind(types):
    table = types("""
      struct S { int n; rarray<double,2> a(n, 3*(n+1)); array<> any; sidl.BaseClass c; opaque o; }
      interface I {
        array<> f(in array<int,row-major> a, in array<I,2,column-major> b,
                  inout rarray<dcomplex,2> c(2*n-1, m), in long n, in int m);
      }
    """)
    method = methods_of(table["t.I"])["f"]
    kinds = [argument["type"] for argument in method["arguments"]]
    assert method["result"] == {"kind": "ARRAY"}
    assert kinds[0] == {
        "kind": "ARRAY",
        "element": {"kind": "INT"},
        "dimension": 1,
        "order": "ROW_MAJOR",
    }
    assert kinds[1] == {
        "kind": "ARRAY",
        "element": {"kind": "INTERFACE", "name": "t.I"},
        "dimension": 2,
        "order": "COLUMN_MAJOR",
    }
    extents = kinds[2].pop("extents")
    assert kinds[2] == {"kind": "RARRAY", "element": {"kind": "DCOMPLEX"}, "dimension": 2}
    assert extents[0]["operators"] == ["-"]
    product = extents[0]["operands"][0]
    assert [part.get("index", part.get("text")) for part in product["operands"]] == ["2", 3]
    assert extents[0]["type"] == {"kind": "LONG"}
    assert (extents[1]["kind"], extents[1]["index"]) == ("VARIABLE", 4)
    signature = (
        "array<> f(in array<int,1,row-major>,in array<t.I,2,column-major>,"
        "inout rarray<dcomplex,2>(2 * #3 - 1,#4),in long,in int)"
    )
    assert method["digest"] == str(fnv1a(signature))
    members = table["t.S"]["structure"]["members"]
    assert [member["type"]["kind"] for member in members] == [
        "INT",
        "RARRAY",
        "ARRAY",
        "CLASS",
        "OPAQUE",
    ]
    assert members[1]["type"]["extents"][0].get("index", 0) == 0
