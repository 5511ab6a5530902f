"""Generated code, compared with files that were read and found good.

<case>.sidl is the input; <case>/<back end>/ holds what the back end makes of it. A server run
writes the client's files too, and both runs must agree on them; so one set of files serves both.
A new language is a line in LANGUAGES. A caller alone has no server run, and a case of its own.
"""

import difflib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CALLERS = {"f77": "subroutines"}  # language: its case
CASES = sorted({path.stem for path in HERE.glob("*.sidl")} - set(CALLERS.values()))
# Language: the back end that makes its own files, beside the IOR's.
LANGUAGES = {
    "c": "c",
    "c++": "cxx",
    "fortran": "fortran",
    "f77": "f77",
    "java": "java",
    "python": "python",
}
RUNS = [(case, language) for case in CASES for language in LANGUAGES if language not in CALLERS]
RUNS += [(case, language) for language, case in CALLERS.items()]


# Case: what else its server runs are given.
SWITCHES = {"hooks": ["--generate-hooks"]}


def back_end(language, file_name):
    """Whose file it is: that of another back end may be needed too."""
    if Path(file_name).stem.endswith("_IOR"):
        return "ior"
    return "c" if language == "f77" and file_name.endswith(".h") else LANGUAGES[language]


def golden_path(case, language, file_name):
    return HERE / case / back_end(language, file_name) / file_name


def files_below(folder):
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path for path in paths}


def golden_files(case, back_ends):
    return {name for back_end in back_ends for name in files_below(HERE / case / back_end)}


def generate(run, sidlc, case, language, side, folder):
    """File name: text, for every file of the run."""
    folder.mkdir()
    switches = SWITCHES.get(case, []) if side == "server" else []
    run([sidlc, f"--{side}={language}", *switches, "-o", folder, f"{case}.sidl"], cwd=HERE)
    return {name: path.read_text() for name, path in files_below(folder).items()}


def differences(case, language, files):
    for name, text in files.items():
        path = golden_path(case, language, name)
        golden = path.read_text() if path.exists() else ""
        yield from difflib.unified_diff(
            golden.splitlines(keepends=True),
            text.splitlines(keepends=True),
            str(path.relative_to(HERE)),
            "generated now",
        )


def update(case, language, files, back_ends):
    for name in golden_files(case, back_ends) - set(files):
        golden_path(case, language, name).unlink()
    for name, text in files.items():
        path = golden_path(case, language, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize(("case", "language"), RUNS)
def test_generated_code_is_golden(case, language, run, sidlc, tmp_path, request):
    back_ends = ("ior", LANGUAGES[language])
    server = generate(run, sidlc, case, language, "client", tmp_path / "client")
    if language in CALLERS:  # whose other files are those of other back ends, which have cases
        back_ends = back_ends[1:]
        server = {name: server[name] for name in server if back_end(language, name) in back_ends}
    else:
        client = server
        server = generate(run, sidlc, case, language, "server", tmp_path / "server")
        assert client.items() <= server.items(), "client and server runs disagree on a file"

    if request.config.getoption("--update-golden", default=False):
        update(case, language, server, back_ends)
    diff = "".join(differences(case, language, server))
    assert not diff, f"run `pytest {HERE} --update-golden` if this is as it should be:\n{diff}"
    own = {name for name in server if back_end(language, name) in back_ends}
    assert golden_files(case, back_ends) == own
