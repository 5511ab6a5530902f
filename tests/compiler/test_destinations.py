"""Where sidlc writes: links, special files, owners, what a failure and a kill leave behind."""

import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

HELLO = "package hello version 1.0 {\n  class World { string greet(in string who); }\n}\n"
NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may do this")


@pytest.fixture
def hello(tmp_path):
    path = tmp_path / "hello.sidl"
    path.write_text(HELLO)
    return path


@pytest.fixture
def emit(sidlc, run, hello):
    """emit(file, status=0): has the tidy SIDL written to the file."""

    def it(file, status=0, **options):
        return run([sidlc, "--emit=sidl", "-o", file, hello], status, timeout=60, **options)

    it.text = run([sidlc, "--emit=sidl", hello]).stdout
    return it


def leftovers(folder):
    return [path.name for path in folder.rglob(".sidlc-*")]


# ---- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_link_is_followed(is_absolute, emit, tmp_path):
    target = tmp_path / "there" / "real"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o640)
    second = tmp_path / "there" / "second"
    second.symlink_to("real")
    link = tmp_path / "link"
    link.symlink_to(second if is_absolute else "there/second")
    emit(link)
    assert (link.is_symlink(), second.is_symlink(), target.is_symlink()) == (True, True, False)
    assert target.read_text() == emit.text
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert leftovers(tmp_path) == []


def test_a_dangling_link_makes_its_target(emit, tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/new")
    emit(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there/new").read_text() == emit.text
    (tmp_path / "lost").symlink_to("nowhere/new")
    done = emit(tmp_path / "lost", status=1)
    assert "it points to" in done.stderr
    assert "No such file or directory [SIDL0002]" in done.stderr
    assert not (tmp_path / "nowhere").exists()


def test_links_in_a_circle(emit, tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    done = emit(tmp_path / "a", status=1)
    assert "Too many levels of symbolic links [SIDL0002]" in done.stderr
    assert (tmp_path / "a").is_symlink()
    assert (tmp_path / "b").is_symlink()


def test_the_code_behind_a_linked_impl_file_is_kept_and_renewed(sidlc, run, hello, tmp_path):
    command = [sidlc, "--server=c", "-o", tmp_path / "out", "--impl-dir", tmp_path / "src", hello]
    run(command)
    impl = tmp_path / "src" / "hello_World_Impl.c"
    elsewhere = tmp_path / "elsewhere.c"
    text = impl.read_text()
    mark = "DO-NOT-DELETE splicer.begin(hello.World.greet) */\n"
    assert mark in text
    elsewhere.write_text(text.replace(mark, mark + "  /* mine */\n"))
    impl.unlink()
    impl.symlink_to(elsewhere)
    hello.write_text(HELLO.replace("}\n}", "int more(); }\n}"))
    run(command)
    assert impl.is_symlink()
    assert "/* mine */" in elsewhere.read_text()
    assert "splicer.begin(hello.World.more)" in elsewhere.read_text()


def test_an_impl_file_that_is_a_dangling_link_is_not_taken_for_a_new_one(
    sidlc, run, hello, tmp_path
):
    impl = tmp_path / "hello_World_Impl.c"
    impl.symlink_to("not-mounted-yet.c")
    done = run([sidlc, "--server=c", "-o", tmp_path, hello], status=1)
    assert f"cannot read '{impl}': No such file or directory" in done.stderr
    assert not (tmp_path / "not-mounted-yet.c").exists()


def test_two_outputs_do_not_lead_to_one_file(sidlc, run, hello, tmp_path):
    listed = run([sidlc, "--client=c", "--list-outputs", hello], cwd=tmp_path).stdout.split()
    (tmp_path / listed[0]).symlink_to(listed[1])
    done = run([sidlc, "--client=c", hello.name], status=1, cwd=tmp_path)
    assert "another output is written there" in done.stderr
    assert not (tmp_path / listed[1]).exists()


# ---- what is no plain file ----------------------------------------------------------------------


def kind_of(path):
    return stat.S_IFMT(path.lstat().st_mode)


@needs_root
@pytest.mark.parametrize("minor, error", [(3, ""), (7, "No space left on device")])
def test_devices_stay_devices(minor, error, emit, tmp_path):
    null = tmp_path / "device"
    try:
        os.mknod(null, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        null.write_bytes(b"")
    except PermissionError:
        pytest.skip("no device can be made here")
    assert error in emit(null, status=1 if error else 0).stderr
    assert kind_of(null) == stat.S_IFCHR
    assert leftovers(tmp_path) == []


def test_the_system_s_devices(as_nobody):
    """Not as root: a mistake would cost the machine its devices."""
    (as_nobody.folder / "link").symlink_to("/dev/null")
    as_nobody("--emit=sidl", "-o", "/dev/null", status=0)
    as_nobody("--emit=sidl", "-o", "link", status=0)
    assert (as_nobody.folder / "link").is_symlink()
    done = as_nobody("--emit=sidl", "-o", "/dev/full", status=1)
    assert "No space left on device [SIDL0002]" in done.stderr


def test_a_fifo_gets_the_text(emit, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
    reader.start()
    emit(fifo)
    reader.join(60)
    assert got == [emit.text]
    assert kind_of(fifo) == stat.S_IFIFO


def test_a_fifo_without_a_reader_waits_and_nothing_is_lost(emit, sidlc, hello, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    waiting = subprocess.Popen([sidlc, "--emit=sidl", "-o", fifo, hello])
    with fifo.open() as reader:  # returns as soon as there is a writer
        assert reader.read() == emit.text
    assert waiting.wait(60) == 0


def test_a_socket_is_no_place_to_write(emit, tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        assert "[SIDL0002]" in emit(tmp_path / "socket", status=1).stderr
        assert kind_of(tmp_path / "socket") == stat.S_IFSOCK


def test_standard_output_by_its_name(emit, sidlc, hello, tmp_path):
    assert emit("/dev/stdout").stdout == emit.text
    file = tmp_path / "file"
    subprocess.run(
        ["sh", "-c", f"'{sidlc}' --emit=sidl -o /dev/stdout '{hello}'; echo end"],
        stdout=file.open("a"),
        check=True,
    )
    # What the shell opened is the file that was written to, not one that has its name no more.
    assert file.read_text().endswith("end\n")
    assert emit.text in file.read_text()


def test_what_is_no_plain_file_is_no_impl_file(sidlc, run, hello, tmp_path):
    os.mkfifo(tmp_path / "hello_World_Impl.c")
    done = run([sidlc, "--server=c", "-o", tmp_path, hello], status=1, timeout=60)
    assert "hello_World_Impl.c': it is not a regular file [SIDL0001]" in done.stderr


def test_what_is_no_plain_file_is_not_rewritten(sidlc, run, tmp_path):
    os.mkfifo(tmp_path / "fifo")
    done = run([sidlc, "--format", "--in-place", tmp_path / "fifo"], status=1, timeout=60)
    assert "it is not a regular file [SIDL0002]" in done.stderr


# ---- owners and permissions ---------------------------------------------------------------------


@needs_root
def test_owner_and_permissions_are_kept(emit, tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    os.chown(file, NOBODY, NOBODY)
    file.chmod(0o4751)
    emit(file)
    found = file.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (NOBODY, NOBODY, 0o4751)
    assert file.read_text() == emit.text


def test_access_lists_are_kept(emit, tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    nobody = 0xFFFFFFFF  # owner, a user, group, mask, others: tag, permissions, id
    entries = [(1, 6, nobody), (2, 6, NOBODY), (4, 4, nobody), (16, 6, nobody), (32, 4, nobody)]
    wanted = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    try:
        os.setxattr(file, "system.posix_acl_access", wanted)
    except OSError:
        pytest.skip("this file system has no access lists")
    emit(file)
    assert os.getxattr(file, "system.posix_acl_access") == wanted
    assert file.read_text() == emit.text


@pytest.fixture
def as_nobody(sidlc):
    """A folder that is open to all, and a function that runs sidlc in it as a user without rights.
    A copy of the text lies there."""
    if os.geteuid() != 0:
        pytest.skip("only root may become somebody else")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "hello.sidl").write_text(HELLO)

        def run(*arguments, status):
            done = subprocess.run(
                [sidlc, *arguments, "hello.sidl"],
                cwd=folder,
                user=NOBODY,
                group=NOBODY,
                extra_groups=[],
                capture_output=True,
                text=True,
                timeout=60,
            )
            if "Permission denied" in done.stderr and done.returncode == 126:
                pytest.skip("sidlc cannot be run by others here")
            assert done.returncode == status, done.stderr
            return done

        run.folder = folder
        yield run


def test_a_file_of_somebody_else_is_written_over(as_nobody, emit):
    file = as_nobody.folder / "file"
    for old in ("old", "a longer text than the new one\n" * 1000):
        file.write_text(old)
        file.chmod(0o666)
        number = file.stat().st_ino
        as_nobody("--emit=sidl", "-o", "file", status=0)
        assert file.read_text() == emit.text
        assert (file.stat().st_uid, file.stat().st_ino) == (os.geteuid(), number)
    assert leftovers(as_nobody.folder) == []


def test_a_protected_file_of_somebody_else(as_nobody):
    file = as_nobody.folder / "file"
    file.write_text("old")
    file.chmod(0o644)
    done = as_nobody("--emit=sidl", "-o", "file", status=1)
    assert done.stderr == "sidlc: error: cannot write 'file': Permission denied [SIDL0002]\n"
    assert file.read_text() == "old"
    assert leftovers(as_nobody.folder) == []


def test_a_read_only_folder(as_nobody):
    inner = as_nobody.folder / "inner"
    inner.mkdir()
    (inner / "file").write_text("old")
    (inner / "file").chmod(0o666)
    inner.chmod(0o555)
    done = as_nobody("--emit=sidl", "-o", "inner/file", status=1)
    assert (
        done.stderr
        == "sidlc: error: cannot write 'inner/file': cannot create a file in the directory "
        "'inner': Permission denied [SIDL0002]\n"
    )
    assert (inner / "file").read_text() == "old"


# ---- failures and kills -------------------------------------------------------------------------


def test_all_outputs_or_none_until_the_last_one(as_nobody):
    """The last file belongs to somebody else, in a folder where only owners may replace: that fails
    after others were replaced."""
    folder = as_nobody.folder
    names = as_nobody("--client=c", "--list-outputs", status=0).stdout.split()
    as_nobody("--client=c", status=0)
    text = {name: (folder / name).read_text() for name in names}
    (folder / "hello.sidl").write_text(HELLO.replace("}\n}", "int more(); }\n}"))
    victims = [name for name in names if "World" in name]
    assert len(victims) > 1
    # An immutable file cannot be exchanged, whoever it belongs to.
    if subprocess.run(["chattr", "+i", folder / victims[-1]], capture_output=True).returncode != 0:
        pytest.skip("no file can be made immutable here")
    try:
        as_nobody("--client=c", status=1)
    finally:
        subprocess.run(["chattr", "-i", folder / victims[-1]], check=True)
    assert {name: (folder / name).read_text() for name in names} == text
    assert leftovers(folder) == []


def killed_run(sidlc, hello, folder, tmp_path):
    """A run that waits in the middle of writing, with its files prepared, and is killed there."""
    fifo = tmp_path / "fifo"
    if not fifo.exists():
        os.mkfifo(fifo)
    names = subprocess.run(
        [sidlc, "--client=c", "-o", folder, "--list-outputs", hello],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    folder.mkdir(exist_ok=True)
    Path(names[0]).symlink_to(fifo)
    command = [sidlc, "--client=c", "-o", folder, hello]
    process = subprocess.Popen(command)
    while process.poll() is None and len(leftovers(folder)) < len(names) - 1:
        time.sleep(0.01)
    found = leftovers(folder)
    Path(names[0]).unlink()
    return process, found


def test_what_a_killed_run_left_goes_with_the_next(sidlc, run, hello, tmp_path):
    folder = tmp_path / "out"
    process, found = killed_run(sidlc, hello, folder, tmp_path)
    assert found
    run([sidlc, "--client=c", "-o", folder, hello])
    assert sorted(leftovers(folder)) == sorted(found), "it lives, and they are its own"
    process.send_signal(signal.SIGKILL)
    # It has ended, and nobody has waited for it: as under a shell that is busy.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert sorted(leftovers(folder)) == sorted(found)
    (folder / ".sidlc-not-ours").write_text("x")
    run([sidlc, "--client=c", "-o", folder, hello])
    assert leftovers(folder) == [".sidlc-not-ours"]
    process.wait()


def test_a_limit_of_sizes_is_an_error(emit, tmp_path):
    file = tmp_path / "out.sidl"
    file.write_text("old")
    done = emit(file, 1, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)))
    assert "File too large" in done.stderr and str(file) in done.stderr
    assert file.read_text() == "old"
    assert leftovers(tmp_path) == []


def test_leftovers_of_other_machines_go_when_they_are_old(sidlc, run, hello, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    young, old = folder / ".sidlc-1f-1-2-3", folder / ".sidlc-1f-1-2-4"
    for path in (young, old):
        path.write_text("x")
    os.utime(old, (1, 1))
    run([sidlc, "--client=c", "-o", folder, hello])
    assert leftovers(folder) == [young.name]
