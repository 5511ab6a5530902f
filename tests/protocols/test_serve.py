"""`sidl serve` and its clients: what works, and what wrong input and dying peers lead to."""

import contextlib
import os
import signal
import socket
import struct
import time

import pytest
from serving import eventually, free_port, resident, running

HELLO = struct.Struct("<8sHHI16sIIQII8x")
HEADER = struct.Struct("<BBHIQQII")
REQUEST, PING, PONG = 4, 12, 13


def ok(done):
    """The client found everything as it should be."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def failed(done, kind):
    """The client got an exception of this class; returns all it printed."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith(kind + ": "), done.stdout
    return done.stdout


# ---- what works ----------------------------------------------------------------------------------


def test_every_type(server, client):
    assert ok(client(server().url, "all")).strip() == "ok"


def test_every_type_from_a_program_with_the_classes(server, client):
    """The client has the classes itself and still calls the server."""
    assert ok(client(server().url, "all", program="wire_full")).strip() == "ok"


def test_nonblocking(server, client):
    assert ok(client(server().url, "nonblocking")).strip() == "ok"


@pytest.mark.parametrize("threads", [2, 32])
def test_callbacks(server, client, threads):
    url = server("--threads", threads).url
    assert ok(client(url, "callbacks", program="wire_full")).strip() == "ok"


def test_no_spinning(server, client):
    quiet = {"SIDL_SPIN_US": "0"}
    assert ok(client(server(env=quiet).url, "all", env=quiet)).strip() == "ok"


def test_published_name(server, client):
    assert ok(client(server().url + "/pub", "connect")) == "name: box\n"


def test_ping(server, sidl_tool, run):
    url = server().url
    out = run([sidl_tool, "ping", url, "--count", 2]).stdout
    assert out.count("alive") == 2
    assert "wire.Box" in run([sidl_tool, "ping", url + "/pub"]).stdout


def test_exception_with_state(server, client):
    out = failed(client(server().url, "fail", 7, program="wire_full"), "wire.Sorry")
    assert "sorry about this" in out
    assert "code 7" in out
    assert "wire.Box.fail" in out


# ---- wrong input ---------------------------------------------------------------------------------


def test_no_server(client):
    out = failed(client(f"simhandle://127.0.0.1:{free_port()}", "all"), "sidl.rmi.ConnectException")
    assert "Connection refused" in out
    assert "the method was not run" in out
    assert "errno 111, fate 0" in out


def test_unknown_host(client):
    failed(client("simhandle://no-such-host.invalid:1", "all"), "sidl.rmi.UnknownHostException")


@pytest.mark.parametrize("url", ["simhandle://", "simhandle://host", "simhandle://h:99999", "what"])
def test_malformed_url(client, url):
    out = failed(client(url, "all"), "sidl.rmi.MalformedURLException")
    assert url in out


def test_url_of_the_wrong_kind(server, client):
    url = server().url
    failed(client(url + "/pub", "all"), "sidl.rmi.MalformedURLException")
    failed(client(url, "connect"), "sidl.rmi.MalformedURLException")


def test_object_that_never_was(server, client):
    done = client(server().url + "/nobody", "connect")
    out = failed(done, "sidl.rmi.ObjectDoesNotExistException")
    assert "nobody" in out


def test_class_that_is_not_exported(server, client):
    done = client(server().url, "secret")
    assert done.returncode == 1
    assert "wire.Secret" in done.stdout
    assert "it exports wire.Box" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--export", "wire.Box=/no/such/lib.so"], "/no/such/lib.so"),
        (["--export", "wire.Nobody={wire}/libwire.so"], "wire.Nobody"),
        (["--export", "wire.Box={wire}/wire_client"], "cannot be loaded"),
        (["--export", "wire.Box={wire}/libwire.so", "--listen", "nonsense"], "nonsense"),
        (["--export", "wire.Box={wire}/libwire.so", "--listen", "{taken}"], "already in use"),
        (["--publish", "nameless"], "nameless"),
        ([], "nothing to serve"),
    ],
)
def test_serve_refuses(sidl_tool, wire, run, options, message):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = f"simhandle://127.0.0.1:{other.getsockname()[1]}"
        options = [each.format(wire=wire, taken=taken) for each in options]
        done = run([sidl_tool, "serve", *options], status=1)
    assert message in done.stderr
    assert done.stderr.startswith("sidl: ")


def test_usage(sidl_tool, run):
    run([sidl_tool], status=2)
    run([sidl_tool, "serve", "--nonsense"], status=2)
    run([sidl_tool, "--help"])


# ---- peers that misbehave ------------------------------------------------------------------------


def greet(port, versions=(2, 2), magic=b"SHINAR\r\n"):
    """A connection on which a hello was sent; returns it and the 64 bytes that came back."""
    peer = socket.create_connection(("127.0.0.1", port), timeout=10)
    hello = HELLO.pack(magic, *versions, 0, os.urandom(16), 1 << 20, 20000, 1 << 30, 0, 0)
    assert len(hello) == 64
    peer.sendall(hello)
    answer = b""
    while len(answer) < 64 and (more := peer.recv(64 - len(answer))):
        answer += more
    return peer, answer


def rest(peer):
    """Everything until the server closes."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while more := peer.recv(65536):
            data += more
    return data


def test_garbage(server, client):
    shared = server()
    with socket.create_connection(("127.0.0.1", shared.port), timeout=10) as peer:
        peer.sendall(b"GET / HTTP/1.0\r\n\r\n" + os.urandom(500))
        assert rest(peer).startswith(b"SHINAR")
    assert shared.logged("the handshake is not simhandle's")
    ok(client(shared.url, "all"))


def test_unknown_version(server, client):
    shared = server()
    peer, answer = greet(shared.port, versions=(5, 9))
    assert struct.unpack_from("<HH", answer, 8) == (0, 2)
    assert b"versions 2 to 2, the client 5 to 9" in rest(peer)
    ok(client(shared.url, "all"))


def test_half_a_frame(server, client):
    shared = server()
    peer, _ = greet(shared.port)
    peer.sendall(HEADER.pack(REQUEST, 0, 0, 5000, 1, 0, 1, 0) + b"half")
    ok(client(shared.url, "all"))
    peer.close()
    assert shared.logged("it ended in the middle of a message")
    ok(client(shared.url, "all"))


def test_a_connection_that_is_reset(server, client):
    """A process that ends with something unread resets its connections. Where it was known to be
    their end, it was called the loss of an unknown peer."""
    shared = server()
    within, _ = greet(shared.port)
    within.sendall(HEADER.pack(REQUEST, 0, 0, 5000, 1, 0, 1, 0) + b"half")
    between, _ = greet(shared.port)
    ok(client(shared.url, "all"))
    names = ["{}:{}".format(*each.getsockname()) for each in (within, between)]
    for each in (between, within):
        each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.close()
    assert shared.logged(f"lost the connection of {names[0]}: Connection reset by peer")
    ok(client(shared.url, "all"))
    assert names[1] not in shared.log
    assert "unknown peer" not in shared.log


@pytest.mark.parametrize("claim", [1 << 31, 1 << 40, 1 << 63])
def test_hostile_claim(server, client, claim):
    """Memory grows by what came, not by what was announced."""
    shared = server()
    ok(client(shared.url, "all"))
    before = resident(shared.process.pid)
    peer, _ = greet(shared.port)
    peer.sendall(HEADER.pack(REQUEST, 0, 1, 16, 1, claim, 1, 0) + struct.pack("<Q", claim))
    peer.sendall(bytes(16))
    time.sleep(0.2)
    assert resident(shared.process.pid) - before < (
        4096 if "SHINAR_SANITIZED" in os.environ else 1024
    )
    peer.close()
    ok(client(shared.url, "all"))


def test_ping_frame(server):
    peer, _ = greet(server().port)
    peer.sendall(HEADER.pack(PING, 0, 0, 0, 77, 0, 0, 0))
    assert HEADER.unpack(peer.recv(32)) == (PONG, 0, 0, 0, 77, 0, 0, 0)


# ---- peers that die ------------------------------------------------------------------------------


def test_client_killed_in_a_call(server, client, wire):
    shared = server("--lease", "0.5")
    with running(wire, shared.url, "wait", 700) as dying:
        assert dying.stdout.readline() == "waiting\n"
    assert shared.logged("its lease of 500 ms has expired, references to 1 objects dropped")
    ok(client(shared.url, "all"))


def test_references_of_a_killed_client(server, client, wire):
    shared = server("--lease", "0.5")
    with running(wire, shared.url, "hold", 1000) as dying:
        assert dying.stdout.readline() == "holding 1000\n"
    assert shared.logged("references to 1000 objects dropped")
    ok(client(shared.url, "all"))


def test_references_of_many_killed_clients(server, client, wire):
    """None is left after the lease; SHINAR_SOAK=1: 1,000 clients, 100,000 references."""
    batches, clients, each = (50, 20, 100) if os.environ.get("SHINAR_SOAK") else (2, 4, 50)
    shared = server("--lease", "0.5")
    for _ in range(batches):
        with contextlib.ExitStack() as stack:
            dying = [
                stack.enter_context(running(wire, shared.url, "hold", each)) for _ in range(clients)
            ]
            for process in dying:
                assert process.stdout.readline() == f"holding {each}\n"
    line = f"references to {each} objects dropped"
    assert eventually(lambda: shared.log.count(line) == batches * clients, 60), shared.log
    ok(client(shared.url, "all"))


def test_references_of_an_orderly_client(server, client, wire):
    shared = server("--lease", "0.5")
    with running(wire, shared.url, "hold", 100) as leaving:
        assert leaving.stdout.readline() == "holding 100\n"
        leaving.communicate()
    time.sleep(1.2)
    assert "lease" not in shared.log


def test_object_of_a_client_that_is_gone(server, client, wire):
    shared = server("--lease", "0.5")
    published = shared.url + "/pub"
    with running(wire, published, "leave", program="wire_full") as leaving:
        assert leaving.stdout.readline() == "left\n"
        assert ok(client(published, "bounce-kept", 5)) == "5\n"
        leaving.send_signal(signal.SIGSTOP)
        leaving.kill()
        leaving.wait()
        out = failed(client(published, "bounce-kept", 5), "sidl.rmi.UnexpectedCloseException")
    assert "no longer connected" in out


def test_server_killed_in_a_call(server, wire):
    shared = server()
    with running(wire, shared.url, "wait", 60000) as waiting:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(0.2)
        shared.process.kill()
        shared.process.wait()
        out, _ = waiting.communicate(timeout=10)
    assert waiting.returncode == 1
    assert out.startswith("sidl.rmi.UnexpectedCloseException: calling 'wait' at 127.0.0.1:")
    assert "fate 1" in out


def test_frozen_server(server, wire):
    shared = server()
    with running(wire, shared.url, "wait", 60000, env={"SIDL_RMI_KEEPALIVE_MS": "200"}) as waiting:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(1.5)
        assert waiting.poll() is None  # a long call is not a dead one
        shared.process.send_signal(signal.SIGSTOP)
        try:
            out, _ = waiting.communicate(timeout=10)
        finally:
            shared.process.send_signal(signal.SIGCONT)
            shared.process.kill()
            shared.process.wait()
    assert "sidl.rmi.UnexpectedCloseException" in out
    assert "keepalives" in out


def test_deadline(server, client):
    start = time.monotonic()
    done = client(server().url, "wait", 3000, env={"SIDL_RMI_DEADLINE_MS": "300"})
    out = done.stdout.removeprefix("waiting\n")
    assert out.startswith("sidl.rmi.TimeOutException")
    assert time.monotonic() - start < 2.5


def test_calls_in_work_finish_when_the_server_ends(server, wire):
    shared = server()
    with running(wire, shared.url, "wait", 700) as waiting:
        assert waiting.stdout.readline() == "waiting\n"
        time.sleep(0.2)
        shared.process.send_signal(signal.SIGTERM)
        out, _ = waiting.communicate(timeout=10)
    assert out == "ok\n"
    assert shared.process.wait(timeout=10) == 0
