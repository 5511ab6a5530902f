"""A client that comes when the server's process is at its end: libraries that protocols use, such
as UCX and OpenSSL, have ended in exit handlers or destructors then, and threads of the server still
run.

A rank of a parallel program once crashed after its work was done, in one of thousands of runs. No
test had a client that came so late: this one holds the process up behind its last destructor.
"""

import os
import subprocess
import sys

import pytest

# What standard output has not been told yet is written behind everything else.
LATE = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ssize_t wait_for_end(void* cookie, const char* bytes, size_t size) {
  const int told = atoi(getenv("TOLD")), waits = atoi(getenv("WAITS"));
  char byte = 0;
  (void)cookie, (void)bytes;
  if (write(told, "late", 5) != 5 || read(waits, &byte, 1) != 0) abort();
  return (ssize_t)size;
}

__attribute__((constructor)) static void begin(void) {
  const cookie_io_functions_t functions = {.write = wait_for_end};
  if (getenv("TOLD") != NULL) fputs("late", fopencookie(NULL, "w", functions));
}
"""

SERVER = """
import ctypes, hashlib, ssl, sys
from sidl import SIDLException
from sidl.rmi import InstanceRegistry, ProtocolFactory

address = sys.argv[1]
server = ProtocolFactory.createServer(address)
url = server.listen(address)
server.run()
InstanceRegistry.registerInstanceByString(SIDLException("there"), "it")
ctypes.pythonapi.Py_IncRef(ctypes.py_object(server))  # as one of a host in another language
print(url, flush=True)
sys.stdin.readline()
"""

CLIENT = """
import sys
from sidl import BaseException, SIDLException

print(SIDLException.connect(sys.argv[1]).getNote(), flush=True)
sys.stdin.readline()
try:
    SIDLException.connect(sys.argv[1]).getNote()
except BaseException as error:
    print(type(error).__name__)
"""


@pytest.fixture
def late(run, tmp_path):
    (tmp_path / "late.c").write_text(LATE)
    library = tmp_path / "late.so"
    run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "late.c"])
    return library


@pytest.fixture
def python(stage, monkeypatch):
    folder = stage / "lib" / "shinar" / "python"
    if not folder.exists():
        pytest.skip("built without the Python binding")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)

    def start(program, *arguments, **options):
        command = [sys.executable, "-c", program, *map(str, arguments)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, **pipes, **options)

    return start


def come_late(python, late, address, object_url):
    told, tells = os.pipe()
    waits, goes_on = os.pipe()
    settings = {"LD_PRELOAD": str(late), "TOLD": str(tells), "WAITS": str(waits)}
    server = python(SERVER, address, env={**os.environ, **settings}, pass_fds=[tells, waits])
    os.close(tells)
    os.close(waits)
    clients = []
    try:
        it = object_url(server.stdout.readline().strip(), "it")
        clients += [python(CLIENT, it) for _ in range(2)]
        assert [each.stdout.readline() for each in clients] == ["there\n"] * 2
        server.stdin.close()
        assert os.read(told, 5) == b"late\0"
        clients += [python(CLIENT, it) for _ in range(2)]
        # Whether they are served, or refused, is the protocol's choice.
        outcomes = [each.communicate("\n", timeout=60)[0] for each in clients]
        os.close(goes_on)
        assert server.wait(timeout=60) == 0, outcomes
    finally:
        for each in [server, *clients]:
            each.kill()
            each.wait()


@pytest.mark.parametrize("protocol", ["tls", "ucx"], indirect=True)
def test_clients_that_come_late(python, late, protocol, tmp_path):
    come_late(python, late, protocol.address.format(folder=tmp_path), protocol.object_url)


def test_clients_with_a_secret_that_come_late(python, late, tmp_path, monkeypatch):
    secret = tmp_path / "secret"
    secret.touch(mode=0o600)
    secret.write_text("7" * 64)
    monkeypatch.setenv("SIDL_SECRET_FILE", str(secret))
    come_late(python, late, "simhandle://127.0.0.1:0", lambda url, name: f"{url}/{name}")
