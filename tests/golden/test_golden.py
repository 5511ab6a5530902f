"""Generated code, compared with files that were read and found good.

<case>.sidl is the input; <case>/<back end>/ holds what the back end makes of it. A server run
writes the client's files too, and both runs must agree on them; so one set of files serves both.
A new language is a line in LANGUAGES and in back_end().
"""

import difflib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in HERE.glob("*.sidl"))
# Language: the back end that makes its own files, beside the IOR's.
LANGUAGES = {"c": "c", "c++": "cxx"}


def back_end(file_name):
    """The back end that makes the file."""
    if Path(file_name).stem.endswith("_IOR"):
        return "ior"
    return "cxx" if Path(file_name).suffix in (".hxx", ".cxx") else "c"


def golden_path(case, file_name):
    return HERE / case / back_end(file_name) / file_name


def golden_files(case, back_ends):
    return {
        path.name for name in back_ends for path in (HERE / case / name).glob("*") if path.is_file()
    }


def generate(run, sidlc, case, language, side, folder):
    """File name: text, for every file of the run."""
    folder.mkdir()
    run([sidlc, f"--{side}={language}", "-o", folder, f"{case}.sidl"], cwd=HERE)
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


def differences(case, files):
    for name, text in files.items():
        path = golden_path(case, name)
        golden = path.read_text() if path.exists() else ""
        yield from difflib.unified_diff(
            golden.splitlines(keepends=True),
            text.splitlines(keepends=True),
            str(path.relative_to(HERE)),
            "generated now",
        )


def update(case, files, back_ends):
    for name in golden_files(case, back_ends) - set(files):
        golden_path(case, name).unlink()
    for name, text in files.items():
        path = golden_path(case, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_generated_code_is_golden(case, language, run, sidlc, tmp_path, request):
    client = generate(run, sidlc, case, language, "client", tmp_path / "client")
    server = generate(run, sidlc, case, language, "server", tmp_path / "server")
    assert client.items() <= server.items(), "client and server runs disagree on a file"

    back_ends = ("ior", LANGUAGES[language])
    if request.config.getoption("--update-golden", default=False):
        update(case, server, back_ends)
    diff = "".join(differences(case, server))
    assert not diff, f"run `pytest {HERE} --update-golden` if this is as it should be:\n{diff}"
    assert golden_files(case, back_ends) == set(server)
