"""`sidl launch`: the programs of a job, started and ended together."""

import re
import signal
import subprocess

import pytest
from jobs import SERVER, is_alive, wait_until


def test_other_numbers_of_ranks(job, launch):
    file = job("""
[a]
ranks = 2
command = ["{python}", "-c", "import os; print(os.environ['SIDL_RANKS'])"]
[b]
command = ["{python}", "-c", "import os; print(os.environ['SIDL_RANKS'])"]
""")
    done = launch(file, "--ranks", "a=3", "--ranks=b=2")
    assert sorted(done.stdout.split("\n")) == [
        "",
        *(f"a.{rank}: 3" for rank in range(3)),
        *(f"b.{rank}: 2" for rank in range(2)),
    ]
    for text, what in {
        "c=2": "--ranks: the job has no program 'c'",
        "a=0": "'a=0' is not a program and a number from 1 to 100000, such as ocean=4",
        "a=2x": "'a=2x' is not a program",
        "a": "'a' is not a program",
    }.items():
        assert what in launch(file, "--ranks", text, status=2).stderr


def test_a_job_from_a_pipe(sidl_tool, job_folders):
    job = '[a]\ncommand = ["echo", "well"]\n'
    done = subprocess.run(
        [sidl_tool, "launch", "/dev/stdin"], input=job, capture_output=True, text=True
    )
    assert done.stdout == "a.0: well\n", done.stderr


def test_a_job_without_end(launch):
    assert "/dev/zero: it is larger than 1 MiB" in launch("/dev/zero", status=2).stderr


def test_a_program_without_its_interpreter(job, launch, tmp_path):
    (tmp_path / "odd").write_text("#!/no/such/interpreter\n")
    (tmp_path / "odd").chmod(0o755)
    done = launch(job('[a]\ncommand = ["{folder}/odd"]\n'), status=1)
    assert "No such file or directory: the file names an interpreter that is not" in done.stderr


def test_lines_that_cannot_be_written(job, sidl_tool, job_folders):
    file = job('[a]\nranks = 2\ncommand = ["{python}", "-c", "print(1)"]\n')
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sidl_tool, "launch", file], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert done.stderr.count("cannot write to standard output: No space left on device") == 1


def test_a_wrong_value_in_front_of_the_job(job, launch):
    file = job('[a]\ncommand = ["true"]\n')
    assert "'bogus' is not one of" in launch(file, "--launcher=bogus", "--", status=2).stderr


def test_programs_get_their_ranks_and_urls(job, launch):
    tell = """
import os, sys
names = ["PROGRAM", "RANK", "RANKS", "URLS_ICE_SHEET"]
print(*[os.environ.get("SIDL_" + name) for name in names], os.environ["EXTRA"], os.getcwd())
sys.stderr.write("no end of line")
"""
    file = job(
        """
[ice-sheet]
ranks = 2
command = ["{python}", "{folder}/server.py"]
server = true
[work]
ranks = 2
command = ["{python}", "{folder}/tell.py"]
calls = ["ice-sheet"]
environment = { EXTRA = "more" }
directory = "{folder}"
""",
        tell=tell,
    )
    done = launch(file)
    lines = sorted(re.sub(r"\S*/sidl-\w+/", "", line) for line in done.stdout.splitlines())
    urls = "ice-sheet.0 ice-sheet.1"
    assert lines == [
        "ice-sheet.0: at ice-sheet.0",
        "ice-sheet.0: told to end",
        "ice-sheet.1: at ice-sheet.1",
        "ice-sheet.1: told to end",
        *(f"work.{n}: work {n} 2 {urls} more {file.parent}" for n in range(2)),
    ]
    assert sorted(done.stderr.splitlines()) == [f"work.{n}: no end of line" for n in range(2)]


def test_the_first_failure_ends_all(job, launch):
    fail = """
import os, sys, time
if os.environ["SIDL_RANK"] == "1": sys.exit(7)
time.sleep(600)
"""
    file = job(
        """
[a]
command = ["{python}", "{folder}/server.py"]
server = true
[b]
ranks = 3
command = ["{python}", "{folder}/fail.py"]
calls = ["a"]
""",
        fail=fail,
    )
    done = launch(file, status=7)
    assert "sidl: b.1 ended with status 7; ending all others" in done.stderr
    assert "a.0: told to end" in done.stdout


def test_who_ignores_the_end_is_killed(job, launch):
    deaf = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
time.sleep(600)
"""
    text = """
[deaf]
command = ["{python}", "{folder}/deaf.py"]
[failing]
command = ["sh", "-c", "sleep 0.3; kill -9 $$"]
"""
    done = launch(job(text, deaf=deaf), "--grace=0.2", status=137)
    assert "sidl: failing.0 ended by signal 9" in done.stderr


def test_a_server_that_never_serves(job, launch):
    silent = """
import os, time
rank = os.environ["SIDL_RANK"]
exec(open(__file__.replace("silent", "server")).read()) if rank == "0" else time.sleep(600)
"""
    file = job(
        """
[silent]
ranks = 2
command = ["{python}", "{folder}/silent.py"]
server = true
[work]
command = ["true"]
calls = ["silent"]
""",
        silent=silent,
    )
    done = launch(file, "--wait=0.7", status=1)
    assert "sidl: silent.1 does not serve after 0.7 s (--wait): nobody listens at" in done.stderr


def test_a_server_that_ends_too_early(job, launch):
    file = job('[a]\ncommand = ["true"]\nserver = true\n[b]\ncommand = ["true"]\ncalls = ["a"]\n')
    assert "a.0 ended before it served" in launch(file, status=1).stderr


def test_servers_that_end_themselves(job, launch):
    """As a client may tell them to."""
    brief = SERVER.replace("signal.pause()", "listener.accept(); time.sleep(0.3); sys.exit()")
    server = '[brief]\ncommand = ["{python}", "{folder}/brief.py"]\nserver = true\n'
    work = '[work]\ncommand = ["sleep", "0.6"]\ncalls = ["brief"]\n'
    for text in server, server + work:
        assert launch(job(text, brief=f"import time\n{brief}")).stdout == "brief.0: at brief.0\n"


def test_programs_that_call_each_other(job, launch):
    server = '{ranks}command = ["{python}", "{folder}/server.py"]\nserver = true\n'
    text = f'[a]\n{server}calls = ["b"]\n[b]\n{server}calls = ["a"]\n'.replace("{ranks}", "")
    file = job(text + '[work]\ncommand = ["sh", "-c", "echo $SIDL_URLS_A"]\ncalls = ["a", "b"]\n')
    assert re.search(r"^work.0: simhandle\+unix://\S+/a\.0$", launch(file).stdout, re.M)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ends_with_the_launcher(number, job, sidl_tool, tmp_path, job_folders):
    """Also what its processes have started, and its folder."""
    text = """
[a]
command = ["sh", "-c", "sleep 600 & echo $! > {folder}/pid; echo $$ > {folder}/own; wait"]
"""
    launcher = subprocess.Popen([sidl_tool, "launch", job(text)])
    wait_until(lambda: (tmp_path / "own").exists() and (tmp_path / "own").read_text().strip())
    started, own = (int((tmp_path / name).read_text()) for name in ("pid", "own"))
    launcher.send_signal(number)
    status = launcher.wait(30)
    assert status == (-number if number == signal.SIGKILL else 128 + number)
    wait_until(lambda: not is_alive(own) and not is_alive(started))
    wait_until(lambda: not job_folders())


def test_goes_on_without_its_terminal(job, sidl_tool, tmp_path):
    """With nohup."""
    text = """
[a]
command = ["sh", "-c", "touch {folder}/begun; until test -e {folder}/end; do sleep 0.05; done"]
"""
    command = ["nohup", sidl_tool, "launch", job(text)]
    launcher = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wait_until((tmp_path / "begun").exists)
    launcher.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        launcher.wait(0.5)
    (tmp_path / "end").touch()
    assert launcher.wait(30) == 0, launcher.stderr.read()


def test_who_ignores_the_end_of_a_launcher_that_is_killed(job, sidl_tool, tmp_path, job_folders):
    text = """
[a]
command = ["bash", "-c", "trap '' TERM; echo $$ > {folder}/own; while :; do sleep 1; done"]
"""
    launcher = subprocess.Popen([sidl_tool, "launch", "--grace=0.2", job(text)])
    wait_until(lambda: (tmp_path / "own").exists() and (tmp_path / "own").read_text().strip())
    launcher.kill()
    launcher.wait(30)
    wait_until(lambda: not is_alive(int((tmp_path / "own").read_text())) and not job_folders())


def test_what_outlives_its_program(job, launch, tmp_path):
    """A process that one of them leaves behind ends with it, and does not keep the job."""
    file = job('[a]\ncommand = ["sh", "-c", "sleep 600 & echo $! > {folder}/pid"]\n')
    launch(file)
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


# What it starts has a process group of its own, but no session of its own, and ignores SIGTERM.
STRAY = """
import os, signal, sys, time
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.setpgid(0, 0)
    with open(sys.argv[1] + ".new", "w") as new:
        new.write(str(os.getpid()))
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    time.sleep(600)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
if sys.argv[2] == "stays":
    time.sleep(600)
"""
FAILS_THEN = """
[b]
command = ["sh", "-c", "until test -e {folder}/pid; do sleep 0.01; done; exit 3"]
"""
# `timeout` makes a process group for itself and what it runs.
TIMED = "timeout 600 sh -c 'echo $$ > {folder}/new; mv {folder}/new {folder}/pid; sleep 600'; true"


@pytest.mark.parametrize(
    "command, more, status",
    [
        ('"{python}", "{folder}/stray.py", "{folder}/pid", "ends"', "", 0),
        ('"{python}", "{folder}/stray.py", "{folder}/pid", "stays"', FAILS_THEN, 3),
        (f'"sh", "-c", "{TIMED}"', FAILS_THEN, 3),
    ],
    ids=["ends", "is ended", "timeout"],
)
def test_what_leaves_the_process_group(command, more, status, job, launch, tmp_path):
    """It ends with the program that has started it, however that ends."""
    file = job(f"[a]\ncommand = [{command}]\n{more}", stray=STRAY)
    launch(file, "--grace=0.2", status=status)
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


def test_what_leaves_the_process_group_of_a_launcher_that_is_killed(job, sidl_tool, tmp_path):
    text = '[a]\ncommand = ["{python}", "{folder}/stray.py", "{folder}/pid", "stays"]\n'
    file = job(text, stray=STRAY)
    launcher = subprocess.Popen([sidl_tool, "launch", "--grace=0.2", file])
    wait_until(lambda: (tmp_path / "pid").exists())
    launcher.kill()
    launcher.wait(30)
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())))


def test_a_job_within_a_job_that_is_killed(job, sidl_tool, run, tmp_path, job_folders):
    """What ends its programs, and removes its folder, is in no session of the outer job's."""
    wait = "echo $$ > {folder}/new; mv {folder}/new {folder}/pid; sleep 600"
    inner = tmp_path / "inner.toml"
    inner.write_text(f'[c]\ncommand = ["sh", "-c", "{wait}"]\n'.replace("{folder}", str(tmp_path)))
    file = job(f'[a]\ncommand = ["{sidl_tool}", "launch", "{inner}"]\n{FAILS_THEN}')
    run([sidl_tool, "launch", "--grace=0", file], status=3)
    wait_until(lambda: not is_alive(int((tmp_path / "pid").read_text())) and not job_folders())


def test_signals_are_as_ever(job, launch):
    """What a process has ignored its children ignore, too: `yes` ends by SIGPIPE."""
    file = job('[a]\ncommand = ["bash", "-c", "yes | head -n 1; echo ${PIPESTATUS[0]}"]\n')
    assert launch(file).stdout == "a.0: y\na.0: 141\n"


def test_long_lines(job, launch):
    file = job('[a]\ncommand = ["{python}", "-c", "print(300000 * \'x\')"]\n')
    lines = launch(file).stdout.splitlines()
    assert sum(len(line.removeprefix("a.0: ")) for line in lines) == 300_000
    assert all(line.startswith("a.0: x") and len(line) < 100_000 for line in lines)


def test_what_would_be_started(job, launch):
    text = """
[ocean]
ranks = 2
serve = ["ocean.Part"]
options = ["--contracts=all"]
[work]
command = ["work", "-v"]
calls = ["ocean"]
"""
    said = launch(job(text), "--dry-run").stdout
    assert re.search(r"^ocean\.1: .*SIDL_RANK='1'.*/sidl serve --listen simhandle\+unix://\S+"
                     r"/ocean\.1 --export ocean\.Part --contracts=all$", said, re.M)  # fmt: skip
    assert re.search(
        r"^work\.0: .*SIDL_URLS_OCEAN='\S+/ocean\.0 \S+/ocean\.1'.* work -v$", said, re.M
    )


def test_many_processes(job, launch):
    text = """
[servers]
ranks = 32
command = ["{python}", "-S", "{folder}/server.py"]
server = true
[work]
ranks = 32
command = ["sh", "-c", "set -- $SIDL_URLS_SERVERS; echo $#"]
calls = ["servers"]
"""
    said = launch(job(text)).stdout
    assert len(re.findall(r"^work\.\d+: 32$", said, re.M)) == 32
    assert said.count("told to end") == 32


WRONG = {
    "": "job.toml: the job has no programs",
    "[a": "job.toml:1:",
    "x = 1": "job.toml:1: 'x' must be a program: [x]",
    '["a b"]\ncommand = ["true"]': "a program's name has letters, digits, '_' and '-' only, unlike",
    "[a]\nranks = 2": "job.toml:1: a needs either 'command', a program of its own, or 'serve'",
    '[a]\ncommand = ["true"]\nserve = ["x.Y"]': "job.toml:1: a needs either 'command'",
    '[a]\ncommand = "true"': "job.toml:2: 'command' of a must be a list of strings",
    "[a]\ncommand = []": "job.toml:2: 'command' of a is an empty list",
    '[a]\ncommand = ["true"]\nranks = 0': "job.toml:3: 'ranks' of a must be a number from 1 to",
    '[a]\ncommand = ["true"]\nrank = 2': "job.toml:3: a has no 'rank' (did you mean 'ranks'?)",
    '[a]\ncommand = ["true"]\noptions = ["-q"]': "'options' of a are for `sidl serve`",
    '[a]\ncommand = ["true"]\nserver = 1': "job.toml:3: 'server' of a must be true or false",
    '[a]\nserve = ["x.Y"]\nserver = false': "job.toml:1: a has 'serve', and is a server",
    '[a]\ncommand = ["true"]\nenvironment = ["X"]': "'environment' of a must be a table of strings",
    '[a]\ncommand = ["true"]\ncalls = ["ocaen"]\n[ocean]\nserve = ["x.Y"]':
        "job.toml:3: a calls 'ocaen', which is not in the job (did you mean 'ocean'?)",
    '[a]\ncommand = ["a\\u0000b"]': "job.toml:2: 'command' of a contains a NUL character",
    '[a]\ncommand = ["true"]\nenvironment = { "A=B" = "x" }':
        "job.toml:3: 'environment' of a has a variable 'A=B', which is no name",
    '[a]\ncommand = ["true"]\nenvironment = { "" = "x" }': "has a variable '', which is no name",
    '[a-b]\nserve = ["x.Y"]\n[a_b]\nserve = ["x.Y"]':
        "job.toml:3: the URLs of a-b and of a_b would both be in SIDL_URLS_A_B",
    '[a]\ncommand = ["true"]\ncalls = ["b"]\n[b]\ncommand = ["true"]':
        "job.toml:3: a calls b, which is no server",
    'launcher = "slrum"': "job.toml:1: 'launcher' must be one of auto, slurm, mpiexec, processes, "
                          "not 'slrum' (did you mean 'slurm'?)",
    'hosts = "some"': "job.toml:1: 'hosts' must be one of one, many, not 'some'",
    'host = "one"': "job.toml:1: 'host' must be a program: [host] (did you mean 'hosts'?)",
    "launcher = 1": "job.toml:1: 'launcher' must be a string",
    'hosts = "many"\nlisten = "foo://x"\n[a]\nserve = ["x.Y"]':
        "job.toml:2: 'listen': 'foo://x', where servers are to listen, is not an address with port",
    'hosts = "one"\nlisten = "ucx://0.0.0.0:0"\n[a]\nserve = ["x.Y"]':
        "job.toml:2: 'listen': servers of one host listen at Unix-domain sockets; for 'ucx://0.0",
    '[a]\ncommand = ["true"]\nlauncher-options = ["-v"]':
        "job.toml:3: a has no 'launcher-options' (did you mean 'launcher_options'?)",
    "\n[" + "a." * 500_000 + "a]": "job.toml:2: tables and lists are nested more than 256 deep",
    "[a]\n" + "a." * 500_000 + "a = 1":
        "job.toml:2: tables and lists are nested more than 256 deep",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_wrong_jobs(text, job, launch):
    assert WRONG[text] in launch(job(text), status=2).stderr


def test_no_job(launch, tmp_path):
    assert "none.toml" in launch(tmp_path / "none.toml", status=2).stderr
    assert "this is a folder" in launch(tmp_path, status=2).stderr


@pytest.mark.parametrize("seconds", ["nan", "-1", "inf", "soon"])
@pytest.mark.parametrize("option", ["--wait", "--grace"])
def test_wrong_times(option, seconds, job, launch):
    file = job('[a]\ncommand = ["true"]\n')
    assert option in launch(file, f"{option}={seconds}", status=2).stderr


@pytest.mark.parametrize(
    "keys, what",
    [
        ('command = ["./no-such-program"]', "a.0: './no-such-program': No such file"),
        ('command = ["true"]\ndirectory = "/no-such"', "a.0: in /no-such, 'true': No such file"),
    ],
)
def test_programs_that_cannot_be_started(keys, what, job, launch):
    done = launch(job(f"[a]\n{keys}\n"), status=1)
    assert f"sidl: cannot start {what}" in done.stderr
