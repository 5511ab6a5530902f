"""The section of the page about authentication is enough as well: both ends prove that they have a
secret, and what the page shows can be computed anew."""

import re

import pytest
import simhandle
from simhandle import Connection, Refused

SECRET = b"0123456789abcdef0123456789abcdef"

pytestmark = pytest.mark.parametrize("protocol", ["simhandle"], indirect=True)


@pytest.fixture
def connect(start_server, protocol, build_dir, stage, tmp_path):
    """connect(…) → a new connection to a server with the secret."""
    if not (stage / "lib" / "libsidlx_secret.so").exists():
        pytest.skip("built without OpenSSL")
    file = tmp_path / "secret"
    file.write_bytes(SECRET + b"\n")
    file.chmod(0o600)
    library = build_dir / "tests" / "wire" / "libwire.so"
    server = start_server(protocol, "--publish", f"pub=wire.Box={library}", "--secret-file", file)
    host, port = server.url.removeprefix("simhandle://").split(":")
    return lambda **options: Connection(host, int(port), **options)


def test_both_ends_prove_it(connect):
    assert connect(secret=SECRET).attach("pub").call("int add(in int a, in int b)", 2, 40) == 42


def test_a_wrong_one_is_found_out_by_both_ends(connect, monkeypatch):
    with pytest.raises(Refused, match="the server does not have the secret"):
        connect(secret=SECRET[1:])
    monkeypatch.setattr(simhandle.hmac, "compare_digest", lambda ours, theirs: True)
    with pytest.raises(Refused, match="the client does not have the same secret"):
        connect(secret=SECRET[1:])


def test_who_offers_none_is_told_what_to_do(connect):
    with pytest.raises(Refused) as refused:
        connect()
    assert refused.value.args[0] == 5
    assert "this server requires a shared secret: set SIDL_SECRET_FILE" in refused.value.args[1]


def test_the_page_can_be_computed(protocol, root):  # noqa: ARG001
    text = (root / "docs" / "simhandle-protocol.md").read_text()
    blocks = {
        name: bytes.fromhex(re.sub(r";.*", "", block))
        for name, block in re.findall(r"^```hex (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    }
    assert f"secret `{SECRET.decode()}`" in text
    hello, welcome = blocks["authenticated-hello"], blocks["authenticated-welcome"]
    common = hello[64:96] + welcome[64:96] + hello[:64] + welcome[:64] + bytes(4)
    assert hello[96:] == b"secret"
    assert welcome[96:] == simhandle.proof(SECRET, "server", common)
    assert blocks["proof"] == simhandle.proof(SECRET, "client", common)
    assert blocks["statement"] == b"simhandle/2/secret/client\0" + common
    assert blocks["verdict"] == bytes(8)
