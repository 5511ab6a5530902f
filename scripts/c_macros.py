#!/usr/bin/env python3
"""Writes compiler/codegen/c_macros.inc: the macros that are defined where generated C and C++ code
is compiled, by the headers of the C and C++ standards, by those that Shinar's headers include, and
by Python's and Java's. sidlc keeps names from being called so.

    scripts/c_macros.py INCLUDES...            adds what the compilers found here define
    scripts/c_macros.py --missing INCLUDES...  prints what is not in the list

INCLUDES are the folder of Shinar's headers and those of Python.h and jni.h. What other compilers
and libraries defined when the list was written stays in it.
"""

import argparse
import re
import shutil
import subprocess
import textwrap
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "compiler" / "codegen" / "c_macros.inc"
HEAD = "// Written by scripts/c_macros.py: see there.\n"
NAMES = ["kMacros", "kMacrosOfC", "kFunctionMacros"]
# Those of our own headers: reserved_words.cpp knows them by their beginnings.
OWN = re.compile(r"_|SIDL_|included_")
C_HEADERS = [  # fmt: skip
    "assert",
    "complex",
    "ctype",
    "errno",
    "fenv",
    "float",
    "inttypes",
    "limits",
    "locale",
    "math",
    "setjmp",
    "signal",
    "stdarg",
    "stddef",
    "stdint",
    "stdio",
    "stdlib",
    "string",
    "time",
    "uchar",
    "wchar",
    "wctype",
]
C_ONLY = ["stdalign", "stdatomic", "stdnoreturn", "threads"]
CXX_HEADERS = [  # fmt: skip
    "algorithm",
    "array",
    "atomic",
    "chrono",
    "complex",
    "condition_variable",
    "exception",
    "functional",
    "iostream",
    "map",
    "memory",
    "mutex",
    "new",
    "regex",
    "set",
    "sstream",
    "stdexcept",
    "string",
    "thread",
    "tuple",
    "typeinfo",
    "utility",
    "vector",
]
SHINAR = ["sidl_ior.h", "sidl_header.h", "sidlOps.h", "sidl_java.h", "sidl_fortran77.h"]
SHINAR_CXX = ["sidl_arg.hxx", "sidl_array.hxx", "sidl_exception.hxx", "sidl_impl.hxx",
              "sidl_skel.hxx", "sidl_struct.hxx"]  # fmt: skip
COMPILERS = [
    ("gcc", "c", ("c11", "gnu11", "gnu17")),
    ("clang", "c", ("c11", "gnu11", "gnu17")),
    ("g++", "c++", ("c++17", "gnu++17", "gnu++20")),
    ("clang++", "c++", ("c++17", "gnu++17", "gnu++20")),
]


def includes(language):
    """What a file of the language includes of what is there."""
    if language == "c":
        return [
            *(f"<{name}.h>" for name in [*C_HEADERS, *C_ONLY]),
            *(f'"{name}"' for name in SHINAR),
        ]
    system = [*(f"c{name}" for name in C_HEADERS), *CXX_HEADERS]
    own = [*SHINAR, *SHINAR_CXX, "sidl_python.hpp"]
    return [*(f"<{name}>" for name in system), *(f'"{name}"' for name in own)]


def definitions(command, headers):
    """What is defined where the headers are included: "NAME 1", "NAME(x) x"."""
    text = "".join(f"#if __has_include({each})\n#include {each}\n#endif\n" for each in headers)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return re.findall(r"^#define (.*)", done.stdout, re.MULTILINE)


def macros_here(folders):
    """The macros of all compilers found, by list: those of C++ without parameters, those that C
    alone has, and those of C++ with parameters, which matter to methods alone."""
    plain, of_c, functions = set(), set(), set()
    for compiler, language, standards in COMPILERS:
        if not shutil.which(compiler):
            continue
        for standard in standards:
            command = [compiler, f"-std={standard}", "-x", language, "-dM", "-E", "-"]
            command += [f"-I{folder}" for folder in folders]
            for each in definitions(command, includes(language)):
                (of_c if language == "c" else plain).update(re.findall(r"^\w+(?!\S)", each))
            if language == "c++":
                for each in definitions(command, [f'"{name}"' for name in SHINAR_CXX]):
                    functions.update(re.findall(r"^(\w+)\(", each))
    return [{name for name in names if not OWN.match(name)} for names in (plain, of_c, functions)]


def known():
    """What the lists have."""
    if not LIST.exists():
        return [set() for _ in NAMES]
    texts = re.split(r"constexpr std::string_view \w+ =\n", LIST.read_text())[1:]
    return [set(" ".join(re.findall(r'^ +"(.*)"', text, re.MULTILINE)).split()) for text in texts]


def text_of(name, words):
    lines = textwrap.wrap(" ".join(sorted(words)), 93, break_on_hyphens=False)
    text = "".join(f'    "{line} "\n' for line in lines)
    return f"\nconstexpr std::string_view {name} =\n{text[:-1]};\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("includes", nargs="+", type=Path)
    options = parser.parse_args()
    here, old = macros_here(options.includes), known()
    if options.missing:
        print(*sorted(set().union(*here) - set().union(*old)), sep="\n", end="")
        return
    plain, of_c, functions = (here[i] | old[i] for i in range(len(NAMES)))
    lists = [plain, of_c - plain, functions - plain - of_c]
    texts = [text_of(name, words) for name, words in zip(NAMES, lists)]
    LIST.write_text(HEAD + "".join(texts))


if __name__ == "__main__":
    main()
