"""Every example of docs/java.md is run.

The page's `sidl` block is the interface. Of its blocks in Java, those with splicer marks are the
Impl file's blocks, and each of the rest is the body of a method of one program.
"""

import os
import re
import shutil
import textwrap

import pytest

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(tour LANGUAGES C)
{example}
include(UseJava)
get_target_property(path tour SIDL_CLASS_PATH)
string(REPLACE ":" ";" jars "${{path}}")
add_jar(page SOURCES Page.java INCLUDE_JARS ${{jars}})
add_dependencies(page tour_jar)
file(WRITE ${{CMAKE_CURRENT_BINARY_DIR}}/path "${{path}}")
"""
PROGRAM = """
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import sidl.DoubleArray;
import sidl.Holder;
import sidl.UnknownEnumeratorException;
import tour.*;

final class Page {{
{methods}
  public static void main(String[] arguments) throws Exception {{
{calls}
    System.out.println("done");
  }}
}}
"""
SPLICER = re.compile(
    r"^// DO-NOT-DELETE splicer\.begin\((\S+)\)\n(.*?)^// DO-NOT-DELETE splicer\.end\(\1\)",
    re.M | re.S,
)


def fill_in(path, code):
    """Puts code between the marks of an Impl file; the names of its blocks."""
    used = set()

    def put(match):
        used.add(match[2])
        body = textwrap.indent(code[match[2]], match[1]) if match[2] in code else match[3]
        return f"{match[1]}// DO-NOT-DELETE splicer.begin({match[2]})\n{body}{match[4]}"

    pattern = (
        r"^( *)// DO-NOT-DELETE splicer\.begin\((\S+)\)\n(.*?)(^ *// DO-NOT-DELETE splicer\.end)"
    )
    path.write_text(re.sub(pattern, put, path.read_text(), flags=re.M | re.S))
    return used


@pytest.fixture(scope="module")
def page(root, stage, sidlc, run, cmake_build, tmp_path_factory):
    """The folder of the page's project."""
    if not (stage / "lib" / "shinar" / "java").exists() or not shutil.which("java"):
        pytest.skip("built without a JDK")
    text = (root / "docs" / "java.md").read_text()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", text, re.M | re.S)
    of = {fence: [block for language, block in blocks if language == fence] for fence, _ in blocks}
    folder = tmp_path_factory.mktemp("tour")
    (folder / "tour.sidl").write_text(of["sidl"][0])
    (folder / "CMakeLists.txt").write_text(PROJECT.format(example=of["cmake"][0]))
    command = [sidlc, "--server=java", "-o", folder / "gen", "--impl-dir", folder / "impl"]
    run([*command, folder / "tour.sidl"])
    code = {name: body for block in of["java"] for name, body in SPLICER.findall(block)}
    assert len(code) > 8
    assert set(code) <= fill_in(folder / "impl" / "tour" / "Kit_Impl.java", code)
    examples = [block for block in of["java"] if "splicer.begin" not in block]
    assert len(examples) > 7
    methods, calls = "", ""
    for number, block in enumerate(examples):
        methods += f"  private static void example{number}() throws Exception {{\n"
        methods += textwrap.indent(block, "    ") + "  }\n\n"
        calls += f"    example{number}();\n"
    (folder / "Page.java").write_text(PROGRAM.format(methods=methods, calls=calls))
    return cmake_build(folder, folder / "build")


def test_examples_run(page, run, monkeypatch):
    monkeypatch.setenv("SIDL_DLL_PATH", os.fspath(page))
    jars = f"{page / 'page.jar'}:{(page / 'path').read_text()}"
    done = run(
        ["java", "--enable-native-access=ALL-UNNAMED", "-ea", "-Xcheck:jni", "-cp", jars, "Page"]
    )
    assert (done.stdout, done.stderr) == ("done\n", "")
