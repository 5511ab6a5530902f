"""A Slurm of one machine: a controller and two nodes, with a Munge of their own."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import munge

NODES = ["n0", "n1"]
START_SECONDS = 60
CONFIGURATION = """
ClusterName=tests
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={munge}
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={controller}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdParameters=config_overrides
KillWait=1
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmdSpoolDir={folder}/%n.spool
{nodes}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODE = "NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs=8"


def _program(name):
    return shutil.which(name) or shutil.which(name, path="/usr/sbin")


def missing_program():
    """What cannot be found of what it takes; None: everything is there."""
    if munge.find_program() is None:
        return "munged"
    needed = ["slurmctld", "slurmd", "srun", "salloc", "sinfo"]
    return next((name for name in needed if _program(name) is None), None)


def _free_ports(count):
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _end_all_of(configuration):
    """Steps and their tasks are children of nobody here: they are known by their environment."""
    mark = f"SLURM_CONF={configuration}".encode()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_ours = int(entry.name) != os.getpid()
            if is_ours and mark in (entry / "environ").read_bytes().split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)


def _write_configuration(folder, munge_socket):
    controller, *ports = _free_ports(1 + len(NODES))
    nodes = [NODE.format(name=name, port=port) for name, port in zip(NODES, ports)]
    user = pwd.getpwuid(os.getuid()).pw_name
    for name in ["state", *(f"{node}.spool" for node in NODES)]:
        (folder / name).mkdir()
    file = folder / "slurm.conf"
    values = {"user": user, "munge": munge_socket, "controller": controller, "folder": folder}
    file.write_text(CONFIGURATION.format(nodes="\n".join(nodes), **values))
    return file


@contextlib.contextmanager
def cluster():
    """The environment of programs that use it; all of it is ended at the end."""
    with contextlib.ExitStack() as ending:
        munge_socket = ending.enter_context(munge.daemons())()
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
        file = _write_configuration(folder, munge_socket)
        environment = {**os.environ, "SLURM_CONF": str(file)}
        ending.callback(_end_all_of, file)
        daemons = []

        def start(log, *command):
            out = ending.enter_context((folder / log).open("w"))
            process = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
            ending.callback(process.wait)
            ending.callback(process.kill)
            daemons.append(process)

        def logs():
            return "\n".join(each.read_text()[-3000:] for each in sorted(folder.glob("*.log")))

        start("controller.log", _program("slurmctld"), "-D", "-f", str(file))
        for node in NODES:
            start(f"{node}.log", _program("slurmd"), "-D", "-N", node, "-f", str(file))
        end = time.monotonic() + START_SECONDS
        idle = [_program("sinfo"), "--noheader", "--Node", "--states=idle", "--format=%N"]
        while True:
            said = subprocess.run(
                idle, env=environment, capture_output=True, text=True, check=False
            )
            if said.stdout.split() == NODES:
                break
            assert all(each.poll() is None for each in daemons), logs()
            assert time.monotonic() < end, logs()
            time.sleep(0.05)
        yield {"SLURM_CONF": str(file)}
