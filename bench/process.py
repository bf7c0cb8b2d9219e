"""Processes that the bench starts, and what the kernel says they have used."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

TICK_NANOSECONDS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


class BenchError(Exception):
    """What can't be measured, and why; ends the bench with that sentence."""


class Process:
    """A process in a session of its own, with its output in a file. Ends with `stop`; nothing else is ever ended."""

    def __init__(self, name: str, command: list[str], log: Path, *, environment: dict[str, str] | None = None,
                 core: int | None = None) -> None:
        self.name = name
        self.log = log
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        with log.open("wb") as output:
            try:
                self.child = subprocess.Popen(
                    pinned + command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                    env=environment, start_new_session=True)
            except OSError as problem:
                raise BenchError(f"{name} can't be started: {problem}") from problem

    @property
    def pid(self) -> int:
        return self.child.pid

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def require_running(self) -> None:
        if self.child.poll() is not None:
            tail = "\n".join(self.text().splitlines()[-8:])
            raise BenchError(f"{self.name} has ended with {self.child.returncode}:\n{tail}")

    def stop(self, number: int = signal.SIGTERM, within: float = 10) -> None:
        """Ends it and what it has started; by force after `within` seconds."""
        if self.child.poll() is not None:
            return
        family = process_tree(self.pid)
        self.child.send_signal(number)
        try:
            self.child.wait(within)
        except subprocess.TimeoutExpired:
            for pid in family:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.child.wait(within)

    def cpu_nanoseconds(self) -> int:
        """User and system time so far of the process, its threads and its living children."""
        return sum(cpu_nanoseconds(pid) for pid in process_tree(self.pid))

    def memory(self) -> tuple[int, int]:
        """KiB resident and, of them, anonymous: of all its processes together, shared pages counted in each."""
        resident = anonymous = 0
        for pid in process_tree(self.pid):
            try:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            except OSError:
                continue
            for line in lines:
                if line.startswith("VmRSS:"):
                    resident += int(line.split()[1])
                elif line.startswith("RssAnon:"):
                    anonymous += int(line.split()[1])
        return resident, anonymous


def process_tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for parent in found:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                found += [int(child) for child in
                          Path(f"/proc/{parent}/task/{task}/children").read_text().split()]
        except OSError:
            continue
    return found


def cpu_nanoseconds(pid: int) -> int:
    """Run time of a process: by its threads' schedstat, to the nanosecond.

    Threads that have ended are only in the process's own count, which goes by ticks: the larger of both is right.
    """
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        exact = 0
        for task in os.listdir(f"/proc/{pid}/task"):
            try:
                exact += int(Path(f"/proc/{pid}/task/{task}/schedstat").read_text().split()[0])
            except OSError:
                continue
    except OSError:
        return 0
    ticks = int(after_name[11]) + int(after_name[12])
    # Two ticks are what rounding can make of it.
    return max(exact, (ticks - 2) * TICK_NANOSECONDS)


def wait_until(what: str, test, within: float = 15, pause: float = 0.02):
    """Polls until `test()` is true and returns it; an OSError counts as not yet."""
    end = time.monotonic() + within
    while True:
        try:
            found = test()
            if found:
                return found
        except OSError:
            pass
        if time.monotonic() > end:
            raise BenchError(f"{what}: not within {within:g} s")
        time.sleep(pause)
