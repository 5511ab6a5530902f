"""Two versions of a struct in one program in C++: code that knows one never touches the other.

The name of a C struct does not tell its layout, so no function over it may be a symbol that two
libraries share, in builds without inlining as well.
"""

import re

import pytest

STRUCT = """package q version {version}.0 {{
  enum E {{ a, b }};
  struct Inner {{ {members} string s; E e; }};
  struct P {{ {members} Inner inner; array<double> d; array<E> es; fcomplex z; bool t; }};
  class O {{ P whole(in P p, out P o, inout P io); }}
}}
"""
MEMBERS = {1: "long a;", 2: "long a; long b; long c;"}
USE = r"""
#include <cstdio>
#include "q.hxx"
static void fill(q::P& p, long first) {
  q::Inner inner;
  p.a = first;
  inner.a = first + 1;
  LAST
  inner.set_s("inner");
  inner.set_e(q::E_b);
  p.set_inner(inner);
}
static bool is_filled(const q::P& p, long first) {
  const q::Inner inner = p.get_inner();
  return p.a == first && inner.a == first + 1 && inner.get_s() == "inner" && IS_LAST;
}
extern "C" int use_VERSION() {
  struct { long before; q::P p; long between; q::P moved; long behind; } all{77, {}, 78, {}, 79};
  fill(all.p, 10);
  all.moved = std::move(all.p);
  q::P other(all.moved);
  std::swap(other, all.moved);
  fill(all.p, 20);
  const bool ok = all.before == 77 && all.between == 78 && all.behind == 79 &&
                  is_filled(other, 10) && is_filled(all.moved, 10) && is_filled(all.p, 20);
  if (!ok) std::printf("version VERSION is wrong\n");
  return ok ? 0 : 1;
}
"""
LAST = {1: ("", "true"), 2: ("p.c = first + 2; inner.c = first + 3;", "p.c == first + 2")}
MAIN = 'extern "C" int use_1(); extern "C" int use_2(); int main() { return use_1() + use_2(); }\n'


@pytest.fixture(scope="module", params=["g++", "clang++"])
def built(request, tmp_path_factory, stage, run):
    """A folder, how to compile, and by version a library of somebody who uses the struct."""
    folder = tmp_path_factory.mktemp("layouts")
    include = f"-I{stage / 'include' / 'shinar'}"
    compile_ = [request.param, "-std=c++17", "-O0", "-fPIC", include]
    compile_c = [request.param.replace("clang++", "clang").replace("g++", "gcc"), "-fPIC", include]
    made = {}
    for version, members in MEMBERS.items():
        own = folder / str(version)
        own.mkdir()
        (own / "q.sidl").write_text(STRUCT.format(version=version, members=members))
        run([stage / "bin" / "sidlc", "--client=c++", "-o", own / "gen", own / "q.sidl"])
        last, is_last = LAST[version]
        text = USE.replace("VERSION", str(version)).replace("IS_LAST", is_last)
        (own / "use.cpp").write_text(text.replace("LAST", last))
        run([*compile_, f"-I{own / 'gen'}", "-c", own / "use.cpp", "-o", own / "use.o"])
        parts = [own / "use.o"]
        for source in sorted((own / "gen").glob("*_IOR.c")):
            parts.append(own / f"{source.stem}.o")
            run([*compile_c, f"-I{own / 'gen'}", "-c", source, "-o", parts[-1]])
        made[version] = folder / f"libq{version}.so"
        libraries = [f"-L{stage / 'lib'}", "-lsidl", f"-Wl,-rpath,{stage / 'lib'}"]
        run([request.param, "-shared", *parts, *libraries, "-o", made[version]])
    return folder, compile_, made


@pytest.mark.parametrize("first", [1, 2])
def test_each_keeps_to_its_own(built, stage, run, first):
    folder, compile_, made = built
    (folder / "main.cpp").write_text(MAIN)
    program = folder / f"program{first}"
    libraries = [made[first], made[3 - first], f"-Wl,-rpath-link,{stage / 'lib'}"]
    run([*compile_, folder / "main.cpp", *libraries, "-o", program])
    assert run([program]).stdout == ""


def test_no_shared_symbol_is_of_a_struct(built, run):
    """All that is weak and has a C struct in its name has its layout there, too."""
    for library in built[2].values():
        names = run(["nm", "-C", library]).stdout.splitlines()
        shared = [each for each in names if re.search(r" [WVu] .*q_\w+__data", each)]
        assert shared
        wrong = [each for each in shared if not re.search(r"_v[0-9a-f]{16}|\[abi:v", each)]
        assert not wrong, "\n".join(wrong)
