"""One run of wrk, read."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .process import BenchError

UNITS = {"us": 1.0, "ms": 1_000.0, "s": 1_000_000.0, "m": 60_000_000.0}


@dataclass(frozen=True)
class WrkReport:
    requests: int
    per_second: float
    p50_us: float
    p99_us: float
    #: Answers of another status than 2xx and 3xx, and connections that broke.
    wrong: int

    @classmethod
    def read(cls, text: str) -> WrkReport:
        def number(pattern: str) -> float | None:
            found = re.search(pattern, text)
            return float(found[1]) if found else None

        def latency(percent: str) -> float:
            found = re.search(rf"^\s*{percent}%\s+([\d.]+)(us|ms|s|m)$", text, re.MULTILINE)
            return float(found[1]) * UNITS[found[2]] if found else 0.0

        requests = number(r"(\d+) requests in")
        rate = number(r"Requests/sec:\s+([\d.]+)")
        if requests is None or rate is None:
            raise BenchError(f"wrk says something else than expected:\n{text}")
        sockets = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
        broken = sum(int(number) for number in sockets.groups()) if sockets else 0
        return cls(int(requests), rate, latency("50"), latency("99"),
                   int(number(r"Non-2xx or 3xx responses: (\d+)") or 0) + broken)


def run(port: int, targets: tuple[str, ...], *, seconds: int, connections: int, fields: tuple[str, ...] = (),
        pipeline: int = 1, core: int | None = None) -> WrkReport:
    """Loads a server with one thread of wrk: with one target, or with several by turns."""
    command = ["taskset", "-c", str(core)] if core is not None else []
    command += ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--latency", "--timeout", "10s"]
    # The same for everybody: some caches have it in their key.
    for field in ("Host: gateway", *fields):
        command += ["-H", field]
    script, words = None, []
    if pipeline > 1:
        script, words = "pipeline.lua", [str(pipeline)]
    elif len(targets) > 1:
        script, words = "rotate.lua", list(targets)
    if script:
        command += ["-s", str(Path(__file__).with_name(script))]
    command += [f"http://127.0.0.1:{port}{targets[0]}", "--", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 60, check=False)
    if done.returncode != 0:
        raise BenchError(f"wrk ended with {done.returncode}: {done.stderr.strip()}")
    return WrkReport.read(done.stdout)
