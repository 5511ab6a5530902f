"""The example of a transport: as short as it says, as the guide shows it, found in each way there
is, and what is said when it is not."""

import os
import re
import shutil
import socket
import threading
import time
from pathlib import Path

import pytest

EXAMPLE = "examples/transport-plugin"
MOST_LINES = 300
PIPES = pytest.mark.parametrize("protocol", ["pipes"], indirect=True)


def test_it_can_be_read_in_one_sitting(root):
    files = [p for p in (root / EXAMPLE).iterdir() if p.suffix in (".cpp", ".hpp")]
    assert sum(len(path.read_text().splitlines()) for path in files) < MOST_LINES


def test_the_guide_shows_the_example(root):
    guide = (root / "docs" / "writing-a-transport.md").read_text()
    blocks = re.findall(r"^```\w+ (\S+)\n(.*?)^```$", guide, re.DOTALL | re.M)
    assert len(blocks) > 5
    for path, block in blocks:
        text = (root / path).read_text()
        for part in block.split("…\n"):
            assert part in text, f"not in {path}:\n{part}"


# ---- how it is found -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def library(protocols, plugin_folder):
    """The example's library."""
    pipes = protocols["pipes"]
    return plugin_folder(pipes) / pipes.transport


@pytest.fixture
def server(start_server, protocol, build_dir):
    return start_server(protocol, "--publish", f"pub=wire.Box={build_dir}/tests/wire/libwire.so")


@pytest.fixture
def ping(stage, run, monkeypatch):
    """ping(setting): what `sidl ping` says to a URL of the transport, with SIDL_RMI_TRANSPORTS."""

    def do(setting, url="simhandle+pipes:///nowhere/socket", sidl=stage / "bin" / "sidl"):
        with monkeypatch.context() as environment:
            environment.delenv("SIDL_RMI_TRANSPORTS", raising=False)
            if setting:
                environment.setenv("SIDL_RMI_TRANSPORTS", setting)
            done = run([sidl, "ping", "--count", "1", url], status=None)
        return done.stdout + done.stderr

    return do


@PIPES
def test_beside_the_library(server, stage, library, ping, tmp_path):
    """In an installation that has it, nothing need be said."""
    for name in ("bin/sidl", "lib"):
        source, copy = stage / name, tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        if source.is_dir():
            copy.mkdir()
            for each in [*source.glob("*.so*"), *source.glob("*.scl")]:
                shutil.copy(each, copy, follow_symlinks=False)
        else:
            shutil.copy(source, copy)
    assert "there is no transport" in ping("", server.url, tmp_path / "bin" / "sidl")
    shutil.copy(library, tmp_path / "lib")
    assert "alive" in ping("", server.url, tmp_path / "bin" / "sidl")


PROGRAM = """
#include <iostream>
#include "sidl_BaseInterface.hxx"
int main(int, char** argv) {
  auto box = sidl::BaseInterface::_connect(argv[1]);
  std::cout << box.getClassInfo().getName() << std::endl;
}
"""
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(alone LANGUAGES CXX)
find_package(Shinar REQUIRED)
add_executable(alone alone.cpp {source})
target_link_libraries(alone PRIVATE Shinar::sidl_cxx Shinar::transport)
"""


@PIPES
def test_in_the_program(server, root, cmake_build, run, tmp_path, monkeypatch):
    monkeypatch.delenv("SIDL_RMI_TRANSPORTS")
    (tmp_path / "alone.cpp").write_text(PROGRAM)
    source = root / EXAMPLE / "pipes.cpp"
    (tmp_path / "CMakeLists.txt").write_text(PROJECT.format(source=source))
    built = cmake_build(tmp_path, tmp_path / "build")
    assert run([built / "alone", f"{server.url}#pub"]).stdout == "wire.Box\n"


def test_several_are_named(library, ping):
    said = ping(f"other=/nowhere/libother.so,pipes={library}")
    assert "cannot connect: No such file or directory" in said


# ---- what is said when it is not -----------------------------------------------------------------


def test_a_name_that_nobody_has_given(ping):
    said = ping("")
    assert "there is no transport 'pipes' here: SIDL_RMI_TRANSPORTS gives no library for it" in said
    assert "no libsidlx_pipes.so beside libsidlx_simhandle.so" in said


def test_a_library_that_is_not_there(ping):
    said = ping("pipes=/nowhere/libpipes.so")
    assert "SIDL_RMI_TRANSPORTS names /nowhere/libpipes.so, which cannot be loaded: " in said
    assert "No such file or directory" in said


def test_a_library_of_something_else(ping, stage):
    said = ping(f"pipes={stage}/lib/libsidl.so")
    assert f"names {stage}/lib/libsidl.so, which registers no transport of this name" in said


@pytest.mark.parametrize("entry", ["pipes", "pipes=", "/tmp/lib.so=pipes", "Pipes=/tmp/lib.so"])
def test_an_entry_that_is_none(ping, entry):
    said = ping(f"other=/nowhere/libother.so,{entry}")
    assert f"'{entry}' in SIDL_RMI_TRANSPORTS is not NAME=LIBRARY" in said


def test_a_library_of_another_release(root, stage, compilers, run, ping, tmp_path):
    """It is loaded, and nothing of it is called."""
    other = tmp_path / "libother.so"
    flags = ["-std=c++20", "-shared", "-fPIC", "-DSHINAR_LOCKS_ARE_CHECKED=0"]
    flags += ['-DSHINAR_TRANSPORT_RELEASE="0.0.9-0123abcd"']
    flags += [f"-I{stage}/include/{each}" for each in ("shinar-transport", "shinar")]
    source = root / EXAMPLE / "pipes.cpp"
    run([*compilers["cxx"], *flags, source, "-o", other, f"-L{stage}/lib", "-lsidlx_simhandle"])
    said = ping(f"pipes={other}")
    assert re.search(
        r"it was compiled for Shinar 0\.0\.9-0123abcd, and this is Shinar "
        r"\d+\.\d+\.\d+-[0-9a-f]{8}; compile it anew",
        said,
    ), said


@pytest.mark.parametrize("url", ["simhandle+pipes://host:80", "simhandle+pipes:///a b"])
def test_a_url_of_another_form(ping, library, url):
    said = ping(f"pipes={library}", url)
    assert "the path " in said


def test_headers_need_the_target(stage, compilers, run, tmp_path):
    source = tmp_path / "bare.cpp"
    source.write_text("#include <core/transport.hpp>\n")
    includes = [f"-I{stage}/include/{each}" for each in ("shinar-transport", "shinar")]
    done = run([*compilers["cxx"], "-std=c++20", "-fsyntax-only", *includes, source], status=None)
    assert done.returncode != 0
    assert "link with the CMake target Shinar::transport" in done.stderr


def test_headers_stand_alone(stage, compilers, run, tmp_path):
    """Each of those that are installed compiles by itself, with nothing of the source tree."""
    folder = stage / "include" / "shinar-transport"
    source = tmp_path / "all.cpp"
    source.write_text(
        "".join(f"#include <{p.relative_to(folder)}>\n" for p in folder.rglob("*.hpp"))
    )
    command = [*compilers["cxx"], "-std=c++20", "-fsyntax-only", "-DSHINAR_LOCKS_ARE_CHECKED=0"]
    command += ['-DSHINAR_TRANSPORT_RELEASE="x"', f"-I{folder}", f"-I{stage}/include/shinar"]
    run([*command, source])


# ---- peers that misbehave ------------------------------------------------------------------------


@PIPES
def test_clients_that_fall_silent_or_write_to_the_line(server, ping, library):
    """Nobody waits for them, and they keep no thread of the server busy."""
    silent, busy = (socket.socket(socket.AF_UNIX) for _ in range(2))
    for each in (silent, busy):
        each.connect(server.url.removeprefix("simhandle+pipes://"))
    busy.sendall(b"hello" * 100)
    assert "alive" in ping(f"pipes={library}", server.url)
    stat = Path(f"/proc/{server.process.pid}/stat")

    def ticks():
        return sum(map(int, stat.read_text().rsplit(")", 1)[1].split()[11:13]))

    before = ticks()
    time.sleep(1)
    assert ticks() - before < 50, "half a second of a processor's time within one"
    silent.close()
    busy.close()


@pytest.mark.parametrize("gives", ["nothing", "files"])
def test_a_server_that_gives_no_pipes(ping, library, tmp_path, gives):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener, open(tmp_path / "file", "w+") as file:
        listener.bind(str(path))
        listener.listen()

        def answer():
            line, _ = listener.accept()
            with line:
                files = [file.fileno()] * 2 if gives == "files" else []
                socket.send_fds(line, [b"x"], files)
                line.recv(1)

        server = threading.Thread(target=answer)
        server.start()
        said = ping(f"pipes={library}", f"simhandle+pipes://{path}")
        server.join()
    assert f"cannot use what {path} gives for pipes: Protocol error" in said


@PIPES
def test_the_readme(server, root):
    """The descriptors that it speaks of."""
    readme = (root / EXAMPLE / "README.md").read_text()
    assert "six descriptors at each end" in readme

    def count():
        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    before = count()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(server.url.removeprefix("simhandle+pipes://"))
        _, pipes, _, _ = socket.recv_fds(client, 1, 2)  # kept: a server lets go of one without
        deadline = time.monotonic() + 20
        while count() != before + 6 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert count() == before + 6
        for each in pipes:
            os.close(each)


# ---- forks ---------------------------------------------------------------------------------------


@PIPES
@pytest.mark.parametrize("before", ["call", "pending", "lent", "served", "server"])
def test_forks(start_server, protocol, build_dir, run, before):
    """A child has its own connections, and its parent does not notice it: Socket sees to that."""
    box = f"wire.Box={build_dir}/tests/wire/libwire.so"
    url = start_server(protocol, "--export", box, "--publish", "pub=wire.Box").url
    assert run([build_dir / "tests" / "wire" / "wire_fork", url, before, "busy"]).stdout == "ok\n"
