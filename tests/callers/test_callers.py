"""What methods find out about who calls them, by sidl.rmi.Caller: in every language, over every way
to prove who one is. What answers is the example of docs/trust.md, in a class with more methods."""

import dataclasses
import os
import pwd
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "matrix"))
from matrix import fill_in  # noqa: E402

# The folder of the Impl files: the language for sidlc, that of the page's block, the other methods.
LANGUAGES = {
    "c": ("c", "c", "c.in"),
    "cxx": ("c++", "cpp", "cxx.in"),
    "fortran": ("fortran", "fortran", "fortran.in"),
    "f77": ("fortran", None, "fortran.in"),
    "python": ("python", "python", "python.in"),
}
METHODS = """nonblocking string whoCalls();
    string ask(in Desk other);
    string within();
    string hired();
    oneway void note();
    string noted();"""
# In the Impl file around the routine in Fortran 77.
WHOCAL = """character(240) :: text
external :: whocal
call whocal(text)
retval = trim(text)"""
BLOCK = re.compile(
    r"^\S+ DO-NOT-DELETE splicer\.begin\((\S+)\)[^\n]*\n(.*?)^\S+ DO-NOT-DELETE splicer\.end",
    re.M | re.S,
)


def write_sources(page, folder, sidlc, run):
    """The class and its implementations."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", page[page.index("## Who calls") :], re.M | re.S)
    of = {fence: [text for each, text in blocks if each == fence] for fence, _ in blocks}
    assert "string whoCalls();" in of["sidl"][0]
    sidl = folder / "desk.sidl"
    sidl.write_text(of["sidl"][0].replace("string whoCalls();", METHODS))
    (folder / "whocal.f").write_text(of["fortran"][1])
    for name, (language, fence, rest) in LANGUAGES.items():
        command = [sidlc, f"--server={language}", "-o", folder / "glue", "--impl-dir"]
        run([*command, folder / name, sidl])
        bodies = dict(BLOCK.findall((HERE / "desk" / rest).read_text()))
        example = BLOCK.findall(of[fence][0]) if fence else [("desk.Desk.whoCalls", WHOCAL)]
        bodies |= dict(example)
        used = [fill_in(path, bodies) for path in (folder / name).rglob("*_Impl.*")]
        assert set().union(*used) == set(bodies)


@pytest.fixture(scope="module")
def built(root, stage, sidlc, run, cmake_build, tmp_path_factory):
    """The folder with the libraries and the program."""
    for language in ("lib/shinar/python", "include/shinar/fortran"):
        if not (stage / language).exists():
            pytest.skip(f"built without {language}: a language is missing")
    work = tmp_path_factory.mktemp("callers")
    write_sources((root / "docs" / "trust.md").read_text(), work, sidlc, run)
    options = [f"-DWORK={work}", f"-DPython3_EXECUTABLE={sys.executable}"]
    return cmake_build(HERE, work / "build", *options)


@pytest.fixture(params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture
def visit(built, stage, language, run, monkeypatch):
    """visit(place, question, …, **variables) → what the object has said; None: no such variable."""
    folder = built / language
    folder.mkdir(exist_ok=True)
    for library in built.glob(f"*desk_{language}.*"):  # its classes alone, for this process
        if not (folder / library.name).exists():
            (folder / library.name).symlink_to(library)
    python = f"{built}/desk_python.sidl/python:{stage}/lib/shinar/python"
    monkeypatch.setenv("PYTHONPATH", python)
    monkeypatch.setenv("SIDL_DLL_PATH", str(folder))

    def ask(place, question, *more, **variables):
        changed = {**os.environ, **variables}
        environment = {name: value for name, value in changed.items() if value is not None}
        return run([built / "visitor", place, question, *more], env=environment).stdout.strip()

    return ask


@dataclasses.dataclass(frozen=True)
class Way:
    """How a client comes to a server, and what they prove to each other."""

    protocol: str
    client: str  # as servers see it
    third: str  # a server, as other servers see it
    server: str  # as clients see it
    library: str = ""  # it needs
    address: str = r"127\.0\.0\.1:\d+"


NOBODY, SERVER, SECRET = "somebody", r"server \(tls\)", r"desk\.key \(secret\)"
USER = rf"{os.getuid()} \(uid\)"
BY_MUNGE = rf"{pwd.getpwuid(os.getuid()).pw_name} \(munge\)"
OVER_TLS = r"127\.0\.0\.1:\d+ \(TLS\)"
WAYS = {
    "tcp": Way("simhandle", NOBODY, NOBODY, NOBODY),
    "unix": Way("unix", USER, USER, USER, address=".+"),
    "shm": Way("shm", USER, USER, USER, address=r".+ \(shared memory\)"),
    "tls": Way("tls", r"alice \(tls\)", SERVER, SERVER, "libsidlx_tls.so", OVER_TLS),
    "tls of servers alone": Way("tls", NOBODY, NOBODY, SERVER, "libsidlx_tls.so", OVER_TLS),
    "secret": Way("simhandle", SECRET, SECRET, SECRET, "libsidlx_secret.so"),
    "munge": Way("simhandle", BY_MUNGE, BY_MUNGE, BY_MUNGE, "libsidlx_munge.so"),
}


@pytest.fixture(params=WAYS)
def way(request, stage):
    each = WAYS[request.param]
    if each.library and not (stage / "lib" / each.library).exists():
        pytest.skip("built without OpenSSL")
    return request.param, each


@pytest.fixture
def variables(request, way, certificates, tmp_path):
    """What the environments of servers and of clients have, and options of servers."""
    name, _ = way
    if name == "secret":
        secret = tmp_path / "desk.key"
        secret.write_bytes(os.urandom(20).hex().encode())
        secret.chmod(0o600)
        return {"SIDL_SECRET_FILE": str(secret)}, {}, ()
    if name == "munge":
        socket = request.getfixturevalue("munged")()
        return {"SIDL_MUNGE": "1", "SIDL_MUNGE_SOCKET": str(socket)}, {}, ()
    if name in ("tcp", "unix", "shm"):
        return {}, {}, ()
    server = {**certificates.server(), **certificates.client()}
    if name == "tls":
        alice = {
            "SIDL_TLS_CERT": certificates.path("alice.pem"),
            "SIDL_TLS_KEY": certificates.path("alice.key"),
        }
        return server, alice, ("--tls-client-ca", certificates.path("ca.pem"))
    return server, {"SIDL_TLS_CERT": None, "SIDL_TLS_KEY": None}, ()


@pytest.fixture
def start(built, language, way, variables, protocols, start_server, monkeypatch, visit):
    """start() → a server of the class."""
    for name, value in variables[0].items():
        monkeypatch.setenv(name, value)
    export = f"desk.Desk={built}/libdesk_{language}.so"

    def serve():
        return start_server(protocols[way[1].protocol], "--export", export, *variables[2])

    return serve


def test_the_own_process(visit):
    """Whatever way the call takes there."""
    for question in ("call", "halves", "oneway", "constructor", "within", "thread", "back"):
        assert visit("here", question) == "this process", question


def test_other_processes(start, visit, way, variables):
    """Calls in whatever form, and a thread that the method starts."""
    url = start().url
    client = f"{way[1].client} at {way[1].address}"
    for question in ("call", "halves", "oneway", "constructor", "within"):
        assert re.fullmatch(client, said := visit(url, question, **variables[1])), (question, said)
    assert visit(url, "thread", **variables[1]) == "this process"


def test_third_processes(start, visit, way, variables):
    """An object sees the server that calls it, and not on whose behalf."""
    first, second = start().url, start().url
    client, server = visit(first, "third", second, **variables[1]).splitlines()
    assert re.fullmatch(f"{way[1].client} at {way[1].address}", client), client
    assert re.fullmatch(f"{way[1].third} at {way[1].address}", server), server
    assert client != server


def test_callbacks(start, visit, way, variables):
    """The caller of a client's object is the server."""
    url = start().url
    said = visit(url, "back", **variables[1])
    assert re.fullmatch(f"{way[1].server} at {way[1].address}", said), said
    assert way[0] in ("unix", "shm") or url.split("//")[1] in said


@pytest.mark.parametrize("language", ["c"], indirect=True)
@pytest.mark.parametrize("protocol", ["jsonsock"], indirect=True)
def test_a_protocol_that_does_not_say(built, visit, protocol, start_server):
    """Its calls look like those of the own process."""
    url = start_server(protocol, "--export", f"desk.Desk={built}/libdesk_c.so").url
    assert visit(url, "call") == "this process"
