"""The same for Fortran: every generated file compiles without a warning, in the order of use."""

import re
import shutil

import pytest

# Arguments of methods that are not implemented yet are not used; and gfortran misses that an
# allocate statement sets the length of characters.
STRICT = ["-fsyntax-only", "-std=f2018", "-pedantic", "-Wall", "-Wextra", "-Werror",
          "-Wno-unused-dummy-argument", "-Wno-uninitialized",
          "-Wno-maybe-uninitialized"]  # fmt: skip
TREES = ["kitchen_sink", "macros", "demo", "family", "values", "arrays"]
LONGEST_LINE = 132  # of Fortran; comments may be longer
LONG = "aNameThatGoesOnUntilItIsTooLongForFortranAndForALineWithAPackageBeforeIt"
# What generated code, Fortran or an implementation need themselves.
NAMES = f"""
package names version 1.0 {{
  class Taken {{
    void ctor(in int n);
    void dtor();
    void load(in string load);
    int m(in int m);
    int type(in int type);
    int Info(in int info);
    void finalise();
    int transfer(in int transfer, in int associated, in int c_intptr_t, in string trim);
    void outs(out array<int> associated, out string transfer, in array<string> lbound,
              in int thrown, in int data, in bool logical, in string character);
    array<int> arrays(in array<Taken> of, out array<Taken> handles);
    double {LONG}{LONG}(in int {LONG}, out array<int> {LONG}s);
  }}
  class {LONG} extends Taken {{ int m(in int m); }}
  class Mesh {{
    void add(in Taken names_taken, in array<Taken> Names_Taken_);
    Taken found(in int names_Taken);
    int go(in int names_mesh, in int sidl_array, out Mesh sidl_BaseException);
    int epv(in int epv_);
    int epv_(in int epv);
  }}
}}
"""


def in_order_of_use(sources):
    """The sources, each behind those whose modules it uses."""
    texts = {source: source.read_text() for source in sources}
    home = {
        name.lower(): source
        for source, text in texts.items()
        for name in re.findall(r"^module (\w+)$", text, re.MULTILINE)
    }
    done = []

    def add(source):
        if source in done:
            return
        for name in re.findall(r"^ *use (\w+)", texts[source], re.MULTILINE):
            other = home.get(name.lower(), source)
            if other != source:
                add(other)
        done.append(source)

    for source in sources:
        add(source)
    return done


@pytest.fixture
def compiles(stage, run, tmp_path):
    """compiles(folder): the modules in it compile."""

    def check(folder):
        sources = in_order_of_use(sorted(folder.glob("*.f90")))
        assert sources
        for source in sources:
            run(["gfortran", *STRICT, f"-I{stage}/include/shinar/fortran", source], cwd=tmp_path)

    return check


@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_sources_compile(name, tree, compiles):
    compiles(tree(name, "fortran"))


@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
def test_any_names_compile(compiles, sidlc, run, tmp_path):
    source = tmp_path / "na\nmes.sidl"
    source.write_text(NAMES)
    run([sidlc, "--server=fortran", "-o", tmp_path / "out", source,
         "--impl-dir", tmp_path / "out"])  # fmt: skip
    compiles(tmp_path / "out")


# What the Impl's method says of the parts of its struct.
PARTS = """
package parts version 1.0 {
  enum Kind { ash, gas }
  struct Inner { Kind kind; }
  struct Particle { Inner inner; }
  class Kernel { void run(inout Particle p); }
}
"""


@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
def test_an_impl_has_names_for_all_parts_of_a_struct(compiles, sidlc, run, tmp_path):
    (tmp_path / "parts.sidl").write_text(PARTS)
    out = tmp_path / "out"
    run([sidlc, "--server=fortran", "-o", out, tmp_path / "parts.sidl", "--impl-dir", out])
    impl = out / "parts_Kernel_Impl.f90"
    begin, rest = impl.read_text().split("splicer.begin(parts.Kernel.run)\n")
    _, end = rest.split("    ! DO-NOT-DELETE splicer.end(parts.Kernel.run)")
    body = "    p%inner = parts_Inner(parts_Kind_gas)\n"
    marks = "    ! DO-NOT-DELETE splicer.end(parts.Kernel.run)"
    impl.write_text(f"{begin}splicer.begin(parts.Kernel.run)\n{body}{marks}{end}")
    compiles(out)


@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
@pytest.mark.parametrize("name", ["demo", "family"])
def test_skeletons_have_no_static_lengths(name, tree, stage, run, tmp_path):
    """gfortran 12 keeps the length of a function's string in a static variable of its caller. The
    tests of threads had no Fortran server whose objects give back strings at once."""
    for source in in_order_of_use(sorted(tree(name, "fortran").glob("*.f90"))):
        run(["gfortran", "-c", f"-I{stage}/include/shinar/fortran", source], cwd=tmp_path)
    skeletons = sorted(tmp_path.glob("*_Skel.o"))
    assert skeletons
    for each in skeletons:
        assert " slen." not in run(["nm", each]).stdout, each.name


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_c_files_compile(name, root, tree, run, run_on_all):
    folder = tree(name, "fortran")
    folders = [folder, tree("sidl", "c"), root / "runtime" / "c" / "include"]
    options = ["-fsyntax-only", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    sources = [*folder.glob("*_Skel.c"), *folder.glob("*_fortran.c")]
    run_on_all(["gcc", *options, *(f"-I{each}" for each in folders)], sources)


@pytest.mark.parametrize("name", ["sidl", *TREES])
def test_files_are_neat(name, tree):
    for path in tree(name, "fortran").glob("*.f90"):
        text = path.read_text()
        assert text.startswith(f"! {path.name}: "), path.name
        assert text.endswith("\n") and not text.endswith("\n\n"), path.name
        assert "\n\n\n" not in text and "\t" not in text, path.name
        for number, line in enumerate(text.splitlines(), 1):
            assert not line.endswith(" "), f"{path.name}:{number}"
            is_code = not line.lstrip().startswith("!")
            assert not is_code or len(line) <= LONGEST_LINE, f"{path.name}:{number}: {line}"


@pytest.mark.parametrize("name", [*TREES, "long_names"])
def test_names_are_short_enough(name, tree):
    for path in tree(name, "fortran").glob("*.f90"):
        code = re.sub(r"'[^']*'|!.*", "", path.read_text())
        longest = max(re.findall(r"\w+", code), key=len)
        assert len(longest) <= 63, f"{path.name}: {longest}"


# A package of structs: nothing in it has arrays of the first three.
GEO = """
package geo version 1.0 {
  struct Point { double x; double y; }
  struct Name { string text; }
  struct Row { int n; rarray<double,1> values(n); sidl.BaseClass owner; }
  struct Often { int n; }
  struct Cut { int n; }
  class Norm {
    double of(in Point p, in Name n, in Row r, in Cut c);
    int count(in array<Often> all);
  }
}
"""
# And packages that have, made without it.
MESH = """
package mesh version 1.0 {
  struct Held { array<geo.Cut> cuts; }
  class Mesh {
    array<geo.Point> points(in array<geo.Point> near, inout array<geo.Point> own);
    array<geo.Name> names(in array<geo.Name> near, inout array<geo.Name> own);
    array<geo.Row> rows(in array<geo.Row> near, inout array<geo.Row> own);
    array<geo.Often> counts(in array<geo.Often> near);
    Held held();
  }
  class Finer extends Mesh { int finer(); }
}
"""
OTHER = "package other version 1.0 { class Mesh { void take(inout array<geo.Point> points); } }\n"
USER = """
program user
  use sidl
  use geo
  use mesh
  use mesh__geo_Point
  use mesh__geo_Name
  use mesh__geo_Cut
  implicit none
  type(mesh_Mesh) :: m
  type(mesh_Held) :: held
  type(geo_Point) :: near(2), point
  type(geo_Point), pointer :: own(:), points(:)
  type(geo_Cut) :: cut
  type(geo_Name) :: names(2)
  type(geo_Often) :: often(2), one
  type(sidl_array) :: some
  call sidl_allocate(own, [2])
  call m%points(near, own, points)
  call sidl_free(points)
  call sidl_free(own)
  call sidl_make_structs(some%d_array, near)
  call sidl_get(some%d_array, [1], point)
  call sidl_make_structs(some%d_array, names)
  call sidl_make_structs(some%d_array, often)
  call sidl_get(some%d_array, [1], one)
  call m%held(held)
  call sidl_get(held%cuts%d_array, [1], cut)
end program user
"""


@pytest.mark.skipif(not shutil.which("gfortran"), reason="no gfortran here")
def test_arrays_of_another_packages_structs(compiles, sidlc, run, tmp_path):
    for name, text in [("geo", GEO), ("mesh", MESH), ("other", OTHER)]:
        source = tmp_path / f"{name}.sidl"
        source.write_text(text)
        uses = [] if name == "geo" else ["--include", tmp_path / "geo.sidl"]
        run([sidlc, "--server=fortran", *uses, "-o", tmp_path / "out", source,
             "--impl-dir", tmp_path / "out"])  # fmt: skip
    own = (tmp_path / "out/geo.f90").read_text()
    assert "geo_Often__get" in own
    for name in "Point", "Name", "Row", "Cut":
        assert f"geo_{name}__get" not in own
    mesh = (tmp_path / "out/mesh.f90").read_text()
    assert mesh.count("end subroutine geo_Point__foreign_get64\n") == 1
    (tmp_path / "out/user.f90").write_text(USER)
    compiles(tmp_path / "out")
