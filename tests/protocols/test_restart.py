"""A server that ends and is started anew at its address, under a program that goes on calling it.

The tests that restarted servers called methods that lend nothing. What a call lends is booked when
its arguments are packed; only then did the client find out that the server was another one, and
dropped what had been lent to the old one: this call's objects as well.
"""

import signal

import pytest
from serving import running


@pytest.mark.parametrize("transport", ["tcp", "unix", "shm"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_is_lent_reaches_the_new_server(wire, server, tmp_path, monkeypatch, transport, how):
    """Over shared memory, too, to which clients move: the new server's has another name."""
    monkeypatch.setenv("SIDL_RMI_SHM", "on" if transport == "shm" else "off")
    at = f"simhandle+unix://{tmp_path}/socket"
    listen = ["--listen", at] if transport == "unix" else []

    def start(port):
        return server("--listen", f"simhandle://127.0.0.1:{port}", *listen)

    first = start(0)
    box = f"{at}#pub" if listen else f"{first.url}/pub"
    with running(wire, box, program="wire_restart") as client:
        for turn in range(4):
            client.stdin.write("\n")
            client.stdin.flush()
            assert client.stdout.readline() == f"{3 * turn + 1} {3 * turn + 3}\n"
            first.process.send_signal(how)
            first.process.wait(timeout=20)
            first = start(first.port)
