"""Where a run of the bench keeps its files and its processes."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from .process import Process


class Workplace:
    """A directory of its own and all processes that were started in it; both are gone after `with`."""

    def __init__(self, binary: Path, bench: Path | None, static_binary: Path | None = None) -> None:
        self.binary = binary
        self.bench = bench
        self.static_binary = static_binary
        self.directory = Path(tempfile.mkdtemp(prefix="fxgw-bench-"))
        # Peers that change their user must be able to get in.
        self.directory.chmod(0o755)
        self.processes: list[Process] = []
        self.began = time.monotonic()

    def start(self, name: str, command: list[str], *, environment: dict[str, str] | None = None,
              core: int | None = None) -> Process:
        number = len(self.processes)
        process = Process(name, command, self.directory / f"{number}-{name}.log", environment=environment, core=core)
        self.processes.append(process)
        return process

    def stop_all(self, processes: list[Process] | None = None) -> None:
        """Ends these, or all: the last started first."""
        for process in reversed(self.processes if processes is None else processes):
            process.stop()
        if processes is None:
            self.processes = []
        else:
            self.processes = [process for process in self.processes if process not in processes]

    def say(self, text: str) -> None:
        """A line of progress, with the time so far."""
        print(f"bench: [{time.monotonic() - self.began:5.0f} s] {text}", file=sys.stderr, flush=True)

    def __enter__(self) -> Workplace:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop_all()
        shutil.rmtree(self.directory, ignore_errors=True)
