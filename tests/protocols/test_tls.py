"""TLS between processes: what an end says that does not believe the other, openssl's own client,
one in Python, certificates that are read again, and what programs set by themselves."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
from serving import eventually

sys.path.insert(0, str(Path(__file__).parent / "independent"))

from simhandle import Connection  # noqa: E402


@pytest.fixture(autouse=True)
def _needs_tls(stage):
    if not (stage / "lib" / "libsidlx_tls.so").exists():
        pytest.skip("built without OpenSSL")


@pytest.fixture
def serve(server, certificates):
    """serve(*options, **variables) → (server, url) over TLS at 127.0.0.1."""

    def start(*options, **variables):
        env = {**certificates.server(), **variables}
        started = server("--listen", "simhandle+tls://127.0.0.1:0", *options, env=env)
        return started, f"simhandle+tls://127.0.0.1:{started.port}"

    return start


@pytest.fixture
def ping(sidl_tool, certificates, monkeypatch):
    """ping(url, **variables) → completed process of a client that believes the right authority."""

    def do(url, **variables):
        for name, value in {**certificates.client(), **variables}.items():
            monkeypatch.setenv(name, str(value))
        command = [sidl_tool, "ping", "--count", "1", url]
        return subprocess.run(
            [str(each) for each in command], capture_output=True, text=True, timeout=60, check=False
        )

    return do


def refused(done, *parts):
    """Whether the client has failed and said so."""
    text = done.stdout + done.stderr
    assert done.returncode == 1, text
    assert all(part in text for part in parts), text
    return True


def is_logged(started, part):
    assert eventually(lambda: part in started.log, 10), started.log


# ---- whom they believe ---------------------------------------------------------------------------


def test_calls_and_what_ping_shows(serve, ping):
    _, url = serve()
    done = ping(url)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "TLSv1.3" in done.stdout


def test_a_server_of_another_authority(serve, ping, certificates):
    started, url = serve()
    done = ping(url, SIDL_TLS_CA=certificates.path("stranger.pem"))
    assert refused(done, "not to be believed", "SIDL_TLS_CA")
    is_logged(started, "no connection over TLS")


def test_a_server_that_only_the_user_believes(serve, ping, certificates):
    _, url = serve()
    stranger = certificates.path("stranger.pem")
    done = ping(url, SIDL_TLS_CA=stranger, SIDL_TLS_INSECURE_ANY_SERVER="1")
    assert done.returncode == 0, done.stderr
    assert "servers are not verified" in done.stderr


def test_certificates_of_another_name(serve, ping, certificates):
    certificates.sign("ca", "other", "DNS:other.example")
    _, url = serve(
        SIDL_TLS_CERT=certificates.path("other.pem"), SIDL_TLS_KEY=certificates.path("other.key")
    )
    assert refused(ping(url), "is that of 'other', and not for '127.0.0.1'")


def test_a_common_name_alone_does_not_count(serve, ping, certificates):
    """It was said that the certificate of a host was not for that host."""
    certificates.sign("ca", "127.0.0.1", "DNS:other.example")
    key = certificates.path("127.0.0.1.key")
    _, url = serve(SIDL_TLS_CERT=certificates.path("127.0.0.1.pem"), SIDL_TLS_KEY=key)
    assert refused(ping(url), "has '127.0.0.1' as its common name alone, which does not count")


def test_clients_with_too_large_a_certificate(serve, ping, certificates):
    """OpenSSL keeps it as long as the connection, and nobody had counted that."""
    _, url = serve("--tls-client-ca", certificates.path("ca.pem"))
    for count, refusal in [(500, ""), (3000, "does not accept this client")]:
        certificates.sign("ca", "large", ",".join(f"DNS:{n}.example" for n in range(count)))
        own = {"SIDL_TLS_CERT": "large.pem", "SIDL_TLS_KEY": "large.key"}
        done = ping(url, **{name: certificates.path(file) for name, file in own.items()})
        assert refused(done, refusal) if refusal else done.returncode == 0


def test_certificates_that_have_expired(serve, ping, certificates):
    certificates.sign("ca", "old", "IP:127.0.0.1", days=-1)
    _, url = serve(
        SIDL_TLS_CERT=certificates.path("old.pem"), SIDL_TLS_KEY=certificates.path("old.key")
    )
    assert refused(ping(url), "certificate has expired")


def test_clients_without_a_certificate(serve, ping, certificates):
    started, url = serve("--tls-client-ca", certificates.path("ca.pem"))
    assert refused(ping(url), "certificate required", "SIDL_TLS_CERT")
    is_logged(started, "did not return a certificate")
    alice = {
        "SIDL_TLS_CERT": certificates.path("alice.pem"),
        "SIDL_TLS_KEY": certificates.path("alice.key"),
    }
    assert ping(url, **alice).returncode == 0


def test_clients_whose_certificate_was_revoked(serve, ping, certificates):
    certificates.sign("ca", "gone", "email:gone@example.org")
    revoked = certificates.revoke("ca", "gone")
    started, url = serve("--tls-client-ca", certificates.path("ca.pem"), "--tls-crl", revoked)
    gone = {
        "SIDL_TLS_CERT": certificates.path("gone.pem"),
        "SIDL_TLS_KEY": certificates.path("gone.key"),
    }
    assert refused(ping(url, **gone), "certificate revoked")
    is_logged(started, "no connection over TLS")


# ---- who speaks something else -------------------------------------------------------------------


def test_a_client_without_tls(serve, ping):
    started, url = serve()
    assert refused(ping(url.replace("+tls", "")), "it speaks TLS there (simhandle+tls://)")
    is_logged(started, "the client does not speak TLS (its URL may lack +tls)")


def test_a_server_without_tls(server, ping):
    started = server()
    done = ping(f"simhandle+tls://127.0.0.1:{started.port}")
    assert refused(done, "the server does not speak TLS")


def test_tls_does_not_give_way(server, ping, certificates):
    """A server that is not believed is not reached by another of its doors either."""
    options = ["--listen", "simhandle+tls://127.0.0.1:0", "--listen", "simhandle://127.0.0.1:0"]
    started = server(*options, env=certificates.server())
    url = f"simhandle+tls://127.0.0.1:{started.port}"
    done = ping(url, SIDL_RMI_ROUTES="shm,tcp,tls")
    assert done.returncode == 0, done.stderr
    plain = next(line for line in done.stdout.splitlines() if "simhandle://" in line)
    assert "not encrypted, as the URL asks for" in plain
    assert refused(ping(url, SIDL_TLS_CA=certificates.path("stranger.pem")), "not to be believed")


def test_old_versions_are_refused(serve, certificates):
    _, url = serve()
    address = url.removeprefix("simhandle+tls://")
    for version, works in (("-tls1_3", True), ("-tls1_2", False)):
        done = subprocess.run(
            ["openssl", "s_client", version, "-connect", address, "-verify_return_error",
             "-CAfile", certificates.path("ca.pem"), "-alpn", "simhandle"],
            input="", capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert (done.returncode == 0) == works, done.stdout + done.stderr
    assert "ALPN protocol: simhandle" not in done.stdout
    assert "protocol version" in done.stderr


def test_openssl_finds_nothing_old(serve, certificates):
    _, url = serve()
    done = subprocess.run(
        ["openssl", "s_client", "-tls1_3", "-connect", url.removeprefix("simhandle+tls://"),
         "-CAfile", certificates.path("ca.pem"), "-alpn", "simhandle", "-reconnect"],
        input="", capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    text = done.stdout
    assert "ALPN protocol: simhandle" in text
    assert "Verify return code: 0 (ok)" in text
    assert "Early data was not sent" in text
    assert "Reused, TLS" not in text


def test_handshakes_that_are_cut(serve, ping):
    """At each of the first bytes, and by nonsense."""
    started, url = serve()
    port = started.port
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    wrapped = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with pytest.raises(ssl.SSLWantReadError):
        wrapped.do_handshake()
    hello = outgoing.read()
    for size in [*range(0, 20), *range(20, len(hello), 37)]:
        with socket.create_connection(("127.0.0.1", port)) as cut:
            cut.sendall(hello[:size])
    for place in range(5, len(hello), 11):
        damaged = bytearray(hello)
        damaged[place] ^= 0x55
        with socket.create_connection(("127.0.0.1", port)) as liar:
            liar.sendall(damaged)
    assert ping(url).returncode == 0


def test_a_client_in_python(serve, certificates):
    """What docs/simhandle-protocol.md says, over the TLS of another library's interface."""
    started, _ = serve()
    context = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    context.set_alpn_protocols(["simhandle"])
    box = Connection(
        "127.0.0.1",
        started.port,
        secure=lambda plain: context.wrap_socket(plain, server_hostname="127.0.0.1"),
    ).create("wire.Box")
    assert box.call("int add(in int a, in int b)", 2, 40) == 42


def test_tls_and_a_secret(serve, ping, tmp_path):
    """The proof is about what only the two ends of this connection know."""
    for name, text in (("right", b"0123456789abcdef"), ("wrong", b"fedcba9876543210")):
        (tmp_path / name).write_bytes(text)
        (tmp_path / name).chmod(0o600)
    started, url = serve("--secret-file", tmp_path / "right")
    assert ping(url, SIDL_SECRET_FILE=tmp_path / "right").returncode == 0
    assert refused(ping(url, SIDL_SECRET_FILE=tmp_path / "wrong"), "not have the same secret")
    is_logged(started, "does not have the same secret")


# ---- files ---------------------------------------------------------------------------------------


def test_certificates_are_read_again(serve, ping, certificates, tmp_path):
    for name in ("server.pem", "server.key"):
        shutil.copy(certificates.path(name), tmp_path / name)
    started, url = serve(
        "--tls-cert", tmp_path / "server.pem", "--tls-key", tmp_path / "server.key"
    )
    assert ping(url).returncode == 0
    certificates.sign("ca", "next", "DNS:next.example")
    shutil.copy(certificates.path("next.pem"), tmp_path / "server.pem")
    shutil.copy(certificates.path("next.key"), tmp_path / "server.key")
    assert ping(url).returncode == 0  # not yet
    started.process.send_signal(signal.SIGHUP)
    is_logged(started, "SIGHUP")
    assert refused(ping(url), "is that of 'next'")
    (tmp_path / "server.pem").write_text("nonsense")
    started.process.send_signal(signal.SIGHUP)
    assert refused(ping(url), "is that of 'next'")
    is_logged(started, "the old certificate remains in use")
    # OpenSSL waited for somebody to write to it, and everybody with it.
    (tmp_path / "server.pem").unlink()
    os.mkfifo(tmp_path / "server.pem")
    started.process.send_signal(signal.SIGHUP)
    assert refused(ping(url), "is that of 'next'")
    is_logged(started, "is no regular file")


@pytest.mark.parametrize(
    ("name", "mode", "message"),
    [
        ("server.key", 0o644, "can be used by others: chmod 600"),
        ("none.key", None, "cannot be read: No such file or directory"),
        ("alice.key", None, "has not the key of the certificate"),
    ],
)
def test_keys_that_are_no_good(sidl_tool, wire, certificates, tmp_path, name, mode, message):
    key = Path(certificates.path(name))
    if mode is not None:
        key = shutil.copy(key, tmp_path / name)
        key.chmod(mode)
    command = [sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
    command += ["--listen", "simhandle+tls://127.0.0.1:0", "--tls-key", key]
    command += ["--tls-cert", certificates.path("server.pem")]
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert str(key) in done.stderr


PROGRAM = """
import sys, sidl
url, authorities, certificate, key = sys.argv[1:]
def try_to_connect():
    try:
        made = sidl.rmi.ProtocolFactory.connectInstance(url, "sidl.BaseClass", True)
        print(made.getTypeName())
    except sidl.rmi.NetworkException as error:
        print(error.getNote())
try_to_connect()
sidl.rmi.Trust.setAuthorities(authorities)
try_to_connect()
sidl.rmi.Trust.setCertificate(certificate, key)
try_to_connect()
"""


@pytest.fixture
def trusting(request, root, tmp_path, stage, cmake_build, monkeypatch):
    """The command of a program in a language that says by itself what it is to say."""
    if request.param == "python":
        modules = stage / "lib" / "shinar" / "python"
        if not modules.exists():
            pytest.skip("built without Python's headers, or with sanitizers: no Python binding")
        monkeypatch.setenv("PYTHONPATH", str(modules))
        return [sys.executable, "-c", PROGRAM]
    if not (stage / "include" / "shinar" / "fortran").exists():
        pytest.skip("built without Fortran, or with sanitizers: no Fortran binding")
    source, target = root / "tests" / "protocols" / "trusting", f"trusting_{request.param}"
    return [cmake_build(source, tmp_path, target=target) / target]


@pytest.mark.parametrize("trusting", ["c", "fortran", "python"], indirect=True)
def test_a_program_says_whom_it_believes(serve, certificates, trusting, run):
    """And who it is: by itself, after it was refused twice, and without an environment."""
    started, url = serve("--tls-client-ca", certificates.path("ca.pem"))
    files = [certificates.path(name) for name in ("ca.pem", "alice.pem", "alice.key")]
    said = run([*trusting, f"{url}/pub", *files]).stdout.splitlines()
    assert "not to be believed" in said[0]
    assert "certificate required" in said[1]
    assert said[2:] == ["wire.Box"]


@pytest.mark.parametrize("option", ["--tls-client-ca", "--tls-crl", "--tls-cert", "--tls-key"])
def test_an_empty_name_admits_nobody(sidl_tool, wire, certificates, option):
    """As of a variable of a script that is not set: anybody was let in."""
    command = [sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
    command += ["--listen", "simhandle+tls://127.0.0.1:0", option, ""]
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, timeout=30, check=False,
        env={**os.environ, **certificates.server()},
    )  # fmt: skip
    assert done.returncode == 1
    assert "names no file" in done.stderr


def test_a_server_without_a_certificate(sidl_tool, wire):
    command = [sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
    command += ["--listen", "simhandle+tls://127.0.0.1:0"]
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert re.search("--tls-cert and --tls-key", done.stderr)


# ---- strangers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "127.evil.example"])
def test_nobody_serves_strangers_by_accident(sidl_tool, wire, host):
    command = [sidl_tool, "serve", "--publish", f"pub=wire.Box={wire}/libwire.so"]
    command += ["--listen", f"simhandle://{host}:0"]
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 1
    assert "--allow-anyone" in done.stderr
    assert all(way in done.stderr for way in ("simhandle+tls://", "--secret-file", "127.0.0.1"))


def test_who_wants_to_serve_them_may(server, certificates, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"0123456789abcdef")
    secret.chmod(0o600)
    server("--listen", "simhandle://0.0.0.0:0", "--secret-file", secret)
    server("--listen", "simhandle://0.0.0.0:0", "--allow-anyone")
    server("--listen", "simhandle+tls://0.0.0.0:0", env=certificates.server())
