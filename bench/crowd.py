"""Requests for rates that nobody has: a crowd that waits for one call."""

from __future__ import annotations

import selectors
import time

from . import http
from .figures import percentile
from .fleet import ADMIN_TOKEN, PIVOT, Fleet, RedisLink
from .http import Answer, Connection, parse, request
from .idle import raise_descriptor_limit
from .process import BenchError
from .workplace import Workplace

#: What the simulated upstream takes for an answer, in ms.
LATENCY = 300


def connect(fleet: Fleet, count: int) -> list[Connection]:
    """Connections to all instances by turns, accepted and idle."""
    return [Connection(fleet.gateways[number % len(fleet.gateways)].port, timeout=30) for number in range(count)]


def ask_all(connections: list[Connection], within: float = 25) -> tuple[list[float], list[Answer]]:
    """All ask at once: the instant of each answer as `time.time` has it, and the answers in the same order."""
    selector = selectors.DefaultSelector()
    asked = request(PIVOT)
    for connection in connections:
        connection.socket.sendall(asked)
        selector.register(connection.socket, selectors.EVENT_READ, bytearray())
    end = time.time() + within
    answered: list[float] = []
    answers: list[Answer] = []
    while len(answered) < len(connections):
        if time.time() > end:
            raise BenchError(f"{len(connections) - len(answered)} of a crowd of {len(connections)} have no answer")
        for key, _ in selector.select(1):
            key.data.extend(key.fileobj.recv(65536))
            if (parsed := parse(bytes(key.data))) is not None:
                answered.append(time.time())
                answers.append(parsed[0])
                selector.unregister(key.fileobj)
    selector.close()
    return answered, answers


def drop(fleet: Fleet) -> None:
    """Drops what all instances hold, and the pace that would keep them from fetching it again at once."""
    link = RedisLink(fleet.redis_port)
    link.ask("HDEL", fleet.prefix + "control", "res:latest:EUR")
    link.close()
    answer = http.get(fleet.gateways[0].port, "/admin/cache", (f"Authorization: Bearer {ADMIN_TOKEN}",), "DELETE")
    if answer.status != 200:
        raise BenchError(f"a gateway doesn't drop what it holds: {answer.status}")


def since_upstream(fleet: Fleet, answered: list[float]) -> list[float]:
    """Milliseconds from when upstream's last answer was due to leave, by its own log, to each of these instants."""
    left = fleet.last_call() + LATENCY / 1_000
    return [(instant - left) * 1_000 for instant in answered]


def waited(answers: list[Answer]) -> int:
    """How many were answered by a fetch that they had waited for; others came when the rates were there already."""
    marks = ("stored", "collapsed", "detail=shared")
    return sum(any(mark in (answer.field("Cache-Status") or "") for mark in marks) for answer in answers)


def cold(place: Workplace, instances: int, crowd: int) -> dict[str, object]:
    """A fleet that has just started, with nothing in Redis: everybody asks before the first rates can be there."""
    raise_descriptor_limit()
    fleet = Fleet(place, instances, lifetime="60s", latency=f"{LATENCY}ms", waits=False)
    connections = connect(fleet, crowd)
    before = fleet.cpu_nanoseconds()
    answered, answers = ask_all(connections)
    used = fleet.cpu_nanoseconds() - before
    over = since_upstream(fleet, answered)
    succeeded = sum(answer.status == 200 for answer in answers)
    if min(over) < 0:
        raise BenchError("some were answered before upstream was: the fleet wasn't cold")
    for connection in connections:
        connection.close()
    calls = fleet.upstream_calls()
    fleet.stop()
    figures = {"instances": instances, "requests": crowd, "upstream_calls": calls,
               "answered_200": succeeded, "waited": waited(answers), "over_upstream_ms": tell(over),
               "cpu_us_per_request": used / 1_000 / crowd}
    place.say(f"a cold crowd of {crowd} on {instances} instances: {calls} upstream call(s), {succeeded} x 200, {waited(answers)} of"
              f" them had waited,"
              f" {used / 1_000 / crowd:.1f} us of CPU a request, the last after upstream's time and {max(over):.0f} ms")
    return figures


def waiting(place: Workplace, instances: int, crowd: int, times: int) -> dict[str, object]:
    """A fleet whose rates were dropped: how much longer than upstream's own time everybody waits."""
    fleet = Fleet(place, instances, lifetime="60s", latency=f"{LATENCY}ms")
    over: list[float] = []
    wrong = 0
    calls: list[int] = []
    for _ in range(times * 3):
        if len(calls) == times:
            break
        connections = connect(fleet, crowd)
        time.sleep(0.2)
        before = fleet.upstream_calls()
        drop(fleet)
        # Until every instance has heard of it; upstream takes ten times as long.
        time.sleep(LATENCY / 10_000)
        answered, answers = ask_all(connections)
        for connection in connections:
            connection.close()
        late = since_upstream(fleet, answered)
        if min(late) < 0:
            # Somebody was answered before upstream was: on a busy machine not all had dropped theirs in that time.
            continue
        wrong += sum(answer.status != 200 for answer in answers)
        calls.append(fleet.upstream_calls() - before)
        over += late
    fleet.stop()
    if len(calls) < times:
        raise BenchError(f"only {len(calls)} of {times * 3} tries found all instances without rates")
    figures = {"instances": instances, "requests": crowd, "times": times, "upstream_ms": LATENCY,
               "upstream_calls": calls, "other_than_200": wrong, "over_upstream_ms": tell(over)}
    place.say(f"{crowd} waiting requests: upstream's time and {percentile(over, 99):.1f} ms (p99), calls {calls}")
    return figures


def tell(over: list[float]) -> dict[str, float]:
    return {f"p{share}": percentile(over, share) for share in (50, 99)} | {"most": max(over)}
