"""What a fleet asks of Redis and of upstream: measured on real processes, and worked out for all sizes from that."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass

from . import wrk
from .fleet import PIVOT, Fleet, RedisLink, RedisWork
from .process import BenchError
from .workplace import Workplace

#: Sizes whose cost is measured; the line through the outer two gives what a further instance costs.
SIZES = (1, 4, 16)


@dataclass(frozen=True)
class Cost:
    """Bytes and Redis's CPU for one of something."""

    bytes_in: float
    bytes_out: float
    cpu_us: float

    @classmethod
    def of(cls, work: RedisWork, times: int, without: list[tuple[Cost, float]]) -> Cost:
        """A share of what was measured, less what is known to be something else's."""
        def share(total: float, name: str) -> float:
            return (total - sum(getattr(cost, name) * count for cost, count in without)) / times
        return cls(share(work.bytes_in, "bytes_in"), share(work.bytes_out, "bytes_out"), share(work.cpu_us, "cpu_us"))

    def json(self) -> dict[str, float]:
        return {"bytes_in": self.bytes_in, "bytes_out": self.bytes_out, "cpu_us": self.cpu_us}


def commands_given(fleet: Fleet) -> int:
    """What the gateways' own counters say that they have sent."""
    return sum(int(fleet.metric(server, "fxgateway_redis_commands_total")) for server in fleet.gateways)


def measure_size(place: Workplace, instances: int, seconds: float, refreshes: int) -> dict[str, object]:
    """The cost of a second of looking and of a refresh, for a fleet of this size; and that of its requests."""
    fleet = Fleet(place, instances, lifetime="3600s")
    link = RedisLink(fleet.redis_port)
    # What the question itself costs; it stands in each later reading once.
    first, second = RedisWork.read(link), RedisWork.read(link)
    ours = Cost.of(second.since(first), 1, [])
    before, commands = RedisWork.read(link), commands_given(fleet)
    time.sleep(seconds)
    quiet = RedisWork.read(link).since(before)
    looks = commands_given(fleet) - commands
    if looks < instances * (seconds - 2):
        raise BenchError(f"{instances} instances looked only {looks} times in {seconds:g} s")
    look = Cost.of(quiet, looks, [(ours, 1)])

    before, commands, calls = RedisWork.read(link), commands_given(fleet), fleet.upstream_calls()
    began = time.monotonic()
    for number in range(refreshes):
        fleet.ask_refresh(fleet.gateways[number % instances])
        time.sleep(0.02)
    # Until the last look that finds what an event has told already.
    time.sleep(0.2)
    work = RedisWork.read(link).since(before)
    looked = (time.monotonic() - began) * instances
    sent = commands_given(fleet) - commands - looked
    # One that finds a fetch under way takes part in that one.
    made = fleet.upstream_calls() - calls
    if not refreshes * 9 // 10 <= made <= refreshes:
        raise BenchError(f"{refreshes} refreshes took {made} calls")
    refresh = Cost.of(work, made, [(ours, 1), (look, looked)])

    # The same, while clients ask as much as they can: what they cost Redis and upstream must not be seen.
    before, commands, calls = RedisWork.read(link), commands_given(fleet), fleet.upstream_calls()
    began = time.monotonic()
    report = wrk.run(fleet.gateways[0].port, (PIVOT,), seconds=round(seconds), connections=64)
    asked = RedisWork.read(link).since(before)
    beyond = commands_given(fleet) - commands - (time.monotonic() - began) * instances
    figures = {
        "instances": instances, "looks_per_instance_second": looks / instances / seconds, "look": look.json(),
        "refresh": {**refresh.json(), "commands": sent / made},
        "load": {"requests": report.requests, "commands_beyond_looks": beyond, "bytes_in": asked.bytes_in,
                 "upstream_calls": fleet.upstream_calls() - calls},
    }
    link.close()
    fleet.stop()
    place.say(f"{instances} instances: a look {look.bytes_in + look.bytes_out:.0f} bytes, a refresh"
              f" {refresh.bytes_in + refresh.bytes_out:.0f} bytes and {sent / made:.1f} commands;"
              f" {report.requests} requests cost {beyond:.0f} commands beyond the looks")
    return figures


def sweep(place: Workplace, seconds: int) -> list[dict[str, object]]:
    """Calls and commands of fleets of all sizes, by simulated time: `FXBench sweep`."""
    if place.bench is None:
        raise BenchError("FXBench isn't built")
    place.say("sweep over instances and clients, by simulated time")
    done = subprocess.run([str(place.bench), "sweep", "--output", "json", "--seconds", str(seconds)],
                          capture_output=True, text=True, check=False, timeout=1_800)
    if done.returncode != 0:
        raise BenchError(f"FXBench sweep ended with {done.returncode}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(place: Workplace, seconds: float, refreshes: int, sweep_seconds: int) -> dict[str, object]:
    sizes = [measure_size(place, instances, seconds, refreshes) for instances in SIZES]
    points = sweep(place, sweep_seconds)
    for point in points:
        point["redis_bytes"] = bytes_of(point, sizes)
    return {"sizes": sizes, "look_cpu_us": look_cpu(sizes), "sweep": points}


def look_cpu(sizes: list[dict[str, object]]) -> float:
    """Redis's CPU for a look: what further instances add, since a Redis that isn't asked anything has some of its own."""
    def a_second(size: dict[str, object]) -> tuple[float, float]:
        looks = size["instances"] * size["looks_per_instance_second"]  # type: ignore[operator]
        return looks, looks * size["look"]["cpu_us"]  # type: ignore[index,return-value]
    (few, low), (many, high) = a_second(sizes[0]), a_second(sizes[-1])
    return (high - low) / (many - few)


def bytes_of(point: dict[str, object], sizes: list[dict[str, object]]) -> float:
    """Bytes to and from Redis of one point of the sweep: counted for plain caches, for gateways from what was measured."""
    if point["cache"] != "gateway":
        return float(point["plain_bytes_in"]) + float(point["plain_bytes_out"])  # type: ignore[arg-type]
    # The least: a link that is lost meanwhile, and made anew with whole scripts, only adds.
    look = min(size["look"]["bytes_in"] + size["look"]["bytes_out"] for size in sizes)  # type: ignore[index]
    return (point["looks"] * look  # type: ignore[operator]
            + point["finishes"] * refresh_bytes(sizes, point["instances"]))  # type: ignore[arg-type,operator]


def refresh_bytes(sizes: list[dict[str, object]], instances: int) -> float:
    """The bytes of a refresh in a fleet of this size: the line through the smallest and the largest one measured."""
    def at(size: dict[str, object]) -> tuple[int, float]:
        return size["instances"], size["refresh"]["bytes_in"] + size["refresh"]["bytes_out"]  # type: ignore[index,return-value]
    (few, low), (many, high) = at(sizes[0]), at(sizes[-1])
    each = (high - low) / (many - few)
    return low + each * (instances - few)
