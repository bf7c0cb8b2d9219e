"""Interleaved rounds: each work on each server, again and again, so that what disturbs one disturbs all."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from . import wrk
from .figures import Spread, ratios
from .origin import Origin
from .process import BenchError
from .servers import Server, floor, gateway, origin_of, peer, redis, simulator
from .workplace import Workplace
from .works import Work

#: The first two that this process may use: servers have one to themselves, wrk the other; with one only they share it.
SERVER_CORE, LOAD_CORE = (sorted(os.sched_getaffinity(0)) * 2)[:2]


@dataclass
class Cell:
    """One work on one server: a value for each round."""

    cpu_us: list[float] = field(default_factory=list)
    per_second: list[float] = field(default_factory=list)
    p50_us: list[float] = field(default_factory=list)
    p99_us: list[float] = field(default_factory=list)

    def json(self) -> dict[str, object]:
        return {
            "cpu_us_per_request": {**Spread.of(self.cpu_us).json(), "values": self.cpu_us},
            "requests_per_second": Spread.of(self.per_second).json(),
            "latency_p50_us": Spread.of(self.p50_us).json(), "latency_p99_us": Spread.of(self.p99_us).json(),
        }


class Rounds:
    """The servers of all works and what was measured of them so far."""

    def __init__(self, place: Workplace, works: list[Work], peers: list[str]) -> None:
        self.place = place
        self.works = works
        self.cells: dict[tuple[str, str], Cell] = {}
        self.servers: dict[tuple[str, int], Server] = {}
        self.origins: list[Origin] = []
        settings = {
            "FXGW_UPSTREAM_URL": f"http://127.0.0.1:{simulator(place)}",
            "FXGW_REDIS_URL": f"redis://127.0.0.1:{redis(place)}",
        }
        for threads in sorted({work.threads for work in works}):
            core = SERVER_CORE if threads == 1 else None
            ours = gateway(place, f"gateway-{threads}", {**settings, "FXGW_THREADS": str(threads)}, core=core)
            origin, answers = origin_of(ours)
            self.origins.append(origin)
            self.servers["gateway", threads] = ours
            self.servers["floor", threads] = floor(place, answers, core=core, threads=threads)
            for name in peers:
                self.servers[name, threads] = peer(place, name, origin, core=core, threads=threads)
        tag = answers["hit"].field("ETag") or ""
        self.body_bytes = {work: len(answer.body) for work, answer in answers.items()}
        self.wire_bytes = {work: len(answer.wire) for work, answer in answers.items()}
        self.fields = {work.name: tuple(field.replace("{tag}", tag) for field in work.fields) for work in works}

    def run(self, rounds: int, seconds: int) -> None:
        plan = [(work, name) for work in self.works for name in work.servers
                if (name, work.threads) in self.servers]
        self.place.say(f"{rounds} rounds of {len(plan)} measurements of {seconds} s:"
                       f" about {rounds * len(plan) * (seconds + 0.3) / 60:.0f} min")
        for number in range(rounds):
            # There and back, so that nobody always comes after the same neighbour.
            for work, name in plan if number % 2 == 0 else reversed(plan):
                self.measure(work, name, seconds)
            first = self.cells.get((self.works[0].name, "gateway"))
            self.place.say(f"round {number + 1} of {rounds} is done"
                           + (f"; gateway, {self.works[0].name}: {first.cpu_us[-1]:.2f} us a request" if first else ""))

    def measure(self, work: Work, name: str, seconds: int) -> None:
        process, port = self.servers[name, work.threads].door(work.name)
        asked = self.origin_calls()
        before = process.cpu_nanoseconds()
        report = wrk.run(port, work.targets, seconds=seconds, connections=work.connections,
                         fields=self.fields[work.name], pipeline=work.pipeline,
                         core=LOAD_CORE if work.threads == 1 else None)
        used = process.cpu_nanoseconds() - before
        process.require_running()
        if self.origin_calls() != asked:
            raise BenchError(f"{name} asks its origin during '{work.name}': that would be no hit")
        if report.requests == 0:
            raise BenchError(f"{name} answers nothing to '{work.name}'")
        # A few connections that are closed as the load ends are wrk's own doing.
        if report.wrong > max(work.connections, report.requests // 1000):
            raise BenchError(f"{name} fails {report.wrong} of {report.requests} requests of '{work.name}'")
        cell = self.cells.setdefault((work.name, name), Cell())
        cell.cpu_us.append(used / 1_000 / report.requests)
        cell.per_second.append(report.per_second)
        cell.p50_us.append(report.p50_us)
        cell.p99_us.append(report.p99_us)

    def origin_calls(self) -> int:
        return sum(origin.asked for origin in self.origins)

    def ratio(self, work: str, other: str) -> Spread | None:
        """The gateway's CPU to another server's for the same work."""
        ours, theirs = self.cells.get((work, "gateway")), self.cells.get((work, other))
        return ratios(ours.cpu_us, theirs.cpu_us) if ours and theirs else None

    def turned_ratio(self, work: str, other: str) -> float:
        """How many times the gateway's CPU another server takes: the median over the rounds."""
        return ratios(self.cells[work, other].cpu_us, self.cells[work, "gateway"].cpu_us).median

    def to_hit(self, work: str) -> Spread | None:
        """The gateway's CPU for a work to its CPU for the hit."""
        one, hit = self.cells.get((work, "gateway")), self.cells.get(("hit", "gateway"))
        return ratios(one.cpu_us, hit.cpu_us) if one and hit else None

    def json(self) -> dict[str, object]:
        result: dict[str, object] = {"body_bytes": self.body_bytes, "answer_bytes": self.wire_bytes}
        for work in self.works:
            servers = {name: self.cells[work.name, name].json() for name in work.servers
                       if (work.name, name) in self.cells}
            others = {name: spread.json() for name in servers
                      if name != "gateway" and (spread := self.ratio(work.name, name))}
            turned = {name: self.turned_ratio(work.name, name) for name in others}
            hit = self.to_hit(work.name)
            result[work.name] = {"title": work.title, "connections": work.connections, "servers": servers,
                                 "gateway_to": others, "peers_to_gateway": turned, "to_hit": hit.json() if hit else None}
        return result
