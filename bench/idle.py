"""What connections cost that do nothing."""

from __future__ import annotations

import resource
import selectors
import socket
import time

from .http import parse, request
from .process import BenchError
from .rounds import SERVER_CORE
from .servers import SYMBOLS, Server, floor, gateway, origin_of, peer, redis, simulator
from .workplace import Workplace

COUNTS = (0, 64, 1_000, 10_000)
#: Connections that are being made at a time.
WAVE = 200


def open_connections(port: int, count: int) -> list[socket.socket]:
    """Kept connections that have asked once and got their answer, as those of a pool have."""
    asked = request(SYMBOLS)
    made: list[socket.socket] = []
    while len(made) < count:
        wave = []
        selector = selectors.DefaultSelector()
        for _ in range(min(WAVE, count - len(made))):
            client = socket.create_connection(("127.0.0.1", port), 10)
            client.sendall(asked)
            selector.register(client, selectors.EVENT_READ, bytearray())
            wave.append(client)
        waiting, end = len(wave), time.monotonic() + 10
        while waiting and time.monotonic() < end:
            for key, _ in selector.select(0.5):
                chunk = key.fileobj.recv(65536)
                if not chunk:
                    raise BenchError(f"a connection was closed after {len(made)} were open")
                key.data.extend(chunk)
                if parse(bytes(key.data)):
                    selector.unregister(key.fileobj)
                    waiting -= 1
        selector.close()
        if waiting:
            raise BenchError(f"{waiting} connections got no answer while {len(made)} were open")
        made += wave
    return made


def raise_descriptor_limit() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def measure(place: Workplace, peers: list[str]) -> dict[str, object]:
    """KiB of each server, all and anonymous, at each count of idle connections; bytes for each connection."""
    hard = raise_descriptor_limit()
    counts = [count for count in COUNTS if count + 200 < hard]
    first = len(place.processes)
    settings = {"FXGW_UPSTREAM_URL": f"http://127.0.0.1:{simulator(place, name='simulator-idle')}",
                "FXGW_REDIS_URL": f"redis://127.0.0.1:{redis(place, 'redis-idle')}"}
    ours = gateway(place, "gateway-idle", settings, core=SERVER_CORE)
    origin, answers = origin_of(ours)
    servers: list[Server] = [ours, floor(place, {"hit": answers["hit"]}, core=SERVER_CORE)]
    servers += [peer(place, name, origin, core=SERVER_CORE, threads=1) for name in peers if name != "nginx default"]
    figures: dict[str, object] = {}
    for server in servers:
        readings = []
        for count in counts:
            clients = open_connections(server.port, count)
            time.sleep(0.5)
            resident, anonymous = server.process.memory()
            readings.append({"connections": count, "resident_kib": resident, "anonymous_kib": anonymous})
            for client in clients:
                client.close()
            time.sleep(0.5)
        most, least = readings[-1], readings[0]
        each = (most["resident_kib"] - least["resident_kib"]) * 1024 / max(1, most["connections"])
        name = "gateway" if server is ours else server.name
        figures[name] = {"readings": readings, "bytes_per_connection": each}
        place.say(f"{name}: {least['resident_kib']} KiB, with {most['connections']} idle connections"
                  f" {most['resident_kib']} KiB: {each:.0f} bytes each")
    place.stop_all(place.processes[first:])
    origin.stop()
    return figures
