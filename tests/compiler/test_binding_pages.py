"""Every example of docs/c.md and docs/cxx.md is compiled and run; those of docs/guide.md, which go
on where the one before stopped and speak of servers, are compiled. For docs/python.md see
tests/python.

The page's `sidl` block is the interface. Of the others in its language, those with splicer marks
are the Impl files' blocks, and each of the rest is the body of a function.
"""

import os
import re

import pytest

MARK = r"^[ \t]*/[/*] DO-NOT-DELETE splicer\."
SPLICER = re.compile(rf"({MARK}begin\((\S+)\)[^\n]*\n)(.*?)(?={MARK}end)", re.M | re.S)

C_PROGRAM = """
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "sidl.h"
#include "sidl_Exception.h"
#include "sidl_String.h"
#include "tour.h"
#include "tour_Square_Impl.h"
"""
C_EXAMPLE = """
static void example{number}(void) {{
sidl_BaseInterface ex = NULL;
{text}
SIDL_CHECK(ex);
return;
EXIT:
sidl_report_exception(ex);
abort();
}}
"""
CXX_PROGRAM = """
#undef NDEBUG
#include <cassert>
#include <complex>
#include <cstdio>
#include <iostream>
#include <numeric>
#include "sidl.hxx"
#include "tour.hxx"
#include "tour_Square_Impl.hxx"
"""
CXX_EXAMPLE = "static void example{number}() {{\n{text}\n}}\n"
PAGES = {
    "c": ("c", ["gcc", "-std=c11"], C_PROGRAM, C_EXAMPLE),
    "cxx": ("cpp", ["g++", "-std=c++17"], CXX_PROGRAM, CXX_EXAMPLE),
}


def fill_in(folder, blocks):
    """Puts the blocks where they belong; gives the names of those that belong nowhere."""
    left = set(blocks)
    for file in folder.glob("*_Impl.*"):

        def block(match):
            left.discard(match[2])
            return match[1] + blocks.get(match[2], match[3])

        file.write_text(SPLICER.sub(block, file.read_text()))
    return left


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page, root, stage, sidlc, run, tmp_path):
    fence, compiler, program, example = PAGES[page]
    text = (root / "docs" / f"{page}.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    (interface,) = [block for language, block in blocks if language == "sidl"]
    code = [block for language, block in blocks if language == fence]
    (tmp_path / "tour.sidl").write_text(interface)
    run([sidlc, f"--server={page}", "-o", tmp_path, tmp_path / "tour.sidl"])

    impl = {name: body for block in code for _, name, body in SPLICER.findall(block)}
    assert fill_in(tmp_path, impl) == set()
    examples = [block for block in code if "splicer.begin" not in block]
    assert len(examples) > 8 and len(impl) > 12
    source = program + "".join(
        example.format(number=n, text=block) for n, block in enumerate(examples)
    )
    calls = "".join(f"  example{n}();\n" for n in range(len(examples)))
    main = tmp_path / f"main.{page}"
    main.write_text(f"{source}\nint main(void) {{\n{calls}  return 0;\n}}\n")

    flags = ["-O0", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror", "-rdynamic"]
    flags += ["-I", tmp_path, "-I", stage / "include" / "shinar"]
    objects = []
    for file in sorted({*tmp_path.glob("*.c"), *tmp_path.glob("*.cxx")}):
        with_c = ["gcc", "-std=c11"] if file.suffix == ".c" else compiler
        objects.append(tmp_path / f"{file.name}.o")
        run([*with_c, *flags, "-c", file, "-o", objects[-1]])
    binary = tmp_path / "program"
    lib = stage / "lib"
    run([*compiler, "-rdynamic", *objects, "-L", lib, "-lsidl", f"-Wl,-rpath,{lib}", "-o", binary])
    asan = f"{os.environ['ASAN_OPTIONS']}:detect_leaks=1"
    done = run([binary], env={**os.environ, "ASAN_OPTIONS": asan})
    assert done.stderr == ""


# What the guide's examples find around them.
GUIDE = {
    "c": """
#include <stdio.h>
#include "shop.h"
#include "sidl.h"
#include "sidl_Exception.h"
""",
    "cpp": """
#include <iostream>
#include <vector>
#include "shop.hxx"
#include "sidl.hxx"
static inline void other_work() {}
""",
}
GUIDE_EXAMPLE = {
    "c": """
void example{number}(shop_Till till, sidl_BaseInterface _ex) {{
{{
{text}
}}
goto EXIT;
EXIT: (void)till;
}}
""",
    "cpp": """
void example{number}(shop::Till till, std::vector<shop::Till> tills, double total) {{
{{
{text}
}}
}}
""",
}


@pytest.mark.parametrize("language", GUIDE)
def test_examples_of_the_guide_compile(language, root, stage, sidlc, run, tmp_path):
    text = (root / "docs" / "guide.md").read_text()
    interface = re.findall(r"^```\n(package shop.*?)^```", text, re.M | re.S)[-1]
    (tmp_path / "shop.sidl").write_text(interface)
    server = {"c": "c", "cpp": "c++"}[language]
    run([sidlc, f"--server={server}", "-o", tmp_path, tmp_path / "shop.sidl"])
    code = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    impl = {name: body for block in code for _, name, body in SPLICER.findall(block)}
    assert fill_in(tmp_path, impl) == set()
    examples = [block for block in code if "splicer.begin" not in block]
    assert len(examples) >= 2
    source = GUIDE[language] + "".join(
        GUIDE_EXAMPLE[language].format(number=n, text=block) for n, block in enumerate(examples)
    )
    main = tmp_path / f"main.{language}"
    main.write_text(source)
    compiler = {"c": ["gcc", "-std=c11"], "cpp": ["g++", "-std=c++17"]}[language]
    flags = ["-fsyntax-only", "-Wall", "-Werror", "-Wno-unused-variable", "-I", tmp_path]
    suffix = {"c": "c", "cpp": "cxx"}[language]
    files = [main, tmp_path / f"shop_Till_Impl.{suffix}"]
    run([*compiler, *flags, "-I", stage / "include" / "shinar", *files])
