"""Requests for rates that nobody has: a crowd that waits for one call."""

from __future__ import annotations

import select
import socket
import statistics
import time

from . import http
from .figures import Spread, percentile
from .fleet import ADMIN_TOKEN, PIVOT, Fleet, RedisLink
from .http import Answer, Connection, parse, request
from .idle import raise_descriptor_limit
from .process import BenchError
from .workplace import Workplace


def connect(fleet: Fleet, count: int) -> list[Connection]:
    """Connections to all instances by turns, accepted and idle."""
    return [Connection(fleet.gateways[number % len(fleet.gateways)].port, timeout=30) for number in range(count)]


def ask_all(connections: list[Connection], within: float = 25) -> tuple[list[float], list[Answer]]:
    """All ask at once: the instant of each answer as `time.time` has it, and the answers in the same order.

    Nothing is read of an answer while others are waited for: what this process does then would count as the gateway's.
    """
    asked = request(PIVOT)
    loop = select.epoll()
    sockets = {connection.socket.fileno(): connection.socket for connection in connections}
    for descriptor in sockets:
        loop.register(descriptor, select.EPOLLIN)
    for client in sockets.values():
        client.sendall(asked)
    end = time.time() + within
    came: list[tuple[float, int, bytes]] = []
    while len(came) < len(connections):
        if time.time() > end:
            raise BenchError(f"{len(connections) - len(came)} of a crowd of {len(connections)} have no answer")
        for descriptor, _ in loop.poll(1):
            chunk = sockets[descriptor].recv(65536)
            came.append((time.time(), descriptor, chunk))
            # One answer, one segment: what should follow is read below.
            loop.unregister(descriptor)
    loop.close()
    return [instant for instant, _, _ in came], [whole(sockets[descriptor], chunk) for _, descriptor, chunk in came]


def whole(client: socket.socket, bytes_so_far: bytes) -> Answer:
    while (parsed := parse(bytes_so_far)) is None:
        chunk = client.recv(65536)
        if not chunk:
            raise BenchError("a connection was closed within an answer")
        bytes_so_far += chunk
    return parsed[0]


def drop(fleet: Fleet) -> None:
    """Drops what all instances hold, and the pace that would keep them from fetching it again at once."""
    link = RedisLink(fleet.redis_port)
    link.ask("HDEL", fleet.prefix + "control", "res:latest:EUR")
    link.close()
    answer = http.get(fleet.gateways[0].port, "/admin/cache", (f"Authorization: Bearer {ADMIN_TOKEN}",), "DELETE")
    if answer.status != 200:
        raise BenchError(f"a gateway doesn't drop what it holds: {answer.status}")


def since_upstream(fleet: Fleet, answered: list[float], latency: int) -> list[float]:
    """Milliseconds from when upstream's last answer was due to leave, by its own log, to each of these instants."""
    left = fleet.last_call() + latency / 1_000
    return [(instant - left) * 1_000 for instant in answered]


def waited(answers: list[Answer]) -> int:
    """How many were answered by a fetch that they had waited for; others came when the rates were there already."""
    marks = ("stored", "collapsed", "detail=shared")
    return sum(any(mark in (answer.field("Cache-Status") or "") for mark in marks) for answer in answers)


def measure_crowd(place: Workplace, instances: int, crowd: int, times: int, latency: int) -> dict[str, object]:
    """How much longer than upstream's own time everybody waits, what it costs, and how often upstream is called."""
    raise_descriptor_limit()
    fleet = Fleet(place, instances, lifetime="60s", latency=f"{latency}ms",
                  settings={"FXGW_UPSTREAM_TIMEOUT": "10s", "FXGW_LEASE_TTL": "15s"})
    over: list[float] = []
    cpu: list[float] = []
    calls: list[int] = []
    wrong = 0
    connections = connect(fleet, crowd)
    for _ in range(times * 3):
        if len(calls) == times:
            break
        time.sleep(0.3)
        before = fleet.upstream_calls()
        drop(fleet)
        # Until every instance has heard of it: a small part of upstream's time.
        time.sleep(latency / 10_000)
        used = fleet.cpu_nanoseconds()
        answered, answers = ask_all(connections)
        used = fleet.cpu_nanoseconds() - used
        late = since_upstream(fleet, answered, latency)
        if waited(answers) < crowd or min(late) < 0:
            # On a busy machine some had their rates still when they were asked, or again.
            place.say(f"only {waited(answers)} of {crowd} had to wait: once more")
            continue
        over += late
        cpu.append(used / 1_000 / crowd)
        calls.append(fleet.upstream_calls() - before)
        wrong += sum(answer.status != 200 for answer in answers)
    for connection in connections:
        connection.close()
    fleet.stop()
    if len(calls) < times:
        raise BenchError(f"in only {len(calls)} of {times * 3} tries all {crowd} requests found no rates")
    spread = {f"p{share}": percentile(over, share) for share in (50, 99)} | {"most": max(over)}
    place.say(f"{crowd} cold requests on {instances} instances: calls to upstream {calls}, {wrong} other than 200,"
              f" {statistics.median(cpu):.1f} us of CPU each; upstream's time and {spread['p99']:.1f} ms (p99)")
    return {"instances": instances, "requests": crowd, "times": times, "upstream_ms": latency,
            "upstream_calls": calls, "most_calls": max(calls), "other_than_200": wrong, "over_upstream_ms": spread,
            "cpu_us_per_request": Spread.of(cpu).json()}


def measure(place: Workplace, times: int) -> dict[str, object]:
    """A large crowd and a small one; upstream takes as long as the large one needs to ask."""
    return {"large": measure_crowd(place, 10, 10_000, max(1, times // 3), latency=5_000),
            "small": measure_crowd(place, 10, 500, times, latency=300)}
