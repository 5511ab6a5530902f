"""Makes client and server libraries of package mix, of any version, apart and by hand: no flags but
those that everybody needs, so what keeps versions apart is in the generated code."""

import functools
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
CACHED = ["ccache"] if shutil.which("ccache") else []
BASE = (HERE / "mix.sidl").read_text()

# What became of package mix: texts and what they were replaced by.
VERSIONS = {
    "base": [],
    "front": [("int area();", "int volume();\n    int area();")],
    "middle": [("string name();", "int volume();\n    string name();")],
    "appended": [("Thing twin(in Thing other);", "Thing twin(in Thing other);\n    int late();")],
    "statics": [("static int one();", "static int zero();\n    static int one();")],
    "reordered": [("int a; int b;", "int b; int a;")],
    "widened": [("int a; int b;", "long a; int b;")],
    "renumbered": [("red = 1, green = 2", "green = 1, red = 2")],
    "listener": [("int heard(in int n);", "int deaf(in int n);\n    int heard(in int n);")],
}
# What became of its exception.
EXCEPTIONS = {
    "oops_front": [("int code();", "int extra();\n    int code();")],
    "oops_appended": [("int severity();", "int severity();\n    int extra();")],
}

# What became of it in a version with a number of its own.
NUMBERED = {
    "two": [
        ("package mix version 1.0", "package mix version 2.0"),
        ("red = 1, green = 2", "green = 1, red = 2"),
        ("string unit();", "string other();"),
    ],
}

# The bodies of methods, for each language of servers.
BODIES = {
    "c": {
        "Thing.area": "return 4;",
        "Thing.volume": "return 3;",
        "Thing.late": "return 9;",
        "Thing.name": 'return sidl_String_strdup("n");',
        "Thing.title": 'return sidl_String_strdup("t");',
        "Thing.unit": 'return sidl_String_strdup("u");',
        "Thing.twin": "sidl_BaseInterface e = NULL; (void)e;\n"
        "if (mix_Thing_area(other, _ex) != 4) return NULL;\nreturn mix_Thing__create(_ex);",
        "Maker.make": "return mix_Thing__create(_ex);",
        "Maker.some": "return (sidl_BaseInterface)mix_Thing__create(_ex);",
        "Maker.swap": "struct mix_Pair__data r = {0};\n"
        "r.a = p->b;\nr.b = (int32_t)p->a;\nreturn r;",
        "Maker.paint": "return c == mix_Color_red ? 11 : c == mix_Color_green ? 22 : 0;",
        "Maker.tell": "return mix_Listener_heard(l, 5, _ex);",
        "Maker.fail": "mix_Oops o = mix_Oops__create(_ex);\n"
        'mix_Oops_setNote(o, "failed", _ex);\n*_ex = (sidl_BaseInterface)o;',
        "Maker.fall": "mix_Oops o = mix_Oops__create(_ex);\n"
        'mix_Oops_setNote(o, "fallen", _ex);\n*_ex = (sidl_BaseInterface)o;',
        "Oops.code": "return 7;",
        "Oops.severity": "return 8;",
        "Oops.extra": "return 9;",
        "Maker.one": "return 1;",
        "Maker.two": "return 2;",
        "Maker.zero": "return 0;",
        "Ear.heard": "return n + 1;",
        "Ear.deaf": "return n + 2;",
    },
    "cxx": {
        "Thing.area": "return 4;",
        "Thing.volume": "return 3;",
        "Thing.late": "return 9;",
        "Thing.name": 'return "n";',
        "Thing.title": 'return "t";',
        "Thing.unit": 'return "u";',
        "Thing.twin": "return other.area() == 4 ? mix::Thing::_create() : mix::Thing();",
        "Maker.make": "return mix::Thing::_create();",
        "Maker.some": "return mix::Thing::_create();",
        "Maker.swap": "mix::Pair r;\nr.a = p.b;\nr.b = static_cast<int>(p.a);\nreturn r;",
        "Maker.paint": "return c == mix::Color_red ? 11 : c == mix::Color_green ? 22 : 0;",
        "Maker.tell": "return l.heard(5);",
        "Maker.fail": 'mix::Oops o = mix::Oops::_create();\no.setNote("failed");\nthrow o;',
        "Maker.fall": 'mix::Oops o = mix::Oops::_create();\no.setNote("fallen");\nthrow o;',
        "Oops.code": "return 7;",
        "Oops.severity": "return 8;",
        "Oops.extra": "return 9;",
        "Maker.one": "return 1;",
        "Maker.two": "return 2;",
        "Maker.zero": "return 0;",
    },
    "fortran": {
        "Thing.area": "retval = 4",
        "Thing.volume": "retval = 3",
        "Thing.late": "retval = 9",
        "Thing.name": "retval = 'n'",
        "Thing.title": "retval = 't'",
        "Thing.unit": "retval = 'u'",
        "Thing.twin": "if (other%area(exception) == 4) call retval%create(exception)",
        "Maker.make": "call retval%create(exception)",
        "Maker.some": "type(mix_Thing) :: made\n"
        "call made%create(exception)\nif (exception%is_null()) call retval%cast(made, exception)",
        "Maker.swap": "retval%a = p%b\nretval%b = int(p%a)",
        "Maker.paint": "retval = 0\nif (c == mix_Color_red) retval = 11\n"
        "if (c == mix_Color_green) retval = 22",
        "Maker.tell": "retval = l%heard(5, exception)",
        "Maker.one": "retval = 1",
        "Maker.two": "retval = 2",
        "Maker.zero": "retval = 0",
    },
}
CLASSES = ["Maker", "Oops", "Thing"]
USES = {"mix_Maker_Impl.f90": "use mix", "mix_Thing_Impl.f90": ""}
SUFFIX = {"c": "c", "cxx": "cxx", "fortran": "f90"}


def sidl_of(version):
    """The text of package mix."""
    text = BASE
    for old, new in {**VERSIONS, **EXCEPTIONS, **NUMBERED}[version]:
        assert old in text
        text = text.replace(old, new)
    return text


def fill(path, language, package="mix", bodies=None):
    """Puts the bodies into an Impl file, and the includes or uses they need.

    Names are those of the package, or begin with another one's."""
    text = path.read_text()
    own = path.name.split("_")[0]
    for name, body in (bodies or BODIES[language]).items():
        text = re.sub(
            rf"(splicer\.begin\((?:{package}\.)?{re.escape(name)}\)[^\n]*\n)(.*?)"
            r"(\n[^\n]*splicer\.end\()",
            lambda found, body=body: found[1] + body + found[3],
            text,
            flags=re.DOTALL,
        )
    header = {
        "c": f'#include "{own}.h"\n#include "sidl_String.h"',
        "cxx": f'#include "{own}.hxx"',
    }
    if language in header:
        text = re.sub(
            rf"(splicer\.begin\({own}\.\w+\._includes\)[^\n]*\n)",
            lambda found: found[1] + header[language] + "\n",
            text,
        )
    elif USES.get(path.name):
        text = re.sub(
            r"(splicer\.begin\(mix\.\w+\._use\)[^\n]*\n)",
            lambda found: found[1] + USES[path.name] + "\n",
            text,
        )
    path.write_text(text)


class Builder:
    """Libraries and programs in folders of their own; each is made once."""

    def __init__(self, folder, stage, compilers):
        self.folder, self.stage, self.compilers = folder, stage, compilers
        self.library = functools.cache(self._library)
        self.client = functools.cache(self._client)

    def _run(self, *command, cwd=None):
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _sidlc(self, *options):
        self._run(self.stage / "bin" / "sidlc", *options)

    def _compile(self, folders, sources, result, *options):
        """Compiles, and links what comes of it with libsidl and the runtimes it needs."""
        objects = []
        folder = result.parent
        flags = ["-fPIC", *(f"-I{each}" for each in folders)]
        flags += [f"-I{self.stage}/include/shinar", f"-I{self.stage}/include/shinar/fortran"]
        needs = {path.suffix for path in sources}
        c, cxx = self.compilers["c"], self.compilers["cxx"]
        for path in sources:
            objects.append(folder / f"{len(objects)}_{path.stem}.o")
            compiler = {
                ".c": [*CACHED, *c, "-std=c11"],
                ".cxx": [*CACHED, *cxx, "-std=c++17"],
                ".f90": ["gfortran", f"-J{folder}", f"-I{folder}"],
                ".f": ["gfortran", f"-I{folder}"],
            }[path.suffix]
            # From its own folder, so that what ccache sees of it is the same wherever that is.
            self._run(*compiler, *flags, "-c", path, "-o", objects[-1], cwd=folder)
        linker = ["gfortran"] if needs & {".f90", ".f"} else cxx if ".cxx" in needs else c
        runtimes = ["-lsidl_fortran", "-lsidl_f77"] if linker == ["gfortran"] else []
        self._run(
            *linker,
            "-o",
            result,
            *objects,
            f"-L{self.stage}/lib",
            "-Wl,--no-as-needed",
            *options,
            *runtimes,
            "-lsidl",
            f"-Wl,-rpath,{self.stage}/lib",
        )
        return result

    @staticmethod
    def _ordered(sources):
        """Modules come before what uses them."""
        rank = {"mix.f90": 0, "mix_f77.f90": 0}
        return sorted(
            sources,
            key=lambda p: (
                p.suffix == ".f90" and rank.get(p.name, 1 if p.name.endswith("_Impl.f90") else 2),
                p.name,
            ),
        )

    def _texts(self, folder, version, *more):
        folder.mkdir(parents=True)
        main = folder / "mix.sidl"
        main.write_text(sidl_of(version))
        return [main, *(HERE / name for name in more)]

    def _library(self, language, version):
        """A server library: (the library, the folder of its catalogue)."""
        folder = self.folder / f"server_{language}_{version}"
        files = self._texts(folder, version)
        return self.server(language, folder, files, "mix", CLASSES, BODIES[language])

    def server(self, language, folder, files, package, classes, bodies):
        """A server library with its catalogue beside it."""
        self._sidlc(f"--server={language}", "-o", folder, "--impl-dir", folder, *files)
        for path in folder.glob(f"*_Impl.{SUFFIX[language]}"):
            fill(path, language, package, bodies)
        sources = [path for path in folder.iterdir() if path.suffix in (".c", ".cxx", ".f90")]
        sources = [path for path in sources if not path.name.endswith("_Skel.cxx")]
        result = self._compile([folder], self._ordered(sources), folder / "libserver.so", "-shared")
        names = [name if "." in name else f"{package}.{name}" for name in classes]
        entries = "".join(f'<class name="{name}" desc="ior/impl"/>' for name in names)
        (folder / "server.scl").write_text(
            f'<?xml version="1.0"?>\n<scl><library uri="{result}" scope="local" resolution="now">'
            f"{entries}</library></scl>\n"
        )
        return result

    def _client(self, language, version, *more):
        """A client library with a listener's class in C, and the object file of the program."""
        folder = self.folder / "_".join(["client", language, version, *more]).replace(".sidl", "")
        files = self._texts(folder, version, "ear.sidl", *more)
        self._sidlc(f"--client={language}", "-o", folder, *files)
        ears = folder / "ears"
        self._sidlc("--server=c", "-o", ears, "--impl-dir", ears, *files)
        fill(ears / "mix_Ear_Impl.c", "c")
        sources = [path for path in folder.iterdir() if path.suffix in (".c", ".cxx", ".f90")]
        sources += [ears / "mix_Ear_Impl.c", ears / "mix_Ear_Skel.c"]
        return self._compile(
            [folder, ears], self._ordered(sources), folder / "libclient.so", "-shared"
        )

    def tool(self, source):
        """A program in C that is linked with libsidl alone."""
        folder = self.folder / source.stem
        folder.mkdir()
        return self._compile([], [source], folder / source.stem, "-ldl")

    def program(self, language, version, *libraries, more=(), source=None):
        """The program, linked with the client library and others, in this order."""
        client = self.client(language, version, *more)
        libraries = [client if each == "client" else each for each in libraries]
        programs = {
            "c": "client.c",
            "cxx": "client.cxx",
            "fortran": "client.f90",
            "f77": "client.f",
        }
        source = HERE / (source or programs[language])
        name = f"{source.stem}_" + "_".join(path.parent.name for path in libraries)
        folder = self.folder / name / client.parent.name
        if (folder / "program").exists():
            return folder / "program"
        folder.mkdir(parents=True)
        links = [part for path in libraries for part in (path, f"-Wl,-rpath,{path.parent}")]
        return self._compile([client.parent], [source], folder / "program", *links)
