"""What every protocol has to give: the same user programs over each of them."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def wire(build_dir):
    """Where the library to serve and its clients are."""
    return build_dir / "tests" / "wire"


@pytest.fixture
def server(start_server, protocol, wire):
    """A server of wire.Box, with a published one called "pub"."""
    offer = ["--export", f"wire.Box={wire}/libwire.so", "--publish", "pub=wire.Box"]
    return start_server(protocol, *offer, "--lease", 0.5)


@pytest.fixture
def client(wire, run):
    """client(command, url, …): what wire_client, or another program, prints."""

    def start(command, url, *arguments, program="wire_client", status=0, timeout=60):
        done = run([wire / program, url, command, *arguments], status=status, timeout=timeout)
        return done.stdout

    return start


@contextlib.contextmanager
def running(wire, *arguments):
    """A client in the background, in its call; killed at the end."""
    process = subprocess.Popen(
        [str(wire / "wire_client"), *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline().split()[0] in ("waiting", "holding")
        time.sleep(0.3)  # it says so just before it calls
        yield process
    finally:
        process.kill()
        process.communicate()


def stop(server):
    """Stops a server's process; none of its threads does anything any more."""
    server.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, server.process.pid, os.WSTOPPED)


def has_unread_input(server):
    """True if something has come over TCP that the server has not read."""
    port = int(server.url.rsplit(":", 1)[1])
    table = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    local, established = f":{port:04X}", "01"
    queues = [row[4] for row in table if row[1].endswith(local) and row[3] == established]
    return any(int(queue.split(":")[1], 16) for queue in queues)


def tell(process):
    """Lets a client go on that waits for a line."""
    process.stdin.write("\n")
    process.stdin.flush()


# A client that has the classes itself still calls the server.
@pytest.mark.parametrize("program", ["wire_client", "wire_full"])
def test_every_type(server, client, program):
    assert client("all", server.url, program=program) == "ok\n"


# A struct on the stack was released when the next call was put together: that wrote to memory which
# belonged to somebody else, and was legal to write to, so that no sanitizer said a word (they now
# run with detect_stack_use_after_return). No test made two calls with lent inout arrays of more
# than 4,096 bytes and looked at the frames between them.
def test_what_is_lent_is_not_used_after_the_call(
    start_server, client, protocol, wire, tmp_path, monkeypatch
):
    counts = tmp_path / "counts"
    counts.write_bytes(bytes(4096))
    monkeypatch.setenv("WIRE_COUNTS", str(counts))
    offer = [f"--export=wire.{each}={wire}/libwire.so" for each in ("Box", "Counter")]
    server = start_server(protocol, *offer)
    assert client("lending", server.url) == "ok\n"


def test_objects_of_a_client_that_does_not_listen(server, client):
    assert client("callbacks", server.url, program="wire_full") == "ok\n"


def test_calls_run_though_their_object_is_dropped(server, client):
    """One-way calls, and nonblocking ones of which nobody wants to know more, run once each while
    their connection lasts, also if the handle to their object, or to what they were passed, is
    dropped at once. No test dropped a handle before it had seen the effect of the calls."""
    assert client("dropped-handles", server.url) == "ok\n"


def test_calls_run_though_their_listener_is_dropped(server, client):
    """The same the other way round: the server calls an object of the client, and drops it."""
    assert client("dropped-listeners", server.url, program="wire_full") == "ok\n"


@pytest.mark.parametrize("command", ["to-and-fro", "to-and-fro-remote"])
def test_threads_pass_objects_to_and_fro(server, client, command):
    """What is passed and returned is there, over whichever connection its references are counted.
    The tests of load called with numbers and arrays, those with objects had one thread."""
    assert client(command, server.url, program="wire_full") == "ok\n"


def test_objects_of_one_server_for_another(server, start_server, client, protocol, wire):
    other = start_server(protocol, "--export", f"wire.Box={wire}/libwire.so")
    assert client("third", server.url, other.url) == "ok\n"


def test_references_are_handed_on(server, start_server, client, protocol, wire):
    """A server passes on what it was passed. What nobody else can reach, the object of a client, is
    refused, with a reason that says which argument it is and what would help."""
    other = start_server(protocol, "--export", f"wire.Box={wire}/libwire.so")
    out = client("hand-on", server.url, other.url, program="wire_full", status=None)
    if not protocol.is_simhandle:
        assert out == "ok\n"  # it lends what it was lent: the calls go by way of the server
        return
    refused = out.splitlines()[0]
    assert refused.startswith("sidl.rmi.ProtocolException: "), out
    for words in ["other: an object of class wire.Box lives in a client", "createServer", "copy"]:
        assert words in refused


@pytest.mark.parametrize("command", ["thirds-end", "thirds-late"])
def test_objects_of_another_server_end(server, start_server, client, protocol, wire, command):
    """Whoever names an object of a third process keeps it until the receiver has a reference of its
    own: in a result or a one-way call for a minute, however soon that was. What a call had that was
    cancelled before it began was never given back, and what a call had whose deadline passed while
    it attached to the object, when Python's collector ran (pysock). No test asked the third process
    what was left."""
    other = start_server(protocol, "--export", f"wire.Box={wire}/libwire.so")
    assert client(command, server.url, other.url, program="wire_full") == "ok\n"


def test_a_result_that_leads_nowhere(server, start_server, client, protocol, wire, sidl_tool, run):
    """The method has run, though its result cannot be taken in: the failure said of the attempt
    that it had not been sent, which the caller took for the call."""
    other = start_server(protocol, "--publish", f"pub=wire.Box={wire}/libwire.so")
    keeper = protocol.object_url(server.url, "pub")
    run([sidl_tool, "call", keeper, "keep", protocol.object_url(other.url, "pub")])
    other.process.kill()
    other.process.wait()
    said = client("kept", keeper, status=1)
    assert ", fate 2\n" in said and "was not run" not in said


def eventually(what, wanted):
    """What `what` gives in the end: servers end objects in their own time."""
    deadline = time.monotonic() + 20
    while (found := what()) != wanted and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def test_an_object_lives_on_with_whom_it_was_lent_to(server, start_server, client, protocol, wire):
    """A client lends an object of one server to another server, gives it up, and is killed."""
    home = start_server(protocol, "--export", f"wire.Box={wire}/libwire.so", "--lease", 0.5)
    keeper = protocol.object_url(server.url, "pub")

    def alive():
        return client("alive", home.url)

    with running(wire, keeper, "lend", home.url) as lender:
        tell(lender)
        assert lender.stdout.readline() == "gave it up\n"
        assert client("bounce-kept", keeper, 0) == "0\n"
    time.sleep(1)  # the lease of the lender is over
    assert client("bounce-kept", keeper, 0) == "0\n"
    assert alive() == "2\nok\n", "the one that was lent, and the one that was asked"
    client("let-go", keeper)
    assert eventually(alive, "1\nok\n") == "1\nok\n"


def test_a_reference_in_flight_keeps_its_object(server, start_server, client, protocol, wire):
    """The same, while the server it is lent to has not read the call yet. One way: other calls may
    be given up when their caller is gone."""
    if not protocol.is_simhandle:
        pytest.skip("has no leases: what a client holds ends with it")
    if protocol.name in ("unix", "shm", "ucx", "pipes"):
        pytest.skip("nobody says what a Unix-domain socket, a ring, UCX, or a pipe has received")
    home = start_server(protocol, "--export", f"wire.Box={wire}/libwire.so")
    keeper = protocol.object_url(server.url, "pub")
    with running(wire, keeper, "lend-one-way", home.url) as lender:
        stop(server)
        tell(lender)
        assert eventually(lambda: has_unread_input(server), True)
    server.process.send_signal(signal.SIGCONT)
    assert eventually(lambda: client("kept", keeper, status=None), "name: lent\n") == "name: lent\n"


def test_references_end_with_the_client(server, client, wire):
    with running(wire, server.url, "hold", 100):
        pass
    with running(wire, server.url, "hold", 100) as leaving:
        leaving.communicate()
    deadline = time.monotonic() + 20
    while (alive := client("alive", server.url).split()[0]) != "2" and time.monotonic() < deadline:
        time.sleep(0.1)
    assert alive == "2", "the published box, and the one that was asked"


def test_published_name(server, client, protocol):
    assert client("connect", protocol.object_url(server.url, "pub")) == "name: box\n"
    assert client("names", protocol.object_url(server.url, "pub")) == "ok\n"


def test_streams_take_arrays_of_any_dimension(start_server, client, protocol, wire):
    """An object packs itself through a stream of another process, and unpacks itself."""
    exports = ["--export", f"wire.Box={wire}/libwire.so", "--export", "wire.Tables"]
    url = start_server(protocol, *exports).url
    assert client("streams", url, program="wire_full") == "ok\n"


@pytest.fixture
def catalogues(wire, tmp_path, monkeypatch):
    """catalogues({class: library}): what is started meanwhile finds classes by a catalogue as CMake
    writes them, which says that nobody else sees the symbols of the libraries."""

    @contextlib.contextmanager
    def meanwhile(libraries):
        entries = "".join(
            f'<library uri="{wire}/lib{library}.so" scope="local"><class name="{name}"/></library>'
            for name, library in libraries.items()
        )
        catalogue = tmp_path / "wire.scl"
        catalogue.write_text(f"<scl>{entries}</scl>")
        with monkeypatch.context() as environment:
            path = f"{catalogue};{os.environ.get('SIDL_DLL_PATH', '')}"
            environment.setenv("SIDL_DLL_PATH", path)
            yield

    return meanwhile


APART = {"wire.Box": "wire_bare", "wire.Tables": "wire_tables"}
TOGETHER = {"wire.Tables": "wire", "wire.Box": "wire"}


@pytest.mark.parametrize("libraries", [APART, TOGETHER], ids=["apart", "together"])
def test_what_a_catalogue_led_to_comes_by_value(
    libraries, start_server, client, protocol, catalogues
):
    with catalogues(libraries):
        exports = [option for name in libraries for option in ("--export", name)]
        url = start_server(protocol, *exports).url
    assert client("streams", url, program="wire_full") == "ok\n"


def test_nothing_is_loaded_because_a_peer_named_it(start_server, client, protocol, catalogues):
    with catalogues(APART):
        server = start_server(protocol, "--export", "wire.Box")
    out = client("streams", server.url, program="wire_full", status=1)
    assert "an object of class wire.Tables came by value, but this process has neither it" in out
    assert "nothing is loaded because a peer names it" in out
    assert "sidl serve and sidl call: --lib LIBRARY; " in out
    assert "--export wire.Tables=LIBRARY)" in out
    assert "wire_bare" in (maps := Path(f"/proc/{server.process.pid}/maps").read_text())
    assert "wire_tables" not in maps


def test_a_class_that_lib_names_comes_by_value(
    start_server, client, protocol, catalogues, wire, monkeypatch
):
    """As the message says. (What the program does next is to create one there.)"""
    options = f"{os.environ['ASAN_OPTIONS']}:detect_odr_violation=0"  # tables are in two libraries
    monkeypatch.setenv("ASAN_OPTIONS", options)
    with catalogues(APART):
        options = ["--export", "wire.Box", "--lib", wire / "libwire_tables.so"]
        url = start_server(protocol, *options).url
    out = client("streams", url, program="wire_full", status=1)
    assert "came by value" not in out
    assert "this server does not export class 'wire.Tables'" in out


def test_exception_with_state_and_trace(server, client):
    out = client("fail", server.url, 7, program="wire_full", status=1)
    assert out.startswith("wire.Sorry: sorry about this\ncode 7, 0 numbers\n")
    assert "\nin wire.Box.fail at " in out
    assert out.endswith("in wire.Box.fail called remotely\n")


def test_exception_of_a_class_that_the_client_has_no_code_of(server, client):
    """Its stubs are enough to catch it by its type; its own methods say what is missing."""
    assert client("catch", server.url, 7) == "ok\n"
    out = client("fail", server.url, 7, status=1)
    assert out.startswith("wire.Sorry: sorry about this\nnot implemented: ")
    assert "wire.Sorry.getCode" in out
    assert "no implementation of class wire.Sorry. Link the library" in out
    assert "\nin wire.Box.fail at " in out
    assert out.endswith("in wire.Box.fail called remotely\n")


@pytest.mark.parametrize("command, numbers", [("pass-on", 3), ("pass-on-much", 10000)])
def test_exception_that_is_passed_on(
    server, client, start_server, protocol, wire, command, numbers
):
    """By a server that has no code of its class: state that it could not unpack arrives all the
    same, or (a protocol need not keep it) what arrives is the parent that the server has."""
    between = start_server(protocol, "--export", f"wire.Box={wire}/libwire_bare.so")
    out = client(command, between.url, server.url, program="wire_full", status=1)
    if not protocol.is_simhandle:
        assert out.startswith("sidl.SIDLException: sorry about this\n")
    else:
        last = numbers - 1
        assert out.startswith(
            f"wire.Sorry: sorry about this\ncode 7, {numbers} numbers, the last {last}\n"
        )
    assert out.endswith("in wire.Box.passOn called remotely\n")


def test_class_that_is_not_exported(server, client):
    assert "'wire.Secret': it exports wire.Box" in client("secret", server.url, status=1)


def test_object_that_never_was(server, client, protocol):
    out = client("connect", protocol.object_url(server.url, "nobody"), status=1)
    assert out.startswith("sidl.rmi.ObjectDoesNotExistException: ")
    assert "nobody" in out


def test_malformed_url(protocol, client):
    url = f"{protocol.name}:nowhere"
    out = client("all", url, status=1)
    assert out.startswith("sidl.rmi.MalformedURLException: ")
    assert url in out


def test_nobody_there(server, client):
    assert server.stop() == 0
    out = client("all", server.url, status=1)
    assert out.startswith("sidl.rmi.ConnectException: ")
    assert "fate 0" in out, "the method was not run"


def test_server_killed_in_a_call(server, wire):
    with running(wire, server.url, "wait", 60000) as waiting:
        server.process.kill()
        out, _ = waiting.communicate(timeout=20)
    assert waiting.returncode == 1
    assert out.startswith("sidl.rmi.UnexpectedCloseException: ")
    assert "fate 1" in out, "the method may have been run"


def test_call_in_work_finishes_when_the_server_ends(server, wire):
    with running(wire, server.url, "wait", 1000) as waiting:
        assert server.stop() == 0
        out, _ = waiting.communicate(timeout=20)
    assert out == "ok\n"


def test_client_killed_in_a_call(server, client, wire):
    with running(wire, server.url, "wait", 300):
        pass
    assert client("all", server.url) == "ok\n"


def test_deadline(server, client, monkeypatch):
    monkeypatch.setenv("SIDL_RMI_DEADLINE_MS", "1000")  # connecting takes a part of it
    out = client("wait", server.url, 1600, status=1)
    assert out.startswith("waiting\nsidl.rmi.TimeOutException: ")


def test_creating_an_object_has_a_deadline(server, wire):
    """What the process has set counts, too, where no method is called."""
    with running(wire, server.url, "create-late", 300) as late:
        stop(server)
        tell(late)
        out, _ = late.communicate(timeout=20)
        server.process.send_signal(signal.SIGCONT)
    assert out.startswith("sidl.rmi.TimeOutException: "), out
