"""The servers that are measured: the gateway, the floor under it, and its peers, all on free ports of loopback."""

from __future__ import annotations

import re
import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from . import configurations, http
from .http import Answer
from .origin import Origin, stored_form
from .process import BenchError, Process, wait_until
from .workplace import Workplace

PEERS = ("nginx tuned", "nginx default", "haproxy", "varnish")
SYMBOLS = "/v1/latest/EUR?symbols=USD,GBP,JPY"
TABLE = "/v1/latest/EUR"


@dataclass
class Server:
    """A running server; `doors` are ports that take the place of `port` for some works."""

    name: str
    process: Process
    port: int
    #: Further processes and their ports by what they answer; only the floor has some, since it parses nothing.
    doors: dict[str, tuple[Process, int]] = field(default_factory=dict)

    def door(self, work: str) -> tuple[Process, int]:
        return self.doors.get(work, (self.process, self.port))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def told_port(process: Process) -> int:
    """The port that a process started with port 0 has told."""
    def read() -> int | None:
        process.require_running()
        found = re.search(r"127\.0\.0\.1:([1-9]\d*)", process.text())
        return int(found[1]) if found else None
    return wait_until(f"{process.name} tells its port", read)


def redis(place: Workplace, name: str = "redis") -> int:
    """An empty redis-server that keeps nothing on disk; its port."""
    port = free_port()
    process = place.start(name, [
        "redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no",
        "--dir", str(place.directory), "--daemonize", "no"])

    def answers() -> bool:
        process.require_running()
        with socket.create_connection(("127.0.0.1", port), 1) as link:
            link.sendall(b"PING\r\n")
            return link.recv(16).startswith(b"+PONG")
    wait_until("redis-server answers", answers)
    return port


def simulator(place: Workplace, *options: str, name: str = "simulator") -> int:
    """A simulated upstream; its port."""
    process = place.start(name, [str(place.binary), "simulate", "--listen", "127.0.0.1:0", *options])
    return told_port(process)


def gateway(place: Workplace, name: str, settings: dict[str, str], *, core: int | None = None,
            waits: bool = True, binary: Path | None = None) -> Server:
    """A gateway, ready unless it isn't waited for."""
    environment = {"PATH": "/usr/bin:/bin", "FXGW_LISTEN": "127.0.0.1:0", "FXGW_THREADS": "1",
                   "FXGW_BASES": "EUR", "SWIFT_BACKTRACE": "enable=no", **settings}
    process = place.start(name, [str(binary or place.binary), "serve"], environment=environment, core=core)
    port = told_port(process)
    if waits:
        def is_ready() -> bool:
            process.require_running()
            return http.get(port, SYMBOLS).status == 200
        wait_until(f"{name} serves rates", is_ready)
    return Server(name, process, port)


def compiled_floor(place: Workplace) -> Path:
    program = place.directory / "floor"
    if not program.exists():
        source = Path(__file__).with_name("floor.c")
        built = subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-pthread", "-o", str(program), str(source)],
                               capture_output=True, text=True, check=False)
        if built.returncode != 0:
            raise BenchError(f"{source} doesn't compile:\n{built.stderr}")
    return program


def floor(place: Workplace, answers: dict[str, Answer], *, core: int | None, threads: int = 1) -> Server:
    """The bare loop: a process for each answer, the first of them for all works that aren't named."""
    program = compiled_floor(place)
    doors: dict[str, tuple[Process, int]] = {}
    for work, answer in answers.items():
        file = place.directory / f"answer-{work}"
        file.write_bytes(answer.wire)
        options = ["--threads", str(threads)] + (["--close"] if work == "close" else [])
        process = place.start(f"floor-{work}-{threads}", [str(program), "0", str(file), *options], core=core)
        doors[work] = (process, told_port(process))
    process, port = next(iter(doors.values()))
    return Server("floor", process, port, doors)


def peer(place: Workplace, name: str, origin: Origin, *, core: int | None, threads: int = 1) -> Server:
    """A caching proxy in front of the origin, with its cache filled for both targets."""
    directory = place.directory / f"{len(place.processes)}-{name.replace(' ', '-')}"
    directory.mkdir()
    directory.chmod(0o777)
    port = free_port()
    file = directory / "configuration"
    match name:
        case "nginx tuned" | "nginx default":
            file.write_text(configurations.nginx(
                directory, port, origin.port, workers=threads, is_tuned=name == "nginx tuned"))
            command = ["/usr/sbin/nginx", "-p", str(directory), "-c", str(file)]
        case "haproxy":
            file.write_text(configurations.haproxy(directory, port, origin.port, threads=threads))
            command = ["/usr/sbin/haproxy", "-db", "-f", str(file)]
        case "varnish":
            file.write_text(configurations.varnish(origin.port))
            command = ["/usr/sbin/varnishd", "-F", "-n", str(directory / "work"), "-f", str(file),
                       "-a", f"127.0.0.1:{port}", "-s", "malloc,64m", "-p", "timeout_idle=300"]
        case _:
            raise BenchError(f"there is no peer '{name}'")
    process = place.start(f"{name.replace(' ', '-')}-{threads}", command, core=core)
    for target in (SYMBOLS, TABLE):
        def is_served() -> bool:
            process.require_running()
            return http.get(port, target).status == 200
        wait_until(f"{name} serves {target}", is_served)
        before = origin.asked
        http.get(port, target)
        if origin.asked != before:
            raise BenchError(f"{name} doesn't cache {target}: what it does couldn't be compared")
    return Server(name, process, port)


def origin_of(server: Server) -> tuple[Origin, dict[str, Answer]]:
    """An origin with the gateway's own answers, and these by the works that they are of."""
    symbols, table = http.get(server.port, SYMBOLS), http.get(server.port, TABLE)
    tag = symbols.field("ETag")
    if tag is None:
        raise BenchError("the gateway's answer has no ETag")
    unchanged = http.get(server.port, SYMBOLS, (f"If-None-Match: {tag}",))
    closed = http.get(server.port, SYMBOLS, ("Connection: close",))
    answers = {"hit": symbols, "table": table, "304": unchanged, "close": closed}
    wrong = [work for work, answer in answers.items() if answer.status != (304 if work == "304" else 200)]
    if wrong:
        raise BenchError(f"the gateway answers {wrong[0]} with {answers[wrong[0]].status}")
    return Origin({SYMBOLS: stored_form(symbols), TABLE: stored_form(table)}), answers
