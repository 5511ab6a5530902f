"""What a server runs one at a time, and what it tells about calls that wait."""

import json
import os
import subprocess

import pytest
from serving import eventually

SHORT, LONG = 300, 20000  # ms that a call waits for another: one that comes, or one that does not


def meet(sidl_tool, calls):
    """Makes calls (url, method, milliseconds) at the same time; returns what each of them gave."""
    processes = [
        subprocess.Popen([sidl_tool, "call", url, method, str(time)], stdout=subprocess.PIPE)
        for url, method, time in calls
    ]
    results = [process.communicate(timeout=60)[0] for process in processes]
    assert all(process.returncode == 0 for process in processes)
    return [json.loads(result)["result"] for result in results]


@pytest.fixture
def meetings(server, wire):
    """A server of two objects of a class, and one of a class that is concurrent."""

    def start(*options, env=None):
        library = f"{wire}/libwire.so"
        names = ["a=wire.Meeting", "b=wire.Meeting", "open=wire.OpenMeeting"]
        published = [word for name in names for word in ("--publish", f"{name}={library}")]
        return server(*published, *options, env=env).url

    return start


def twice(url, method, time, other=None):
    return [(url, method, time), (other or url, method, time)]


def test_an_object_by_default(meetings, sidl_tool):
    url = meetings()
    assert meet(sidl_tool, twice(f"{url}/a", "meet", SHORT)) == [1, 1]
    assert meet(sidl_tool, twice(f"{url}/a", "meetFreely", LONG)) == [2, 2]
    assert meet(sidl_tool, twice(f"{url}/a", "meetAnywhere", LONG, f"{url}/b")) == [2, 2]
    assert meet(sidl_tool, twice(f"{url}/open", "meet", LONG)) == [2, 2]


def test_a_method_that_is_concurrent_meets_one_that_is_not(meetings, sidl_tool):
    url = meetings() + "/a"
    assert meet(sidl_tool, [(url, "meet", LONG), (url, "meetFreely", LONG)]) == [2, 2]


@pytest.mark.parametrize("mode", ["class", "library"])
def test_a_class_and_a_library(meetings, sidl_tool, mode):
    url = meetings("--serialize", mode)
    assert meet(sidl_tool, twice(f"{url}/a", "meetAnywhere", SHORT, f"{url}/b")) == [1, 1]
    assert meet(sidl_tool, twice(f"{url}/a", "meetFreely", LONG)) == [2, 2]
    assert meet(sidl_tool, twice(f"{url}/open", "meet", LONG)) == [2, 2]


@pytest.fixture
def apart(start_server, protocols, wire, tmp_path, monkeypatch):
    """A server with the classes of one library, which a catalogue has led to. Another library has
    tables of their types, too, and came first."""
    names = {"wire.Tables": "wire_tables", "wire.Meeting": "wire_bare", "wire.Diary": "wire_bare"}
    entries = "".join(
        f'<library uri="{wire}/lib{library}.so" scope="local"><class name="{name}"/></library>'
        for name, library in names.items()
    )
    catalogue = tmp_path / "wire.scl"
    catalogue.write_text(f"<scl>{entries}</scl>")
    monkeypatch.setenv("SIDL_DLL_PATH", str(catalogue))
    options = ["--export", "wire.Tables", "--publish", "a=wire.Meeting"]
    options += ["--publish", "diary=wire.Diary", "--serialize", "library"]
    return start_server(protocols["simhandle"], *options).url


# The library was that of the first table's class, which nobody knew: each class ran for itself.
def test_a_library_whose_types_others_know_too(apart, sidl_tool, run):
    def counter(name):
        document = json.loads(run([sidl_tool, "inspect", "--json", apart]).stdout)
        return document["counters"]["server"][name]

    def call(*words):
        return subprocess.Popen([sidl_tool, "call", *words], stdout=subprocess.DEVNULL)

    meeting = call(f"{apart}/a", "meet", str(LONG))
    assert eventually(lambda: counter("callsInWork") == 2, 30), "this one asks"
    page = call(f"{apart}/diary", "write", "1")
    assert eventually(lambda: counter("callsWaiting") == 1 or page.poll() is not None, 30)
    assert page.poll() is None
    run([sidl_tool, "call", f"{apart}/a", "meetFreely", "1"], timeout=60)
    assert [each.wait(timeout=60) for each in (meeting, page)] == [0, 0]


def test_nothing(meetings, sidl_tool):
    url = meetings("--serialize", "none")
    assert meet(sidl_tool, twice(f"{url}/a", "meet", LONG)) == [2, 2]


def test_the_setting_is_that_of_the_environment(meetings, sidl_tool, run):
    url = meetings(env={"SIDL_RMI_SERIALIZE": "none"})
    assert meet(sidl_tool, twice(f"{url}/a", "meet", LONG)) == [2, 2]
    assert "run one at a time per: none" in run([sidl_tool, "inspect", url]).stdout


def test_inspect_shows_who_waits(meetings, sidl_tool, run):
    url = meetings()
    calls = [
        subprocess.Popen([sidl_tool, "call", f"{url}/a", "meet", "3000"], stdout=subprocess.DEVNULL)
        for _ in range(3)
    ]
    counters = {}
    while counters.get("longestQueue") != 2 and calls[0].poll() is None:
        document = json.loads(run([sidl_tool, "inspect", "--json", url]).stdout)
        counters = document["counters"]["server"]
        assert document["serialize"] == "object"
    assert counters["callsWaiting"] == 2
    assert all(call.wait(timeout=60) == 0 for call in calls)
    document = json.loads(run([sidl_tool, "inspect", "--json", url]).stdout)
    assert document["counters"]["server"]["callsWaiting"] == 0


@pytest.mark.parametrize("word", ["objct", "Object", "object "])
def test_a_setting_that_is_none_is_refused(sidl_tool, wire, run, word):
    command = [sidl_tool, "serve", "--export", f"wire.Box={wire}/libwire.so"]
    done = run(command, status=1, env={**os.environ, "SIDL_RMI_SERIALIZE": word}, timeout=60)
    assert (
        f"SIDL_RMI_SERIALIZE is '{word}', and must be object, class, library or none" in done.stderr
    )
    assert "listening" not in done.stdout


# ---- what waits long, and callers that do not wait -----------------------------------------------


def test_the_log_says_who_waits_long(server, wire, sidl_tool, run):
    """A call that has waited ten seconds for another of the object is worth a line."""
    serving = server("--publish", f"a=wire.Meeting={wire}/libwire.so")
    words = [sidl_tool, "call", f"{serving.url}/a"]
    meet = [
        subprocess.Popen([*words, "meet", str(LONG)], stdout=subprocess.DEVNULL) for _ in range(2)
    ]
    assert serving.logged("1 call waits, 'meet' of ", 60), serving.log
    (line,) = (line for line in serving.log.splitlines() if "1 call waits" in line)
    assert " on object 'a', while 'meet' of 127.0.0.1" in line
    while any(each.poll() is None for each in meet):  # a third one ends what they wait for
        run([*words, "meetFreely", "1"], timeout=60)
    assert [each.returncode for each in meet] == [0, 0]


def test_a_caller_that_tries_again_does_not_meet_itself(server, wire, sidl_tool, run):
    """A call goes on behind its deadline; the next does not touch the state that nothing guards."""
    url = server("--publish", f"diary=wire.Diary={wire}/libwire.so").url + "/diary"
    done = run([sidl_tool, "call", "--timeout", "0.2", url, "write", "1500"], status=1, timeout=60)
    assert "deadline" in done.stderr
    again = run([sidl_tool, "call", url, "write", "1500"], timeout=60)
    assert json.loads(again.stdout)["result"] == 0
    assert json.loads(run([sidl_tool, "call", url, "pages"], timeout=60).stdout)["result"] == 2
