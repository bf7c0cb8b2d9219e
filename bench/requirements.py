"""What was set out to be reached, and what of it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    title: str
    #: Where the figure stands in the results; parts by dots, each a name or a place in a list.
    path: str
    required: float
    goal: float | None
    unit: str = ""
    #: Whether the figure is to be at least what is required; else at most.
    is_least: bool = False
    #: What the figure in the results is divided by.
    divisor: float = 1

    def value(self, results: dict[str, object]) -> float | None:
        """The figure; None where that part wasn't measured."""
        here: object = results
        for part in self.path.split("/"):
            try:
                here = here[int(part)] if isinstance(here, list) else here[part]  # type: ignore[index]
            except (KeyError, IndexError, TypeError):
                return None
        return None if here is None else float(here) / self.divisor  # type: ignore[arg-type]

    def verdict(self, results: dict[str, object]) -> str:
        """`goal`, `required`, `missed` or `not measured`."""
        value = self.value(results)
        if value is None:
            return "not measured"
        if self.goal is not None and self.holds(value, self.goal):
            return "goal"
        return "required" if self.holds(value, self.required) else "missed"

    def holds(self, value: float, bound: float) -> bool:
        return value >= bound if self.is_least else value <= bound


def ratio(title: str, work: str, other: str, required: float, goal: float) -> Requirement:
    return Requirement(title, f"rounds/{work}/gateway_to/{other}/median", required, goal)


def to_hit(title: str, work: str) -> Requirement:
    return Requirement(title, f"rounds/{work}/to_hit/median", 1.2, 1.1)


REQUIREMENTS = (
    ratio("CPU of a hit to nginx, tuned", "hit", "nginx tuned", 0.75, 0.65),
    ratio("CPU of a hit to HAProxy", "hit", "haproxy", 0.85, 0.70),
    ratio("CPU of a hit to Varnish", "hit", "varnish", 0.40, 0.30),
    ratio("CPU of a hit to the bare epoll loop", "hit", "floor", 1.30, 1.15),
    to_hit("304 to the hit", "304"),
    to_hit("whole table to the hit", "table"),
    to_hit("`rate` to the hit", "rate"),
    to_hit("`convert` to the hit", "convert"),
    Requirement("16 requests pipelined: CPU of nginx, tuned, to the gateway's",
                "rounds/pipelined/peers_to_gateway/nginx tuned", 5, 10, is_least=True),
    Requirement("each of 10,000 idle connections", "idle/gateway/bytes_per_connection", 2_048, 1_228, "bytes"),
    Requirement("idle process, resident", "idle/gateway/readings/0/resident_kib", 45, None, "MiB", divisor=1_024),
    Requirement("idle process, anonymous", "idle/gateway/readings/0/anonymous_kib", 12, None, "MiB", divisor=1_024),
    Requirement("10,000 cold requests on 10 instances: calls to upstream", "crowd/large/most_calls", 1, None),
    Requirement("10,000 cold requests: answered with other than 200", "crowd/large/other_than_200", 0, None),
    Requirement("500 cold requests: p99 beyond upstream's own time", "crowd/small/over_upstream_ms/p99", 20, None, "ms"),
    Requirement("publication to adoption on 10 instances, p99", "adoption/each_ms/p99", 10, 5, "ms"),
    Requirement("commands to Redis for all requests of a load, beyond the looks",
                "fleet/sizes/0/load/commands_beyond_looks", 3, None),
    Requirement("commands to Redis for a refresh, 16 instances", "fleet/sizes/2/refresh/commands", 18, None),
    Requirement("start with a warm Redis until ready", "starts/dynamic/warm_ms/median", 200, 100, "ms"),
)
