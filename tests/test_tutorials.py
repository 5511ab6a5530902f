"""docs/tutorials and the pages in OTHERS: followed to the letter, to a call elsewhere.

Of a page, a code block is

    a file            if the paragraph before it ends with, or begins with, the file's name
    code for a file   if it begins with a splicer mark: it replaces what is between the marks
    commands          if it is marked `sh`; a block marked `text` behind it is what they print
"""

import ast
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
OTHERS = ["arrays", "babel", "contracts", "launch", "parallel", "parallel-objects"]
LAUNCHED = ["launch", "parallel", "parallel-objects"]  # servers are started by `sidl launch`
PAGES = sorted((DOCS / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
MARKS = re.compile(
    r"([^\n]*DO-NOT-DELETE splicer\.begin\((?P<name>[^)]*)\)[^\n]*\n)(.*?)"
    r"([^\n]*DO-NOT-DELETE splicer\.end\((?P=name)\)[^\n]*\n?)",
    re.S,
)


class Follower:
    """Does what a page says, in a folder."""

    def __init__(self, folder, stage):
        self.folder = folder
        self.environment = {**os.environ, "PREFIX": str(stage), "NO_COLOR": "1"}
        python = Path(sys.executable).parent
        self.environment["PATH"] = f"{stage / 'bin'}:{python}:{os.environ['PATH']}"
        self.port = free_port()
        self.file = None
        self.printed = None
        self.servers = []

    def follow(self, text):
        end = 0
        for block in BLOCK.finditer(text):
            self.read(text[end : block.start()])
            self.do(block[1], block[2])
            end = block.end()

    def read(self, prose):
        named = re.findall(r"`((?:[\w-]+/)*[\w-]+\.\w+)`", prose)
        if named:
            self.file = named[-1] if prose.rstrip().endswith(":") else named[0]

    def do(self, kind, content):
        if kind == "text":
            assert self.printed == content
        elif kind == "sh":
            self.printed = "".join(self.run(line) for line in commands(content))
        elif MARKS.match(content):
            for marked in MARKS.finditer(content):
                self.splice(marked)
        else:
            (self.folder / self.file).write_text(content)

    def splice(self, marked):
        """In whichever Impl file has these marks."""
        begin = f"splicer.begin({marked['name']})"
        files = [each for each in self.folder.glob("impl/**/*") if each.is_file()]
        (target,) = [each for each in files if begin in each.read_text()]
        text = target.read_text()
        (old,) = [each for each in MARKS.finditer(text) if each["name"] == marked["name"]]
        target.write_text(text[: old.start(3)] + marked[3] + text[old.end(3) :])

    def run(self, line):
        line = line.replace("9000", str(self.port))
        if line.startswith("export "):
            name, value = line.removeprefix("export ").split("=", 1)
            if name not in ("PREFIX", "PATH"):
                self.environment[name] = self.shell(f'printf %s "{value}"')
            return ""
        if line.endswith("&"):
            self.serve(line.removesuffix("&"))
            return ""
        return self.shell(line)

    def shell(self, line):
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1; {line}"],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}"
        return done.stdout

    def serve(self, line):
        server = subprocess.Popen(
            ["bash", "-c", f"exec {line}"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.servers.append(server)
        assert str(self.port) in server.stdout.readline()  # it says where it listens when it does

    def end(self):
        for server in self.servers:
            server.terminate()
            server.wait(timeout=30)
            server.stdout.close()


def commands(content):
    """One a line, which a backslash continues."""
    return content.replace("\\\n", " ").splitlines()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(
    "page", [*PAGES, *(DOCS / f"{name}.md" for name in OTHERS)], ids=lambda page: page.stem
)
def test_tutorial(page, stage, tmp_path):
    follower = Follower(tmp_path, stage)
    try:
        follower.follow(page.read_text())
    finally:
        follower.end()
    assert follower.servers or page.stem in LAUNCHED, "no call to another process was made"


def test_there_is_one_for_each_language():
    assert {page.stem for page in PAGES} == {"c", "cxx", "fortran", "java", "python"}


LANGUAGES = {"c": "c", "cxx": "c++", "fortran": "fortran", "java": "java", "python": "python"}


def files_of(folder):
    return {
        str(each.relative_to(folder)): each.read_text()
        for each in sorted(folder.rglob("*"))
        if each.is_file() and not each.is_symlink() and "build" not in each.parts
        if "__pycache__" not in each.parts and each.name != "README.md"
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_new_project_is_what_the_tutorial_makes(page, stage, run, tmp_path):
    """What sidlc writes is what its reader has in the end: builds and calls are those above."""
    follower = Follower(tmp_path / "followed", stage)
    follower.folder.mkdir()
    follower.run = lambda line: follower.shell(line) if line.startswith("cmake -S") else ""
    follower.printed = None
    text = page.read_text()
    follower.follow(re.sub(r"^```text\n.*?^```$", "", text, flags=re.M | re.S))
    sidlc = stage / "bin" / "sidlc"
    assert run([sidlc, "--new", LANGUAGES[page.stem], tmp_path / "new" / "stats"]).stdout == ""
    assert files_of(tmp_path / "new" / "stats") == files_of(follower.folder)
    readme = (tmp_path / "new" / "stats" / "README.md").read_text()
    assert readme == text[: text.index("## Where to go")]


# A name of its own, and such as the programs might have variables of.
@pytest.mark.parametrize(
    ("language", "name"),
    [("c++", "tides"), ("C", "average"), ("Fortran", "values"), ("python", "sample")],
)
def test_a_new_project_has_its_own_name(language, name, stage, run, tmp_path):
    run([stage / "bin" / "sidlc", "--new", language, name], cwd=tmp_path)
    follower = Follower(tmp_path / name, stage)
    try:
        follower.follow((tmp_path / name / "README.md").read_text())
    finally:
        follower.end()
    (program,) = (tmp_path / name).glob("print_mean.*")
    assert re.search(rf"{name}(::|_|\.)Sample", program.read_text())
    left = [path for path, text in files_of(tmp_path / name).items() if "stats" in path + text]
    assert left == []


def test_programs_have_no_names_that_packages_can_have():
    """Those of packages have no underscore."""
    texts = {page.stem: page.read_text() for page in PAGES}
    own = re.findall(r"^add_executable\((\w+)", "".join(texts.values()), re.M)
    for declared in re.findall(r"^ +[^!\n]*\) :: (.*)|^  integer :: (.*)", texts["fortran"], re.M):
        own += [] if "=" in "".join(declared) else "".join(declared).replace("(:)", "").split(", ")
    own += re.findall(r"^program (\w+)", texts["fortran"], re.M)
    (program,) = [code for _, code in BLOCK.findall(texts["python"]) if "import sys" in code]
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.append(node.id)
        elif isinstance(node, ast.ExceptHandler):
            own.append(node.name)
    assert {"print_mean", "a_sample", "the_sample", "no_values", "value_i", "no_mean"} <= set(own)
    assert [name for name in own if "_" not in name] == []


@pytest.mark.parametrize(
    ("language", "names"),
    {
        "c": ["all", "install", "clean"],
        "c++": ["time", "main", "help"],
        "Fortran": ["size", "Index", "real64"],
        "python": ["math", "sys", "numpy", "np"],
        "java": ["java", "preinstall"],
    }.items(),
)
def test_names_that_no_project_can_have(language, names, stage, run, tmp_path):
    for name in names:
        done = run([stage / "bin" / "sidlc", "--new", language, name], cwd=tmp_path, status=None)
        assert done.returncode in (1, 2)
        assert f"'{name}'" in done.stderr
        assert not (tmp_path / name).exists()


def test_a_new_project_does_no_harm(stage, run, tmp_path):
    sidlc = stage / "bin" / "sidlc"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("kept")
    done = run([sidlc, "--new", "c", "mine"], cwd=tmp_path, status=1)
    assert "'mine' is there already, and not an empty folder" in done.stderr
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["notes"]
    for name in ("my-tides", "7up", "a_b", "."):
        done = run([sidlc, "--new", "c", name], cwd=tmp_path, status=2)
        assert "a project's name has letters and digits" in done.stderr
    assert (
        "is for clients only"
        in run([sidlc, "--new", "f77", "tides"], cwd=tmp_path, status=2).stderr
    )
    done = run([sidlc, "--new", "fortan", "tides"], cwd=tmp_path, status=2)
    assert "did you mean 'fortran'?" in done.stderr
    done = run([sidlc, "--new", "rust", "tides"], cwd=tmp_path, status=2)
    assert "use c or c++ or fortran or python or java\n" in done.stderr  # f77 is for clients
    run([sidlc, "--new", "c"], cwd=tmp_path, status=2)
