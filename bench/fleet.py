"""A fleet of gateway processes on one Redis and one simulated upstream, and what is measured of it as a whole."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass

from . import http
from .process import BenchError, Process, wait_until
from .servers import Server, gateway, redis, simulator
from .workplace import Workplace

ADMIN_TOKEN = "adm-bench-token-0123456789"
PIVOT = "/v1/latest/EUR?symbols=USD"


class RedisLink:
    """A connection to Redis for what the bench asks and hears."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 5)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def ask(self, *arguments: str) -> object:
        parts = [argument.encode() for argument in arguments]
        self.socket.sendall(b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(p), p) for p in parts))
        return self.reply()

    def reply(self) -> object:
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2]
        match kind:
            case b"$":
                return None if rest == b"-1" else self.file.read(int(rest) + 2)[:-2].decode()
            case b"*":
                return [self.reply() for _ in range(int(rest))]
            case b":":
                return int(rest)
            case b"-":
                raise BenchError(f"Redis says {rest.decode()}")
            case b"+":
                return rest.decode()
            case _:
                raise BenchError("Redis has gone")

    def close(self) -> None:
        self.socket.close()


@dataclass(frozen=True)
class RedisWork:
    """What a Redis has done in some time."""

    commands: dict[str, int]
    bytes_in: int
    bytes_out: int
    cpu_us: int

    @classmethod
    def read(cls, link: RedisLink) -> RedisWork:
        fields = dict(line.split(":", 1) for line in str(link.ask("INFO", "everything")).splitlines() if ":" in line)
        commands = {name.removeprefix("cmdstat_"): int(value.split("calls=")[1].split(",")[0])
                    for name, value in fields.items() if name.startswith("cmdstat_")}
        cpu = sum(float(fields[name]) for name in ("used_cpu_sys", "used_cpu_user"))
        return cls(commands, int(fields["total_net_input_bytes"]), int(fields["total_net_output_bytes"]),
                   round(cpu * 1e6))

    def since(self, before: RedisWork) -> RedisWork:
        commands = {name: count - before.commands.get(name, 0) for name, count in self.commands.items()}
        return RedisWork({name: count for name, count in commands.items() if count > 0},
                         self.bytes_in - before.bytes_in, self.bytes_out - before.bytes_out,
                         self.cpu_us - before.cpu_us)


class Fleet:
    """So many gateways with rates that live for seconds; ends with `stop`."""

    def __init__(self, place: Workplace, count: int, *, lifetime: str = "2s", latency: str = "0ms",
                 waits: bool = True, settings: dict[str, str] | None = None) -> None:
        self.place = place
        self.first = len(place.processes)
        self.redis_port = redis(place, f"redis-{self.first}")
        self.upstream_port = simulator(
            place, "--mode", "live", "--live-interval", "10ms", "--monthly", "off", "--per-minute", "off",
            "--latency", latency, name=f"simulator-{self.first}")
        self.settings = {
            "FXGW_UPSTREAM_URL": f"http://127.0.0.1:{self.upstream_port}",
            "FXGW_REDIS_URL": f"redis://127.0.0.1:{self.redis_port}",
            "EXCHANGERATE_API_KEY": "exr_live_bench", "FXGW_QUOTA_MONTHLY": "100000000",
            "FXGW_QUOTA_PER_MINUTE": "60000", "FXGW_LIVE_TTL": lifetime, "FXGW_UPSTREAM_TIMEOUT": "2s",
            "FXGW_LEASE_TTL": "5s", "FXGW_WAIT_LIMIT": "20s", "FXGW_ADMIN_TOKEN": ADMIN_TOKEN,
            # Invented rates that move a hundred times a second aren't to be held back.
            "FXGW_QUARANTINE_BAND": "off", **(settings or {})}
        #: What begins every key of the fleet.
        self.prefix = f"{{fxgw:default:127.0.0.1:{self.upstream_port}}}:"
        self.gateways: list[Server] = []
        for number in range(count):
            self.add(f"gateway-{self.first}-{number}", waits=False)
        if waits:
            self.await_rates()

    def add(self, name: str, *, waits: bool = True) -> Server:
        server = gateway(self.place, name, self.settings, waits=waits)
        self.gateways.append(server)
        return server

    def await_rates(self) -> None:
        for server in self.gateways:
            wait_until(f"{server.name} serves rates", lambda: http.get(server.port, PIVOT).status == 200)

    def upstream_calls(self) -> int:
        counts = json.loads(http.get(self.upstream_port, "/control/counts").body)
        return int(counts["calls"])

    def metric(self, server: Server, name: str) -> float:
        """A sample of a gateway's metrics by its whole name."""
        for line in http.get(server.port, "/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.rpartition(" ")[2])
        raise BenchError(f"{server.name} has no {name}")

    def last_call(self) -> float:
        """When upstream has got its last call, in seconds of the epoch, to the millisecond below."""
        return json.loads(http.get(self.upstream_port, "/control/log").body)["entries"][-1]["received"] / 1_000

    def ask_refresh(self, server: Server) -> None:
        """Makes a gateway fetch and publish now."""
        answer = http.get(server.port, "/admin/refresh/EUR?force=true",
                          (f"Authorization: Bearer {ADMIN_TOKEN}", "Content-Length: 0"), method="POST")
        # 409: fetched and published, but this instance had it by the event before its own call was over.
        if answer.status not in (200, 409):
            raise BenchError(f"a refresh by hand is answered with {answer.status}: {answer.body[:200]!r}")

    def processes(self) -> list[Process]:
        return [server.process for server in self.gateways]

    def cpu_nanoseconds(self) -> int:
        return sum(process.cpu_nanoseconds() for process in self.processes())

    def stop(self) -> None:
        self.place.stop_all(self.place.processes[self.first:])
