"""Arguments may be called like anything that generated C++ uses beside them: they hide nothing."""

import re
import shutil

import pytest

# Words of C++ that SIDL refuses as names, and its own.
REFUSED = set(
    [
        "array",
        "auto",
        "bool",
        "catch",
        "char",
        "class",
        "const",
        "const_cast",
        "double",
        "enum",
        "explicit",
        "false",
        "if",
        "inline",
        "inout",
        "int",
        "long",
        "namespace",
        "operator",
        "out",
        "private",
        "protected",
        "public",
        "return",
        "self",
        "static",
        "static_cast",
        "string",
        "struct",
        "super",
        "this",
        "true",
        "try",
        "typedef",
        "using",
        "virtual",
        "void",
    ]
)
KINDS = [
    "in int {}",
    "out string {}",
    "inout array<double> {}",
    "in P {}",
    "inout S {}",
    "in array<E> {}",
]


def sidl_with(names):
    """Classes, one of which extends the other, with methods that have arguments of these names."""
    groups = [[]]
    for name in names:
        others = {other.lower() for other in groups[-1]}
        if len(others) == 40 or name.lower() in others:
            groups.append([])
        groups[-1].append(name)
    methods, statics = "", ""
    for number, group in enumerate(groups):
        arguments = [KINDS[at % len(KINDS)].format(name) for at, name in enumerate(group)]
        text = ", ".join([*arguments, "in rarray<int,1> zr(zn)", "in int zn"])
        methods += f"nonblocking array<P> m{number}({text}) throws X;\n"
        statics += f"static S s{number}({text});\n"
    return (
        "package hides version 1.0 { enum E { one } struct S { int n; string s; array<int> a; }\n"
        f"class X extends sidl.SIDLException {{}} class P {{ {methods}{statics} }}\n"
        f"class Q extends P {{ {methods} }} }}\n"
    )


@pytest.fixture(scope="module")
def folder(run, sidlc, tmp_path_factory):
    """What is generated for arguments called like every name in what was generated before."""
    made = tmp_path_factory.mktemp("hidden")

    def generate(names, at):
        source = made / "hides.sidl"
        source.write_text(sidl_with(names))
        run([sidlc, "--server=c++", "--generate-hooks", "-o", made / at, source])

    generate(["zy"], "plain")
    texts = [path.read_text() for path in sorted((made / "plain").glob("*.?xx"))]
    code = re.sub(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', "", "".join(texts), flags=re.S)
    # Symbols that begin with the package's name are left to it.
    names = set(re.findall(r"\b(?!hides_)[A-Za-z]\w*", code)) - REFUSED - {"zy", "zr", "zn"}
    names.add("Impl")  # which there was
    assert {"P_impl", "Q_impl", "hides", "sidl_rmi_send", "std", "d_super_self"} <= names
    generate(sorted(names), "hiding")
    return made / "hiding"


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
@pytest.mark.parametrize("name", ["P", "Q"])
def test_arguments_hide_nothing(name, compiler, folder, tree, root, run):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} here")
    folders = [folder, tree("sidl", "c++")]
    folders += [root / "runtime" / language / "include" for language in ("cxx", "c")]
    command = [compiler, "-fsyntax-only", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    run([*command, *(f"-I{each}" for each in folders), folder / f"hides_{name}_Impl.cxx"])
