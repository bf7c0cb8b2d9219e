"""Medians, spreads and percentiles."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Spread:
    """Median, least and most of some rounds."""

    median: float
    least: float
    most: float
    rounds: int

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        return cls(statistics.median(values), min(values), max(values), len(values))

    def json(self) -> dict[str, float]:
        return asdict(self)


def percentile(values: list[float], share: float) -> float:
    """The least value that so many of a hundred don't exceed: the nearest rank, nothing in between is made up."""
    ordered = sorted(values)
    rank = -(-len(ordered) * share // 100)
    return ordered[max(0, min(len(ordered), int(rank)) - 1)]


def ratios(ours: list[float], theirs: list[float]) -> Spread:
    """Ours to theirs, round by round: what disturbs a round disturbs both."""
    return Spread.of([a / b for a, b in zip(ours, theirs, strict=True)])
