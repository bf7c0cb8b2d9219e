"""Where the time of a hit goes: samples of the gateway's stacks under load, by Linux's perf."""

from __future__ import annotations

import subprocess
from pathlib import Path

from . import flame, wrk
from .process import BenchError
from .rounds import LOAD_CORE, SERVER_CORE
from .servers import SYMBOLS, gateway, redis, simulator
from .workplace import Workplace

#: Functions of the kernel under which the work of each system call stands, whatever the processor.
CALLS = {"send, write": ("__sys_sendto", "ksys_write"), "recv, read": ("__sys_recvfrom", "ksys_read"),
         "epoll_wait": ("do_epoll_wait",)}


def measure(place: Workplace, seconds: int, drawing: Path | None) -> dict[str, object]:
    """Shares of the samples: each system call with all under it, other kernel work, and the program's own functions."""
    first = len(place.processes)
    server = gateway(place, "gateway-profiled", {
        "FXGW_UPSTREAM_URL": f"http://127.0.0.1:{simulator(place, name='simulator-profiled')}",
        "FXGW_REDIS_URL": f"redis://127.0.0.1:{redis(place, 'redis-profiled')}"}, core=SERVER_CORE)
    data = place.directory / "perf.data"
    record = place.start("perf", ["perf", "record", "-F", "1997", "-g", "-p", str(server.process.pid), "-o", str(data),
                                  "--", "sleep", str(seconds)])
    wrk.run(server.port, (SYMBOLS,), seconds=seconds, connections=64, core=LOAD_CORE)
    if record.child.wait(seconds + 60) != 0:
        raise BenchError(f"perf record ended with {record.child.returncode}:\n{record.text()[-400:]}")
    place.stop_all(place.processes[first:])
    script = subprocess.run(["perf", "script", "-i", str(data)], capture_output=True, text=True, check=False, timeout=300)
    root = flame.Frame("all")
    shares: dict[str, int] = {}
    own: dict[str, int] = {}
    for stack in flame.stacks(demangled(script.stdout).splitlines()):
        root.add(stack)
        where = place_of(stack)
        shares[where] = shares.get(where, 0) + 1
        if where == "the program":
            own[stack[-1]] = own.get(stack[-1], 0) + 1
    if root.samples < 100:
        raise BenchError(f"perf took {root.samples} samples only:\n{script.stderr[-400:]}")
    if drawing:
        drawing.write_text(flame.svg(root, f"CPU time of a gateway that answers hits: {root.samples:,} samples"))
    top = sorted(own.items(), key=lambda item: -item[1])[:15]
    return {"samples": root.samples, "shares": {name: count / root.samples for name, count in shares.items()},
            "own": {name: count / root.samples for name, count in top}}


def demangled(text: str) -> str:
    """Swift's names as they stand in the source."""
    done = subprocess.run(["swift", "demangle", "--simplified"], input=text, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else text


def place_of(stack: list[str]) -> str:
    """The system call in which a sample was taken; else the program or the kernel beside calls."""
    for name, functions in CALLS.items():
        if any(function in stack for function in functions):
            return name
    return "the kernel beside these" if any("syscall" in frame or frame.startswith("asm_") for frame in stack) \
        else "the program"
