"""From exec to the first 200 of /readyz."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

from . import http
from .figures import Spread
from .process import BenchError
from .servers import SYMBOLS, free_port, gateway, redis, simulator
from .workplace import Workplace


def flush(port: int) -> None:
    """FLUSHALL."""
    with socket.create_connection(("127.0.0.1", port), 2) as link:
        link.sendall(b"FLUSHALL\r\n")
        if not link.recv(64).startswith(b"+OK"):
            raise BenchError("redis-server doesn't take FLUSHALL")


def one_start(place: Workplace, binary: Path, settings: dict[str, str], number: int) -> tuple[float, float]:
    """Milliseconds until /readyz says 200, and of CPU until then. The process is gone afterwards."""
    port = free_port()
    environment = {"PATH": "/usr/bin:/bin", "FXGW_LISTEN": f"127.0.0.1:{port}", "FXGW_THREADS": "1",
                   "FXGW_BASES": "EUR", **settings}
    began = time.perf_counter()
    process = place.start(f"start-{number}", [str(binary), "serve"], environment=environment)
    while True:
        try:
            if http.get(port, "/readyz").status == 200:
                break
        except OSError:
            process.require_running()
        if time.perf_counter() - began > 20:
            raise BenchError("a gateway isn't ready after 20 s")
        time.sleep(0.000_5)
    took = (time.perf_counter() - began) * 1_000
    cpu = process.cpu_nanoseconds() / 1e6
    place.stop_all([process])
    return took, cpu


def measure(place: Workplace, times: int) -> dict[str, object]:
    """Starts with what Redis has kept and with an empty one; dynamic and, where it was built, static."""
    first = len(place.processes)
    store = redis(place, "redis-start")
    settings = {"FXGW_UPSTREAM_URL": f"http://127.0.0.1:{simulator(place, name='simulator-start')}",
                "FXGW_REDIS_URL": f"redis://127.0.0.1:{store}"}
    binaries = {"dynamic": place.binary}
    if place.static_binary:
        binaries["static"] = place.static_binary
    keeper = gateway(place, "gateway-keeper", settings)
    http.get(keeper.port, SYMBOLS)
    place.stop_all([keeper.process])
    figures: dict[str, object] = {}
    warm: dict[str, list[tuple[float, float]]] = {name: [] for name in binaries}
    for number in range(times + 1):
        for name, binary in binaries.items():
            reading = one_start(place, binary, settings, number)
            # The first of each finds its pages on disk: another thing than a start.
            if number > 0:
                warm[name].append(reading)
    for name, readings in warm.items():
        figures[name] = {
            "warm_ms": Spread.of([took for took, _ in readings]).json(),
            "warm_cpu_ms": Spread.of([cpu for _, cpu in readings]).json(),
            "program_bytes": os.path.getsize(binaries[name]),
        }
    cold = []
    for number in range(max(1, times // 4)):
        flush(store)
        cold.append(one_start(place, place.binary, settings, number)[0])
    figures["dynamic"]["cold_ms"] = Spread.of(cold).json()  # type: ignore[index]
    place.say("ready after " + ", ".join(
        f"{values['warm_ms']['median']:.0f} ms ({name})" for name, values in figures.items()))  # type: ignore[index]
    place.stop_all(place.processes[first:])
    return figures
