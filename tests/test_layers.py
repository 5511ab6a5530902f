"""The dependencies of ARCHITECTURE.md, checked over the #include lines."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".c", ".h", ".cpp", ".hpp", ".cxx", ".hxx", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)  # text that a back end writes

COMPILER_LAYERS = ["diagnostics", "frontend", "sema", "ir", "codegen", "backends", "driver"]
RUNTIME_LAYERS = ["base", "object", "array", "contract", "remote"]

# Where a header named in an #include line may lie, beside the folder of the file that names it.
INCLUDE_ROOTS = [
    "compiler",
    "runtime/c/include",
    "runtime/c/src",
    "runtime/cxx/include",
    "runtime/fortran",
    "runtime/python/include",
    "runtime/java/include",
    "runtime/par",
    "protocols",
    *(str(path.relative_to(ROOT)) for path in (ROOT / "protocols").glob("*") if path.is_dir()),
    *(str(path.relative_to(ROOT)) for path in (ROOT / "tools").glob("*") if path.is_dir()),
]

# What a file in each folder may include of this tree; headers that sidlc generates are no part
# of it.
RUNTIME_PUBLIC = ["runtime/c/include", "runtime/cxx/include"]
MAY_KNOW = {
    "compiler": ["compiler"],
    "runtime/c": ["runtime/c"],
    "runtime/cxx": ["runtime/cxx", "runtime/c/include"],
    "runtime/fortran": ["runtime/fortran", "runtime/c/include"],
    "runtime/python": ["runtime/python", "runtime/c/include"],
    "runtime/java": ["runtime/java", "runtime/c/include"],
    "runtime/par": ["runtime/par", *RUNTIME_PUBLIC],
    "runtime/par/core": ["runtime/par/core"],
    "runtime/par/mpi": ["runtime/par/mpi"],
    "tools": ["tools", "protocols/trust/toml.hpp", *RUNTIME_PUBLIC],  # no interface: toml++ alone
    "examples": ["examples", *RUNTIME_PUBLIC],
    "bench": ["bench", *RUNTIME_PUBLIC],
}


def sources(folder):
    return sorted(
        path
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SOURCES and path.is_file() and "golden" not in path.parts
    )


def includes(path):
    """The include lines of a file: (as written, file of this tree or None)."""
    text = RAW_STRING.sub("", path.read_text(errors="replace"))
    for quoted, bracketed in INCLUDE.findall(text):
        name = quoted or bracketed
        found = None
        for folder in [path.parent, *(ROOT / root for root in INCLUDE_ROOTS)]:
            if (folder / name).is_file():
                found = (folder / name).resolve().relative_to(ROOT)
                break
        yield name, found


def within(path, folder):
    return path.is_relative_to(folder)


def complaints(folder, is_wrong):
    found = []
    for path in sources(folder):
        here = path.relative_to(ROOT)
        for name, target in includes(path):
            if is_wrong(here, name, target):
                found.append(f'{here} includes "{name}"')
    return found


def layer(path, base, layers):
    """Index of the layer a file belongs to, or None."""
    parts = path.relative_to(base).parts if within(path, base) else ()
    return layers.index(parts[0]) if parts and parts[0] in layers else None


def looks_up(base, layers):
    def is_wrong(here, _name, target):
        mine = layer(here, base, layers)
        other = layer(target, base, layers) if target else None
        return mine is not None and other is not None and other > mine

    return is_wrong


def test_compiler_layers_look_down():
    assert complaints("compiler", looks_up("compiler", COMPILER_LAYERS)) == []


def test_every_folder_of_the_compiler_is_a_layer():
    folders = {path.name for path in (ROOT / "compiler").iterdir() if path.is_dir()}
    assert folders - set(COMPILER_LAYERS) - {"tests"} == set()


def test_back_ends_see_the_ir_only():
    def is_wrong(here, _name, target):
        if target is None or len(here.parts) < 4:
            return False
        mine = Path(*here.parts[:3])  # compiler/backends/<language>
        if target.parts[1] in ("frontend", "sema"):
            return True
        return (
            within(target, "compiler/backends")
            and len(target.parts) > 3
            and not within(target, mine)
        )

    assert complaints("compiler/backends", is_wrong) == []


def test_files_of_the_compiler_are_short():
    lengths = {path: len(path.read_text().splitlines()) for path in sources("compiler")}
    assert {str(path): length for path, length in lengths.items() if length > 500} == {}


def test_only_one_file_knows_mpi():
    """What links with MPI is chosen when it is loaded: a program may use another one, or none."""

    def is_wrong(here, name, _target):
        return name == "mpi.h" and not within(here, "runtime/par/mpi")

    assert complaints("runtime", is_wrong) == []


def test_only_the_frontend_knows_antlr():
    def is_wrong(here, name, _target):
        return "antlr" in name.lower() and not within(here, "compiler/frontend")

    assert complaints("compiler", is_wrong) == []


def test_runtime_layers_look_down():
    assert complaints("runtime/c/src", looks_up("runtime/c/src", RUNTIME_LAYERS)) == []


def test_runtime_in_c_is_nothing_but_c():
    assert [path for path in sources("runtime/c") if path.suffix in (".cpp", ".cxx")] == []


@pytest.mark.parametrize("folder", MAY_KNOW)
def test_nobody_knows_more_than_allowed(folder):
    def is_wrong(_here, _name, target):
        return (
            target is not None
            and not any(within(target, each) for each in MAY_KNOW[folder])
            and not (folder == "examples" and target in transport_headers())
        )

    assert complaints(folder, is_wrong) == []


# What the rooms that protocols of ours share know of each other; a plug-in may know all three.
SHARED_BY_PROTOCOLS = {"core": [], "glue": ["core"], "transports": ["core"]}
# Libraries that are loaded for what the core asks of them.
LOADED_BY_THE_CORE = {"trust": ["core"]}


def test_protocols_know_the_public_runtime_and_what_they_share():
    def is_wrong(here, _name, target):
        room = here.parts[1]
        rooms = {**SHARED_BY_PROTOCOLS, **LOADED_BY_THE_CORE}.get(room, list(SHARED_BY_PROTOCOLS))
        known = [*(f"protocols/{each}" for each in [room, *rooms]), *RUNTIME_PUBLIC]
        return target is not None and not any(within(target, each) for each in known)

    assert complaints("protocols", is_wrong) == []


def test_core_transports_and_trust_know_no_sidl():
    def is_wrong(here, name, _target):
        rooms = ("protocols/core", "protocols/transports", "protocols/trust")
        return name.endswith(".hxx") and any(within(here, room) for room in rooms)

    assert complaints("protocols", is_wrong) == []


def test_the_core_knows_no_cryptography():
    def is_wrong(here, name, _target):
        return within(here, "protocols/core") and name.startswith("openssl/")

    assert complaints("protocols", is_wrong) == []
    linked = (ROOT / "protocols/core/CMakeLists.txt").read_text()
    assert "OpenSSL" not in linked


def test_every_lock_has_its_place_in_the_order():
    """Builds with sanitizers keep the order of checked_mutex.cpp, people that of README.md."""
    core = ROOT / "protocols" / "core"
    table = (core / "checked_mutex.cpp").read_text().split("order[] = {")[1].split("};")[0]
    order = re.findall(r'"([^"]+)"', table)
    rows = (core / "README.md").read_text().split("## Locks")[1].splitlines()
    first_columns = [row.split("|")[1] for row in rows if row.startswith("| `")]
    assert [name for each in first_columns for name in re.findall(r"`([^`]+)`", each)] == order
    used = {
        name
        for path in sources("protocols")
        for name in re.findall(r'CheckedMutex<"([^"]+)">', path.read_text())
    }
    assert used == set(order)


def transport_headers():
    """What is installed for transports of users."""
    text = (ROOT / "protocols/core/CMakeLists.txt").read_text()
    names = text.split("set(transport_headers\n")[1].split(")")[0].split()
    return {Path("protocols/core") / name for name in names}


def test_headers_for_transports_of_users_include_no_others():
    wrong = [
        f'{here} includes "{name}"'
        for here in sorted(transport_headers())
        for name, target in includes(ROOT / here)
        if target is not None
        and target not in transport_headers()
        and not within(target, "runtime/c/include")
    ]
    assert wrong == []


def test_examples_stand_alone():
    def is_wrong(here, _name, target):
        return target is not None and not (
            within(target, Path(*here.parts[:2]))
            or within(target, "runtime")
            or (within(here, "examples/transport-plugin") and target in transport_headers())
        )

    assert complaints("examples", is_wrong) == []


def test_the_rules_notice_an_arrow_up():
    up = looks_up("compiler", COMPILER_LAYERS)
    assert up(Path("compiler/ir/a.cpp"), "", Path("compiler/codegen/b.hpp"))
    assert not up(Path("compiler/codegen/a.cpp"), "", Path("compiler/ir/b.hpp"))


# The table of their spellings; what literals of contracts are; how contracts compute with them.
NAME_BASIC_TYPES = {
    "codegen/basic_types.cpp",
    "sema/contract_literals.cpp",
    "codegen/c_literals.cpp",
    "backends/ior/clause_expression.cpp",
}


def test_what_follows_from_a_basic_type_stands_in_its_tables():
    """A file that tells most of them apart is another table of them."""
    names = "Bool Char Int Long Float Double Fcomplex Dcomplex String Opaque"
    words = "|".join(f"{name}|{name.upper()}" for name in names.split())
    named = re.compile(rf"::({words})(?:_TYPE)?\b")
    tables = {
        str(path.relative_to(ROOT / "compiler"))
        for path in sources("compiler")
        if len({name.lower() for name in named.findall(path.read_text())}) > 5
    }
    assert tables == NAME_BASIC_TYPES


# "Adding a basic type" in CONTRIBUTING.md: the places that name them all, or all but one.
BASIC_TYPE_PLACES = [
    "grammar/Sidl.g4",
    "compiler/backends/ior/clause_expression.cpp",
    "compiler/codegen/basic_types.cpp",
    "compiler/frontend/basic_types.def",
    "compiler/ir/sidl_ir.proto",
    "compiler/sema/contract_literals.cpp",
    "compiler/sema/suggestions.cpp",
    "runtime/c/include/sidlType.h",
    "runtime/c/include/sidl_contract.h",
    "runtime/c/include/sidl_kinds.def",
    "runtime/c/src/array/basic_arrays.c",
    "runtime/c/src/contract/note.c",
    "runtime/c/src/contract/walk.c",
    "runtime/cxx/include/sidl_cxx.hxx",
    "runtime/fortran/arrays.c",
    "runtime/fortran/element_types.cmake",
    "runtime/python/core/values.cpp",
    "runtime/python/shinar/_packing.py",
    "runtime/python/shinar/_pickling.py",
    "tools/sidl/call.cpp",
    "tools/sidl/scalars.cpp",
    "tools/sidl/scalars.hpp",
    "runtime/sidl/sidl.sidl",
    "runtime/c/src/impl/libsidl_Memory_Impl.c",
    "runtime/c/src/impl/libsidl_Memory_Impl.h",
]
IMPLEMENT_SERIALIZERS = re.compile(r"protocols/glue/impl/sidlx_rmi_\w+_Impl\.[ch]xx")


def test_every_place_that_knows_all_basic_types_is_listed():
    kinds = {*SOURCES, ".def", ".py", ".f90", ".in", ".cmake", ".sidl", ".g4", ".proto"}
    words = "bool|char|int|long|float|double|fcomplex|dcomplex|string|opaque"
    named = re.compile(rf"\b(?:sidl_|kind_|(?:un)?pack)*({words})_*(?:array)?\b", re.IGNORECASE)
    places = {
        str(path.relative_to(ROOT))
        for folder in ("grammar", "compiler", "runtime", "protocols", "tools", "cmake")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kinds
        and len({name.lower() for name in named.findall(path.read_text())}) > 8
        and not IMPLEMENT_SERIALIZERS.fullmatch(str(path.relative_to(ROOT)))
    }
    assert places == set(BASIC_TYPE_PLACES)
    page = (ROOT / "CONTRIBUTING.md").read_text().split("## Add a basic type")[1].split("\n## ")[0]
    missing = [place for place in BASIC_TYPE_PLACES if Path(place).name not in page]
    assert missing == []


def test_kinds_and_array_types_are_no_ranges():
    """Numbers of types are fixed for ever: that of a new one comes behind those of other sorts."""
    types = r"sidl_(?:[a-z]+_array|kind_[a-z]+)\b"
    compares = re.compile(rf"\s[<>]=? {types}|\b{types} (?:[<>]=?|[+-]) ")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for folder in ("runtime", "protocols", "tools")
        for path in sources(folder)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if compares.search(line) and "#include" not in line
    ]
    assert found == []


# Those that read codegen/plan.hpp.
PLANNED_BACK_ENDS = ["ior", "c", "cxx", "fortran", "python", "java"]


@pytest.mark.parametrize("back_end", PLANNED_BACK_ENDS)
def test_a_back_end_decides_by_fields_and_not_by_text_it_has_written(back_end):
    looks = re.compile(r"\.(starts_with|ends_with|rfind)\(")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources(f"compiler/backends/{back_end}")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if looks.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("back_end", PLANNED_BACK_ENDS)
def test_a_back_end_leaves_to_the_plan_what_is_decided_for_all(back_end):
    decided = re.compile(
        r"\b(parent_implements|own_position|owner_method|slot_info|static_info|send_half"
        r"|receive_half|inner_packages|statics)\(|enum class Part\b|kHeadWords"
    )
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in sources(f"compiler/backends/{back_end}")
        for match in decided.finditer(path.read_text())
    ]
    assert found == []
