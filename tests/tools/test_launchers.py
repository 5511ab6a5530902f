"""`sidl launch` with what sites have: mpiexec of two kinds, and a Slurm of two nodes; on one
host, with Unix-domain sockets, and as on many, with ports and a shared folder."""

import dataclasses
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import slurm
from jobs import MANY_HOSTS, SECONDS, is_alive, running_with, wait_until

MARK = "SIDL_TEST_OF_LAUNCHERS"
HOSTS = {"one": ["--hosts=one"], "many": MANY_HOSTS}


@pytest.fixture(scope="module")
def cluster():
    missing = slurm.missing_program()
    if missing:
        pytest.skip(f"no Slurm here: there is no {missing}")
    with slurm.cluster() as environment:
        yield environment


@dataclasses.dataclass
class Site:
    """How jobs are started somewhere."""

    before: list  # what runs `sidl launch`
    options: list  # of that

    def command(self, sidl_tool, *options):
        return [str(each) for each in [*self.before, sidl_tool, "launch", *self.options, *options]]


def mpiexec(kind):
    program = shutil.which(f"mpiexec.{kind}")
    if program is None:
        pytest.skip(f"there is no mpiexec.{kind}")
    extra = ["--launcher-option=--oversubscribe"] if kind == "openmpi" else []
    return Site([], ["--launcher=mpiexec", f"--mpiexec={program}", *extra])


@pytest.fixture
def site(request, tmp_path, monkeypatch, job_folders):
    """One of `processes`, `openmpi`, `mpich` and `slurm`, with "-one" or "-many"."""
    name, hosts = request.param.split("-")
    slurm_of_tests = request.getfixturevalue("cluster") if name == "slurm" else {}
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    monkeypatch.setenv(MARK, str(tmp_path))
    if name == "slurm":
        for variable, value in slurm_of_tests.items():
            monkeypatch.setenv(variable, value)
        made = Site(["salloc", "--quiet", "--nodes=2", "--ntasks=8"], [])  # --launcher=auto
    elif name == "processes":
        made = Site([], ["--launcher=processes"])
    else:
        made = mpiexec(name)
    made.options += [*HOSTS[hosts], f"--shared={tmp_path / 'shared'}"]
    yield made
    if name == "slurm":  # a test that has failed may have left an allocation, which others need
        subprocess.run(["scancel", "--me"], check=True)


@pytest.fixture
def start(site, sidl_tool, run, tmp_path, job_folders):
    """start(job, options, status=0): what it printed, and that nothing is left."""

    def start_it(file, *options, status=0):
        done = run(site.command(sidl_tool, *options, file), status=status, timeout=2 * SECONDS)
        assert job_folders() == []
        wait_until(lambda: running_with(MARK, tmp_path) == [])
        return done

    return start_it


def at(*names):
    return pytest.mark.parametrize("site", names, indirect=True)


ALL = at(
    *("processes-many", "openmpi-one", "openmpi-many"),
    *("mpich-one", "mpich-many", "slurm-one", "slurm-many"),
)
EACH = at("processes-many", "openmpi-one", "mpich-many", "slurm-many")
OF_SITES = at("openmpi-many", "mpich-one", "slurm-many")
MANY = at("processes-many")

SERVER = '{ranks}command = ["{python}", "{folder}/server.py"]\nserver = true\n'


@ALL
def test_ranks_and_a_served_class(job, start, libraries, tmp_path):
    """Each program has ranks of its own, and each rank what it should have in its environment."""
    tell = """
import json, os, subprocess, sys
names = ["PROGRAM", "RANK", "RANKS"]
print(*[os.environ["SIDL_" + name] for name in names], os.environ["EXTRA"], os.getcwd())
for url in os.environ["SIDL_URLS_ICE_SHEET"].split():
    command = [sys.argv[1], "call", url, "--create", "draw.Board", "add", "20", "22"]
    print(json.loads(subprocess.run(command, check=True, capture_output=True).stdout))
sys.stderr.write("no end of line")
"""
    text = """
[ice-sheet]
ranks = 2
serve = ["draw.Board={library}"]
[work]
ranks = 3
command = ["{python}", "{folder}/tell.py", "{sidl}"]
calls = ["ice-sheet"]
environment = { EXTRA = "more" }
directory = "{folder}"
"""
    text = text.replace("{library}", str(libraries["draw"]))
    file = job(text.replace("{sidl}", str(libraries["draw"].parents[2] / "bin/sidl")), tell=tell)
    done = start(file)
    said = sorted(line for line in done.stdout.splitlines() if line.startswith("work."))
    each = ["work {n} 3 more " + str(tmp_path), "{{'result': 42}}", "{{'result': 42}}"]
    assert said == sorted(f"work.{n}: {what.format(n=n)}" for n in range(3) for what in each)
    assert len(re.findall(r"^ice-sheet\.[01]: listening on ", done.stdout, re.M)) == 2
    assert sorted(re.findall(r"^work\.\d: no end of line$", done.stderr, re.M)) == [
        f"work.{n}: no end of line" for n in range(3)
    ]


@EACH
def test_a_group(job, start, stage, monkeypatch):
    python = stage / "lib" / "shinar" / "python"
    if not python.exists():
        pytest.skip("built without the Python binding")
    monkeypatch.setenv("PYTHONPATH", str(python))
    meet = """
from sidl.par import Group
groups = [Group.ofJob(), Group.ofJob()]
for each in groups:
    each.barrier()
print(*[(each.getRank(), each.getSize()) for each in groups])
"""
    done = start(job('[meet]\nranks = 3\ncommand = ["{python}", "{folder}/meet.py"]\n', meet=meet))
    assert sorted(done.stdout.splitlines()) == [f"meet.{n}: ({n}, 3) ({n}, 3)" for n in range(3)]


@EACH
def test_a_rank_starts_a_job_of_its_own(site, job, start, stage, monkeypatch, tmp_path):
    """Launchers within launchers: what the outer one has told its ranks must not reach others."""
    python = stage / "lib" / "shinar" / "python"
    if not python.exists():
        pytest.skip("built without the Python binding")
    monkeypatch.setenv("PYTHONPATH", str(python))
    options = [option for option in site.options if option not in HOSTS["one"] + HOSTS["many"]]
    coarse = f"""
import os, sys
import sidl
from sidl.par import Launcher
hosts = {list(HOSTS.values())!r}[int(os.environ["SIDL_RANK"])]
inner = Launcher.start(sys.argv[1], {[str(option) for option in options]!r} + hosts)
urls = list(inner.getURLs("board"))
assert all(sidl.SIDLException._create(url) is not None for url in urls)
open(os.path.join(sys.path[0], urls[0].replace("/", "_")), "w").close()
print("rank", os.environ["SIDL_RANK"], "has", len(urls), "status", inner.join())
"""
    # The servers end with fine: it waits until coarse is done with them.
    fine = """
import os, sys, time
urls = os.environ["SIDL_URLS_BOARD"].split()
print(*[os.environ["SIDL_" + name] for name in ["PROGRAM", "RANK", "RANKS"]])
print(len(urls))
while not os.path.exists(os.path.join(sys.path[0], urls[0].replace("/", "_"))):
    time.sleep(0.01)
raise SystemExit(5)
"""
    inner = job(
        """
[board]
ranks = 2
serve = ["sidl.SIDLException"]
[fine]
ranks = 2
command = ["{python}", "{folder}/fine.py"]
calls = ["board"]
""",
        fine=fine,
    ).rename(tmp_path / "fine.toml")
    text = '[coarse]\nranks = 2\ncommand = ["{python}", "{folder}/coarse.py", "{inner}"]\n'
    done = start(job(text.replace("{inner}", str(inner)), coarse=coarse))
    said = [line for line in done.stdout.splitlines() if ": rank " in line]
    assert sorted(said) == [f"coarse.{n}: rank {n} has 2 status 5" for n in range(2)]


WORLD = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int rank, size, sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d of %d is %s, sum %d\\n", rank, size, getenv("SIDL_RANK"), sum);
  return MPI_Finalize();
}
"""


@at("openmpi-one", "slurm-many")
def test_each_program_has_a_world_of_its_own(site, job, start, run, tmp_path):
    compiler = shutil.which("mpicc.openmpi")
    if compiler is None:
        pytest.skip("there is no mpicc.openmpi")
    options = []
    if site.before:
        known = run(["srun", "--mpi=list"])
        if "pmix" not in known.stdout + known.stderr:
            pytest.skip("this Slurm has no PMIx, which Open MPI needs")
        # PMIx does not get along with two nodes on one host.
        options = ["--launcher-option=--mpi=pmix", "--launcher-option=--nodes=1"]
    (tmp_path / "world.c").write_text(WORLD)
    run([compiler, "-o", tmp_path / "world", tmp_path / "world.c"])
    text = '[{name}]\nranks = {ranks}\ncommand = ["{folder}/world"]\n'
    both = [text.replace("{name}", n).replace("{ranks}", str(r)) for n, r in [("a", 2), ("b", 3)]]
    said = start(job("".join(both)), *options).stdout
    assert sorted(said.splitlines()) == [
        f"{name}.{rank}: rank {rank} of {ranks} is {rank}, sum {ranks * (ranks - 1) // 2}"
        for name, ranks in [("a", 2), ("b", 3)]
        for rank in range(ranks)
    ]


@EACH
def test_the_first_failure_ends_all(job, start):
    fail = """
import os, sys, time
if os.environ["SIDL_RANK"] == "1": sys.exit(7)
time.sleep(600)
"""
    text = f"[a]\n{SERVER}".replace("{ranks}", "ranks = 2\n")
    text += '[b]\nranks = 3\ncommand = ["{python}", "{folder}/fail.py"]\ncalls = ["a"]\n'
    done = start(job(text, fail=fail), status=7)
    assert "sidl: b.1 ended with status 7; ending all others" in done.stderr
    assert sorted(re.findall(r"^a.(\d): told to end$", done.stdout, re.M)) == ["0", "1"]


@OF_SITES
def test_who_ignores_the_end_is_killed(job, start):
    text = """
[deaf]
command = ["bash", "-c", "trap '' TERM; touch {folder}/deaf; while :; do sleep 1; done"]
[failing]
command = ["sh", "-c", "until test -e {folder}/deaf; do sleep 0.1; done; kill -9 $$"]
"""
    done = start(job(text), "--grace=0.2", status=137)
    assert "sidl: failing.0 ended by signal 9; ending all others" in done.stderr


@at("openmpi-many", "mpich-one", "slurm-one", "slurm-many")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_ends_with_sidl_launch(number, site, job, sidl_tool, tmp_path, job_folders):
    """Ranks, what they have started, and the folder, also if nobody is there to end them."""
    text = """
[a]
ranks = 2
command = ["sh", "-c", "sleep 600 & echo $! > {folder}/pid.$SIDL_RANK; wait"]
"""
    command = site.command(sidl_tool, "--grace=1", job(text))
    files = [tmp_path / "pid.0", tmp_path / "pid.1"]
    process = subprocess.Popen(command)
    try:
        wait_until(lambda: all(each.exists() and each.read_text().strip() for each in files))
        own = str(process.pid)
        if site.before:  # salloc has started it
            (own,) = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        os.kill(int(own), number)
        status = process.wait(SECONDS)
    finally:
        process.kill()
        process.wait()
    assert number == signal.SIGKILL or status == 128 + number
    wait_until(lambda: not any(is_alive(int(each.read_text())) for each in files))
    wait_until(lambda: running_with(MARK, tmp_path) == [] and job_folders() == [])


@OF_SITES
def test_long_lines(job, start):
    text = '[a]\nranks = 2\ncommand = ["{python}", "-c", "print(100000 * \'x\' + \'.\')"]\n'
    lines = start(job(text)).stdout.splitlines()
    for rank in range(2):
        own = [line.removeprefix(f"a.{rank}: ") for line in lines if line.startswith(f"a.{rank}: ")]
        assert "".join(own) == 100_000 * "x" + "."


@EACH
@pytest.mark.parametrize(
    "keys, what",
    [
        ('command = ["./no-such-program"]', "'./no-such-program': No such file"),
        ('command = ["true"]\ndirectory = "/no-such"', "in /no-such, 'true': No such file"),
    ],
)
def test_programs_that_cannot_be_started(keys, what, job, start):
    done = start(job(f"[a]\n{keys}\n"), status=1)
    assert re.search(rf"sidl: cannot start a\.0: (in \S+, )?{re.escape(what)}", done.stderr)


@pytest.mark.parametrize("option", ["--launcher=mpiexec", "--launcher=slurm"])
def test_launchers_that_are_missing(option, job, launch, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("SIDL_MPIEXEC", raising=False)
    file = job('[a]\ncommand = ["true"]\n')
    said = launch(file, option, "--hosts=one", status=1).stderr
    program = "mpiexec" if "mpiexec" in option else "srun"
    assert f"sidl: there is no program '{program}' to start ranks with: load the site's" in said
    monkeypatch.setenv("SIDL_MPIEXEC", "/opt/none/mpiexec")
    if program == "mpiexec":
        assert "no program '/opt/none/mpiexec'" in launch(file, option, status=1).stderr


def test_no_allocation(job, launch, tmp_path, monkeypatch):
    (tmp_path / "srun").write_text("#!/bin/sh\n")
    (tmp_path / "srun").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    file = job('[a]\nranks = 3\ncommand = ["/bin/true"]\n')
    done = launch(file, "--launcher=slurm", f"--shared={tmp_path / 'shared'}", status=1)
    assert "this is in none (SLURM_JOB_ID): run it in a batch script (sbatch)" in done.stderr
    assert launch(file, "--dry-run").stdout.startswith("a.0: ")  # auto: processes
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NUM_NODES", "4")
    said = launch(file, "--dry-run", f"--shared={tmp_path / 'shared'}").stdout
    assert said.startswith("a: srun --ntasks=3 --job-name=a")
    front = r"\S+/sidl rank --from=SLURM_PROCID \S+/a\.ranks a"
    assert re.search(rf" --nodes=3 --overlap {front}$", said, re.M)


@MANY
def test_names_served_twice(job, start, sidl_tool, libraries):
    serve = f"{sidl_tool} serve --export draw.Board={libraries['draw']}"
    wait = "until test -e $SIDL_URL_FILE; do sleep 0.05; done"
    text = f"""
[twice]
server = true
command = ["sh", "-c", "{serve} & {wait}; {serve}"]
[work]
command = ["sleep", "600"]
calls = ["twice"]
"""
    done = start(job(text), status=1)
    assert "this rank of the job is served already, at simhandle://127.0.0.1:" in done.stderr
    assert "unset SIDL_URL_FILE for a server of another purpose" in done.stderr


@MANY
def test_servers_that_do_not_say_where_they_are(job, start):
    text = '[a]\nranks = 2\n{keys}server = true\n[work]\ncommand = ["true"]\ncalls = ["a"]\n'
    first = "test $SIDL_RANK = 1 || echo simhandle://127.0.0.1:9 > $SIDL_URL_FILE; sleep 600"
    file = job(text.replace("{keys}", f'command = ["sh", "-c", "{first}"]\n'))
    done = start(file, "--wait=1", status=1)
    assert "sidl: a.1 does not serve after 1 s (--wait): it has not written its URL" in done.stderr
    wrong = 'command = ["sh", "-c", "echo here it is > $SIDL_URL_FILE; sleep 600"]\n'
    done = start(job(text.replace("{keys}", wrong)), status=1)
    assert "has written 'here it is' into $SIDL_URL_FILE, which is no URL" in done.stderr


@MANY
def test_a_group_that_does_not_form(job, start, stage, monkeypatch):
    """A rank never comes; another one is served elsewhere."""
    python = stage / "lib" / "shinar" / "python"
    if not python.exists():
        pytest.skip("built without the Python binding")
    monkeypatch.setenv("PYTHONPATH", str(python))
    monkeypatch.setenv("SIDL_RMI_DEADLINE_MS", "800")
    meet = """
import os, sys
from sidl.par import Group
if os.environ["SIDL_RANK"] == "1": sys.exit(0)
if "elsewhere" in sys.argv:
    with open(os.environ["SIDL_URL_FILE"], "w") as file:
        file.write("simhandle://127.0.0.1:9")
Group.ofJob()
"""
    text = '[meet]\nranks = 2\ncommand = ["{python}", "{folder}/meet.py", "{how}"]\n'
    done = start(job(text.replace("{how}", "late"), meet=meet), status=1)
    assert "TimeOutException: rank 1 of 'meet' has not come within the time" in done.stderr
    done = start(job(text.replace("{how}", "elsewhere"), meet=meet), status=1)
    assert "this rank of the job is served already, at simhandle://127.0.0.1:9, as" in done.stderr


@MANY
def test_programs_that_call_each_other(job, start):
    """Where servers choose their ports, they find each other in the folder."""
    look = "cat $SIDL_NAMES/a.0.url; echo; echo ${SIDL_URLS_B:-unknown}"
    text = f'[a]\n{SERVER}calls = ["b"]\n[b]\n{SERVER}calls = ["a"]\n'.replace("{ranks}", "")
    text += f"[work]\ncommand = ['sh', '-c', '{look}']\ncalls = ['a']\n"
    said = start(job(text)).stdout
    assert re.search(r"^work.0: simhandle://127.0.0.1:\d+$", said, re.M)
    assert "work.0: unknown\n" in said


def test_addresses(job, launch, libraries, tmp_path, monkeypatch):
    """Servers listen where other hosts reach them only with something that keeps strangers out."""
    monkeypatch.delenv("SIDL_RMI_ALLOW_ANYONE", raising=False)
    monkeypatch.delenv("SIDL_SECRET_FILE", raising=False)
    shared = f"--shared={tmp_path / 'shared'}"
    file = job(
        f'launcher = "processes"\nhosts = "many"\n[a]\nserve = ["draw.Board={libraries["draw"]}"]'
    )
    assert "SIDL_LISTEN='simhandle://0.0.0.0:0'" in launch(file, shared, "--dry-run").stdout
    done = launch(file, shared, status=1)
    assert "a.0: sidl: anybody who reaches 0.0.0.0:0 could call this server" in done.stderr
    done = launch(file, shared, "--listen=simhandle://127.0.0.1:4711", status=2)
    assert "is not an address with port 0, such as simhandle://0.0.0.0:0" in done.stderr
    assert "sidl: --listen: 'simhandle://127.0.0.1:4711'" in done.stderr
    done = launch(file, "--hosts=one", "--listen=ucx://0.0.0.0:0", status=2)
    assert "--listen: servers of one host listen at Unix-domain sockets" in done.stderr
    done = launch(file, "--shared=/no-such", status=2)
    assert "--shared: there is no folder '/no-such'" in done.stderr
    done = launch(file, "--launcher-option=-v", shared, status=2)
    assert "'-v' is for a launcher, and processes are started without one" in done.stderr
    done = launch(file, "--launcher=mpirun", shared, status=2)
    assert "'mpirun' is not one of auto, slurm, mpiexec, processes" in done.stderr


def test_with_a_proof_by_munge(job, launch, munged, sidl_tool, libraries, tmp_path, monkeypatch):
    """As on a cluster."""
    work = f"for url in $SIDL_URLS_A; do {sidl_tool} call $url --create draw.Board add 1 2; done"
    text = f"""
[a]
ranks = 2
serve = ["draw.Board={libraries["draw"]}"]
[work]
command = ["sh", "-c", "{work}"]
calls = ["a"]
"""
    monkeypatch.setenv("SIDL_MUNGE", "1")
    monkeypatch.setenv("SIDL_MUNGE_SOCKET", str(munged()))
    options = ["--launcher=processes", *MANY_HOSTS, f"--shared={tmp_path / 'shared'}"]
    assert launch(job(text), *options).stdout.count('work.0:   "result": 3\n') == 2
