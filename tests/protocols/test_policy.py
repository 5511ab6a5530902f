"""What a server's clients may do, by who they are: over every proof, what is refused and how, and
policies that change while clients are connected. policy_test.cpp has patterns and files."""

import contextlib
import json
import os
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from policies import ALL, role
from serving import eventually

sys.path.insert(0, str(Path(__file__).parent / "independent"))
import simhandle  # noqa: E402

BOX = {"create": ["wire.Box"], "attach": ["pub", "sidl.server"], "call": ["wire.Box.*"]}
MINE = f"uid:{os.geteuid()}"
NOT_ALLOWED = 12  # of the errors of docs/simhandle-protocol.md
NOT_SENT = 0


@pytest.fixture(autouse=True)
def _needs_toml(stage):
    if not (stage / "lib" / "libsidlx_policy.so").exists():
        pytest.skip("built without toml++")


@pytest.fixture
def serve(server, policy):
    """serve(*roles, options) → a server with that policy at a port and at a Unix-domain socket."""

    def start(*roles, options=(), env=None):
        return server("--policy", policy(*roles), "--verbose", *options, env=env)

    return start


@pytest.fixture
def local(serve, tmp_path):
    """local(*roles) → (server, url of a Unix-domain socket)."""

    def start(*roles):
        url = f"simhandle+unix://{tmp_path}/s"
        port = ["--listen", "simhandle://127.0.0.1:0"]
        return serve(*roles, options=[*port, "--listen", url]), url

    return start


@pytest.fixture
def call(sidl_tool, run):
    """call(url, *words, status) → what `sidl call` says."""

    def do(*words, status=0, **options):
        done = run([sidl_tool, "call", "--compact", *words], status=status, **options)
        return done.stdout + done.stderr

    return do


def refused(done, *parts):
    text = done.stdout + done.stderr
    assert done.returncode == 1, text
    for part in parts:
        assert part in text
    return True


# ---- what is refused, and how --------------------------------------------------------------------


def test_create_attach_and_call_over_a_unix_socket(local, call, client):
    _, url = local(role("boxes", [MINE], **{**BOX, "call": ["wire.Box.*", "!wire.Box.noop"]}))
    assert call(f"{url}#pub", "add", 2, 3) == '{"result":5}\n'
    said = call(f"{url}#pub", "noop", status=1)
    assert f"{MINE} may not call 'wire.Box.noop'" in said
    assert "role 'boxes' of the server's policy has the exception '!wire.Box.noop'" in said
    assert "the method was not run" in said
    assert client(url, "alive").returncode == 0


def test_who_moves_to_shared_memory_is_a_user_there(serve, client, monkeypatch):
    """A client that has proved nothing over TCP; who may not stay there does not get there."""
    monkeypatch.setenv("SIDL_RMI_SHM", "on")
    started = serve(role("boxes", [MINE], **BOX), role("others", ["anyone"]))
    assert client(started.url, "alive").returncode == 0
    assert f"(shared memory): {os.geteuid()}, by uid" in started.log
    monkeypatch.setenv("SIDL_RMI_SHM", "off")
    assert refused(client(started.url, "alive"), "a client that has proved nothing may not create")


def test_over_shared_memory_alone(policy, client, start_server, protocols, wire):
    file = policy(role("boxes", [MINE], **BOX))
    offer = ["--export", f"wire.Box={wire}/libwire.so", "--policy", file]
    started = start_server(protocols["shm"], *offer)
    assert client(started.url, "alive").returncode == 0
    file.write_text(role("boxes", ["uid:4711"], **BOX))
    started.process.send_signal(signal.SIGHUP)
    assert eventually(lambda: client(started.url, "alive").returncode == 1)
    assert refused(client(started.url, "alive"), f"{MINE} has no role in this server's policy")


def test_other_classes_are_not_created(local, client):
    _, url = local(role("none", [MINE], create=["wire.Bo", "demo.*"]))
    done = client(url, "alive")
    assert refused(
        done,
        "sidl.rmi.NotAllowedException",
        f"{MINE} may not create objects of 'wire.Box'",
        "no pattern of 'create' in role 'none' of the server's policy fits that",
        "fate 0",
    )


def test_published_objects_are_attached_to_by_those_who_may(local, client):
    _, url = local(role("none", [MINE], create=["*"], attach=["jobs/*"], call=["*"]))
    done = client(f"{url}#pub", "connect")
    assert refused(done, "sidl.rmi.NotAllowedException", "may not attach to 'pub'")


def test_inspection_is_a_published_object(local, sidl_tool, run):
    started, url = local(role("some", [MINE], attach=["pub"], call=["*"]))
    assert "may not attach to 'sidl.server'" in run([sidl_tool, "inspect", url], status=1).stderr
    _write(started, role("all", [MINE], attach=["sidl.server"]))
    assert "wire.Box" in run([sidl_tool, "inspect", url]).stdout


def _write(started, *roles):
    """Other roles for a running server."""
    path = Path(started.process.args[started.process.args.index("--policy") + 1])
    path.write_text("\n".join(roles))
    started.process.send_signal(signal.SIGHUP)
    assert started.logged("SIGHUP")


def test_nobody_without_a_role_is_admitted(local, client):
    started, _ = local(role("mine", [MINE], **ALL))
    done = client(started.url, "alive")
    why = "a client that has proved nothing has no role in this server's policy"
    assert refused(done, why, "fate 0")
    assert started.logged(why)


def test_who_has_proved_nothing_is_anyone(local, client):
    started, _ = local(role("anyone", ["anyone"], create=["wire.Box"], call=["wire.Box.alive"]))
    assert client(started.url, "alive").returncode == 0
    assert refused(client(started.url, "all"), "a client that has proved nothing may not call")


IS_ME = "bool isMe(in wire.Named other)"


def test_a_published_object_is_not_had_by_naming_it_in_an_argument(serve):
    """A method might hand it out again, with an id."""
    started = serve(role("some", ["anyone"], create=["wire.Box"], attach=["other"], call=["*"]))
    connection = simple(started)
    box = connection.create("wire.Box")
    assert box.call(IS_ME, box) is True
    references = [
        simhandle.Object(connection, "pub", "wire.Box"),
        (f"simhandle://127.0.0.1:{started.port}/pub", "wire.Box"),
    ]
    for each in references:
        with pytest.raises((simhandle.Failed, simhandle.Thrown)) as error:
            box.call(IS_ME, each)
        assert b"may not attach to 'pub'" in repr(error.value).encode()
    _write(started, role("some", ["anyone"], create=["wire.Box"], attach=["pub"], call=["*"]))
    for each in references:
        assert box.call(IS_ME, each) is False


def test_nor_by_naming_it_in_an_answer(serve):
    """A client that is called back got by its answer what it must not attach to."""
    started = serve(role("some", ["anyone"], create=["wire.Box"], attach=["other"], call=["*"]))
    connection = simple(started)
    box = connection.create("wire.Box")
    for each in (
        simhandle.Object(connection, "pub", "wire.Box"),
        simhandle.Object(connection, "sidl.server", "wire.Box"),
        simhandle.Object(connection, "nothing", "wire.Box"),
        (f"simhandle://127.0.0.1:{started.port}/pub", "wire.Box"),
    ):
        keeper = simhandle.Local("wire.Box", {"wire.Named kept()": lambda it=each: it})
        with pytest.raises((simhandle.Failed, simhandle.Thrown)) as error:
            box.call("wire.Named keptBy(in wire.Box other)", keeper)
        assert b"may not attach to '" in repr(error.value).encode()
    keeper = simhandle.Local("wire.Box", {"wire.Named kept()": lambda: box})
    assert box.call("wire.Named keptBy(in wire.Box other)", keeper).id == box.id


# ---- ancestors -----------------------------------------------------------------------------------


def test_methods_of_an_interface(local, call):
    names = role("names", [MINE], attach=["pub", "sidl.server"], call=["wire.Named.*"])
    _, url = local(names)
    assert call(f"{url}#pub", "getName")
    assert "may not call 'wire.Box.add'" in call(f"{url}#pub", "add", 1, 2, status=1)


def test_an_exception_about_an_ancestor(local, call):
    rights = {"attach": ["pub", "sidl.server"], "call": ["wire.Box.*", "!wire.Named.setName"]}
    _, url = local(role("names", [MINE], **rights))
    assert call(f"{url}#pub", "getName")
    said = call(f"{url}#pub", "setName", "x", status=1)
    assert "may not call 'wire.Box.setName'" in said
    assert "the exception '!wire.Named.setName'" in said


def test_what_the_object_model_needs_is_no_method_of_the_policy(local, client):
    """Casts ask the server, and so does whoever wants to know a class."""
    _, url = local(role("few", [MINE], create=["wire.Box"], call=["wire.Box.alive"]))
    assert client(url, "alive").returncode == 0


def test_an_id_is_enough_to_call_but_methods_are_asked(local, client):
    """Objects without a published name are for whoever was given them."""
    _, url = local(role("few", [MINE], create=["wire.Box"], call=["wire.Box.*", "wire.Named.*"]))
    assert client(url, "to-and-fro", program="wire_full").stdout == "ok\n"


# ---- proofs --------------------------------------------------------------------------------------


@pytest.fixture
def secure(serve, certificates, stage):
    """secure(*roles) → (server, url) over TLS, which asks for certificates."""
    if not (stage / "lib" / "libsidlx_tls.so").exists():
        pytest.skip("built without OpenSSL")

    def start(*roles):
        options = ["--listen", "simhandle+tls://127.0.0.1:0"]
        options += ["--tls-client-ca", certificates.path("ca.pem")]
        started = serve(*roles, options=options, env=certificates.server())
        return started, f"simhandle+tls://127.0.0.1:{started.port}"

    return start


def shown(certificates, name):
    """The environment of a client with that certificate."""
    files = {"SIDL_TLS_CERT": f"{name}.pem", "SIDL_TLS_KEY": f"{name}.key"}
    made = {variable: certificates.path(file) for variable, file in files.items()}
    return {**certificates.client(), **made}


def test_certificates(secure, certificates, client):
    certificates.sign("ca", "bob", "email:bob@example.org")
    started, url = secure(
        role("alice", ["tls:alice"], **BOX), role("bobs", ["tls:b*"], create=["*"])
    )
    assert client(url, "alive", env=shown(certificates, "alice")).returncode == 0
    done = client(url, "alive", env=shown(certificates, "bob"))
    assert refused(done, "tls:bob may not call 'wire.Box.alive'", "role 'bobs'")
    assert "alice, by tls" in started.log


def connect(certificates, port, name, session):
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    context.set_alpn_protocols(["simhandle"])
    context.load_cert_chain(certificates.path(f"{name}.pem"), certificates.path(f"{name}.key"))

    def secure(plain):
        return context.wrap_socket(plain, server_hostname="127.0.0.1")

    return simhandle.Connection("127.0.0.1", port, secure=secure, session=session)


def test_a_session_belongs_to_one_identity(secure, certificates):
    """Who knows its id has not become who it is."""
    certificates.sign("ca", "eve", "email:eve@example.org")
    started, _ = secure(role("all", ["tls:*"], **ALL))
    session = os.urandom(16)
    first = connect(certificates, started.port, "alice", session)
    again = connect(certificates, started.port, "alice", session)
    with pytest.raises(simhandle.Refused, match="belongs to another identity") as error:
        connect(certificates, started.port, "eve", session)
    assert "tls:eve" in str(error.value)
    assert first.create("wire.Box").call("int add(in int a, in int b)", 2, 40) == 42
    assert again.create("wire.Box").call("int add(in int a, in int b)", 2, 40) == 42
    assert connect(certificates, started.port, "eve", os.urandom(16)).create("wire.Box")


def test_a_secret_is_the_identity_of_those_who_have_it(serve, stage, tmp_path, client):
    if not (stage / "lib" / "libsidlx_secret.so").exists():
        pytest.skip("built without OpenSSL")
    key = tmp_path / "cluster.key"
    key.write_text("0123456789abcdef")
    key.chmod(0o600)
    options = ["--secret-file", key]
    having = {"SIDL_SECRET_FILE": str(key)}
    started = serve(role("cluster", ["secret:cluster.key"], **BOX), options=options)
    assert client(started.url, "alive", env=having).returncode == 0
    _write(started, role("others", ["secret:other.key"], **BOX))
    done = client(started.url, "alive", env=having)
    assert refused(done, "secret:cluster.key has no role in this server's policy")
    assert refused(client(started.url, "alive"), "this server requires a shared secret")


# ---- policies that change ------------------------------------------------------------------------


def simple(server):
    return simhandle.Connection("127.0.0.1", server.port)


ADD = "int add(in int a, in int b)"


def test_a_new_policy_counts_for_connections_that_exist(serve):
    some = role("some", ["anyone"], create=["wire.Box"], call=["wire.Box.*"])
    started = serve(some)
    box = simple(started).create("wire.Box")
    assert box.call(ADD, 2, 3) == 5
    _write(started, role("some", ["anyone"], create=["wire.Box"], call=["*", "!wire.Box.add"]))
    with pytest.raises(simhandle.Failed) as error:
        box.call(ADD, 2, 3)
    assert (error.value.number, error.value.fate) == (NOT_ALLOWED, NOT_SENT)
    _write(started, some)
    assert eventually(lambda: started.log.count("SIGHUP") == 2)
    assert eventually(lambda: works(box))


def works(box):
    try:
        return box.call(ADD, 2, 3) == 5
    except simhandle.Failed:
        return False


def test_who_has_no_role_any_more_may_do_nothing(serve):
    started = serve(role("all", ["anyone"], **ALL))
    connection = simple(started)
    box = connection.create("wire.Box")
    _write(started, role("mine", ["tls:alice"], **ALL))
    with pytest.raises(simhandle.Failed, match="that client has no role in the server's policy"):
        box.call(ADD, 2, 3)
    with pytest.raises(simhandle.Failed, match="no role"):
        connection.create("wire.Box")
    with pytest.raises(simhandle.Failed, match="no role"):
        box.call("bool isType(in string name)", "wire.Box")


def test_a_policy_that_is_no_good_changes_nothing(serve):
    started = serve(role("some", ["anyone"], create=["wire.Box"], call=["wire.Box.add"]))
    connection = simple(started)
    box = connection.create("wire.Box")
    _write(started, role("all", ["anyone"], atach=["*"], **ALL))
    said = "unknown key 'atach' in a role (did you mean 'attach'?); the policy before it remains"
    assert started.logged(said)
    assert box.call(ADD, 2, 3) == 5
    with pytest.raises(simhandle.Failed):
        box.call("int alive()")
    assert simple(started).create("wire.Box").call(ADD, 2, 3) == 5


def test_a_policy_nested_without_end_changes_nothing(serve):
    started = serve(role("some", ["anyone"], **ALL))
    _write(started, "[" + "a." * 500_000 + "a]")
    assert started.logged("nested more than 256 deep; the policy before it remains")
    assert simple(started).create("wire.Box").call(ADD, 2, 3) == 5


def test_a_server_does_not_start_with_one_that_is_no_good(sidl_tool, run, policy):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", "--policy"]
    path = policy(role("all", ["anyone"], calls=["*"]))
    said = run([*command, path], status=1).stderr
    assert f"{path}:4: unknown key 'calls' in a role (did you mean 'call'?)" in said
    path.chmod(0o622)
    assert "so that others may change it: chmod go-w" in run([*command, path], status=1).stderr


def test_an_empty_name_is_no_way_to_have_none(sidl_tool, run):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass"]
    wanted = "SIDL_POLICY_FILE is set, but names no file"
    assert wanted in run([*command, "--policy", ""], status=1).stderr
    empty = {**os.environ, "SIDL_POLICY_FILE": ""}
    assert wanted in run(command, status=1, env=empty).stderr
    empty = {**os.environ, "SIDL_AUDIT_FILE": ""}
    assert "SIDL_AUDIT_FILE is set, but names no file" in run(command, status=1, env=empty).stderr


@pytest.mark.parametrize("protocol", ["jsonsock", "pysock"], indirect=True)
@pytest.mark.parametrize("option", ["--policy", "--audit"])
def test_a_protocol_that_has_none_does_not_seem_to(protocol, sidl_tool, run, tmp_path, option):
    command = [sidl_tool, "serve", "--publish", "a=sidl.BaseClass", option, tmp_path / "x"]
    done = run([*command, "--listen", protocol.address.format(folder=tmp_path)], status=2)
    assert "its protocol knows neither policies nor an audit log" in done.stderr


WITHOUT = """
import sys, sidl
try:
    sidl.rmi.ProtocolFactory.createServer(sys.argv[1])
except sidl.rmi.BindException as error:
    print(error)
"""


@pytest.mark.parametrize("protocol", ["jsonsock", "pysock"], indirect=True)
def test_nor_does_it_in_a_program(protocol, stage, run, policy, tmp_path):
    modules = stage / "lib" / "shinar" / "python"
    if not modules.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    paths = os.pathsep.join([str(modules), os.environ.get("PYTHONPATH", "")])
    named = {"SIDL_POLICY_FILE": str(policy(role("mine", [MINE]))), "PYTHONPATH": paths}
    address = protocol.address.format(folder=tmp_path)
    said = run([sys.executable, "-c", WITHOUT, address], env={**os.environ, **named}).stdout
    assert "a policy is named (SIDL_POLICY_FILE), and the protocol of" in said
    assert "has none: its server would serve everybody" in said


# ---- what else clients do ------------------------------------------------------------------------


def test_a_one_way_call_that_is_refused_is_logged(serve):
    started = serve(role("few", ["anyone"], create=["wire.Box"], call=["wire.Box.ran"]))
    box = simple(started).create("wire.Box")
    box.send("oneway void note(in int milliseconds, in int number)", 0, 1)
    assert started.logged("may not call 'wire.Box.note'")
    assert box.call("int ran()") == 0


def test_callbacks_of_a_client_are_not_subject_to_it(local, client, policy, tmp_path):
    _, url = local(role("all", [MINE], **ALL))
    forbidding = tmp_path / "none.toml"
    forbidding.write_text(role("nobody", ["tls:nobody"]))
    forbidding.chmod(0o600)
    done = client(url, "callbacks", program="wire_full", env={"SIDL_POLICY_FILE": str(forbidding)})
    assert done.stdout == "ok\n", done.stderr


def test_where_a_client_may_send_the_server(server, local, client):
    other = server()
    rights = {"create": ["*"], "call": ["*"]}
    others = role("servers", ["anyone"], **ALL)
    started, url = local(role("all", [MINE], **rights), others)
    place = f"simhandle://127.0.0.1:{other.port}"
    done = client(url, "third", other.url)
    assert refused(done, f"{MINE} may not send this server to '{place}'", "'refer'")
    _write(started, role("all", [MINE], refer=["simhandle://127.0.0.1:*"], **rights), others)
    done = client(url, "third", other.url)
    assert done.stdout == "ok\n", done.stdout + done.stderr


class Target:
    """A server that says it has another door, and answers nothing."""

    def __init__(self, door):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.came = 0
        self.doors = f"{door}\n".encode()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                self.greet(self.listener.accept()[0])

    def greet(self, client):
        self.came += 1
        with client, contextlib.suppress(OSError):
            client.recv(64, socket.MSG_WAITALL)
            client.sendall(simhandle.MAGIC + struct.pack("<HHI", 2, 0, 1) + bytes(15) + b"x")
            limits = struct.pack(
                "<IIQIIHHI", 1 << 24, 20000, 1 << 33, 60000, len(self.doors), 2, 2, 0
            )
            client.sendall(limits + self.doors)
            client.recv(1)

    def url(self):
        return f"simhandle://127.0.0.1:{self.listener.getsockname()[1]}"


def test_a_server_is_not_led_through_doors_of_another(serve, tmp_path):
    """The address at which a client may send it was followed to others, which that server named."""
    path = tmp_path / "door"
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()
        target = Target(f"simhandle+unix://{path}")
        rights = {"create": ["*"], "call": ["*"], "refer": [target.url()]}
        env = {**os.environ, "SIDL_RMI_ROUTES": "unix,tcp", "SIDL_RMI_CONNECT_MS": "2000"}
        started = serve(role("all", ["anyone"], **rights), env=env)
        box = simple(started).create("wire.Box")
        with pytest.raises((simhandle.Failed, simhandle.Thrown)):
            box.call(IS_ME, (f"{target.url()}/x", "wire.Box"))
        target.listener.close()
        assert target.came > 0
        door.setblocking(False)
        with pytest.raises(BlockingIOError):
            door.accept()


PROGRAM = """
import sys, sidl
from sidl.rmi import NotAllowedException, NetworkException, ProtocolFactory, RequestFate
try:
    ProtocolFactory.connectInstance(sys.argv[1], "sidl.BaseClass", True)
except NotAllowedException as error:
    print(isinstance(error, NetworkException), error.getFate() == RequestFate.notSent)
    print(error)
"""


def test_a_client_in_python(local, stage, run):
    modules = stage / "lib" / "shinar" / "python"
    if not modules.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    _, url = local(role("none", [MINE]))
    said = run(
        [sys.executable, "-c", PROGRAM, f"{url}#pub"],
        env={**os.environ, "PYTHONPATH": str(modules)},
    ).stdout
    assert said.startswith("True True\n")
    assert f"{MINE} may not attach to 'pub'" in said


SERVER = """
import sys, sidl
from sidl.rmi import InstanceRegistry, NetworkException, ProtocolFactory, Trust
strict, open_to_all, wrong, socket = sys.argv[1:]
try:
    Trust.setPolicy("")
except NetworkException as error:
    print("empty" in str(error))
Trust.setPolicy(strict)
class It(sidl.BaseClass):
    pass
InstanceRegistry.registerInstanceByString(It(), "it")
server = ProtocolFactory.createServer(f"simhandle+unix://{socket}")
server.setVerbose(True)
server.listen(f"simhandle+unix://{socket}")
server.run()
for line in sys.stdin:
    if line == "open\\n":
        Trust.setPolicy(open_to_all)
    if line == "wrong\\n":
        Trust.setPolicy(wrong)
    print("done", flush=True)
server.drain(1.0)
"""


def test_a_program_says_what_its_clients_may_do(stage, sidl_tool, tmp_path):
    modules = stage / "lib" / "shinar" / "python"
    if not modules.exists():
        pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
    texts = {
        "strict": role("none", [MINE]),
        "open": role("all", [MINE], attach=["it"]),
        "wrong": "[[group]]\n",
    }
    files = []
    for name, text in texts.items():
        files.append(tmp_path / name)
        files[-1].write_text(text)
        files[-1].chmod(0o600)
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, *map(str, files), str(tmp_path / "s")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(modules)},
    )  # fmt: skip

    def tell(word):
        process.stdin.write(f"{word}\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"

    def ping():
        command = [sidl_tool, "ping", "--count", "1", f"simhandle+unix://{tmp_path}/s#it"]
        return subprocess.run(
            [str(each) for each in command], capture_output=True, text=True, timeout=60, check=False
        )

    assert process.stdout.readline() == "True\n"
    tell("nothing")
    assert refused(ping(), "may not attach to 'it'")
    tell("open")
    assert eventually(lambda: ping().returncode == 0)
    tell("wrong")
    assert ping().returncode == 0
    process.stdin.close()
    assert process.wait(timeout=30) == 0


def test_a_call_that_waits_with_a_ticket_book_is_counted(server, serve, wire, run, sidl_tool):
    """Its place was another one's meanwhile, so that any number ran at once."""
    other = server()
    hooks = ["--export", f"wire.Hook={wire}/libwire.so"]
    shared = serve(role("all", ["anyone"], {"calls-in-work": 1}, **ALL), options=hooks)
    waiting, quick = (simhandle.Connection("127.0.0.1", shared.port) for _ in range(2))
    name = f"by slow book simhandle://127.0.0.1:{other.port}/pub"
    hook, plain = waiting.create("wire.Hook"), quick.create("wire.Hook")
    hook.call("void setName(in string name)", name)
    plain.call("void setName(in string name)", "quick")
    begun = hook.begin("string getName()")

    def others_in_work():
        document = json.loads(run([sidl_tool, "inspect", "--json", other.url]).stdout)
        return document["counters"]["server"]["callsInWork"] - 1  # that one asks

    assert eventually(lambda: others_in_work() == 1)
    assert plain.call("string getName()") == "quick"
    assert select.select([waiting.socket], [], [], 0)[0], "it was not over"
    assert waiting.finish(begun) == str(len(name))
