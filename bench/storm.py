"""Hot answers while everything else happens: publications every few milliseconds, SIGHUP, scrapes of the metrics."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable

from . import http
from .figures import percentile
from .fleet import PIVOT, Fleet
from .http import Connection, request
from .process import BenchError
from .workplace import Workplace


class Pacer:
    """Does something again and again, with a pause between, in a process of its own: a thread would hold up the load."""

    def __init__(self, pause: float, act: Callable[[], None]) -> None:
        context = multiprocessing.get_context("fork")
        self.over = context.Event()
        self.count = context.Value("q", 0)
        self.process = context.Process(target=self.run, args=(pause, act), daemon=True)
        self.process.start()

    def run(self, pause: float, act: Callable[[], None]) -> None:
        while not self.over.wait(pause):
            act()
            self.count.value += 1

    def stop(self) -> int:
        """Ends it; how often it was done."""
        self.over.set()
        self.process.join(10)
        if self.process.exitcode != 0:
            raise BenchError(f"what should disturb has ended with {self.process.exitcode}")
        return self.count.value


def paced_latencies(port: int, seconds: float, per_second: int) -> tuple[list[float], set[bytes]]:
    """Latencies in ms of requests at a fixed rate, counted from when each was due; the snapshots seen.

    An answer that comes late also makes those late that were due meanwhile, as it does for clients that don't wait for
    each other.
    """
    asked = request(PIVOT)
    took: list[float] = []
    snapshots: set[bytes] = set()
    with Connection(port) as connection:
        began = time.perf_counter()
        for number in range(int(seconds * per_second)):
            due = began + number / per_second
            while (early := due - time.perf_counter()) > 0:
                # Sleeping to the end would add the timer's slack to every reading.
                if early > 0.000_3:
                    time.sleep(early - 0.000_2)
            answer = connection.exchange(asked)
            took.append((time.perf_counter() - due) * 1_000)
            if answer.status != 200:
                raise BenchError(f"a hot request was answered with {answer.status}")
            at = answer.head.index(b"Fx-Snapshot: ") + 13
            snapshots.add(answer.head[at:answer.head.index(b"\r", at)])
    return took, snapshots


def tell(took: list[float]) -> dict[str, float]:
    return {"requests": len(took), "p50_ms": percentile(took, 50), "p99_ms": percentile(took, 99),
            "p99_9_ms": percentile(took, 99.9), "most_ms": max(took)}


def acts_on(fleet: Fleet) -> dict[str, list[tuple[float, Callable[[], None]]]]:
    """What disturbs the first gateway of a fleet: names, and what is done with which pause, in seconds."""
    watched, other = fleet.gateways

    def publish() -> None:
        fleet.ask_refresh(other)

    def reload() -> None:
        watched.process.child.send_signal(signal.SIGHUP)

    def scrape() -> None:
        if http.get(watched.port, "/metrics").status != 200:
            raise BenchError("the metrics can't be had")

    return {"publications": [(0.003, publish)], "SIGHUP": [(0.02, reload)], "scrapes": [(0.02, scrape)],
            "all at once": [(0.003, publish), (0.02, reload), (0.02, scrape)]}


def measure(place: Workplace, seconds: float, per_second: int = 1_000) -> dict[str, object]:
    """The same paced load on one gateway: undisturbed, disturbed, and with the same done to another fleet.

    The last tells what the machine's two cores have to do with it: it costs them as much, and this gateway nothing.
    """
    fleet, elsewhere = Fleet(place, 2, lifetime="60s"), Fleet(place, 2, lifetime="60s")
    port = fleet.gateways[0].port
    figures: dict[str, object] = {"per_second": per_second}
    paced_latencies(port, 1, per_second)
    for name in acts_on(fleet):
        quiet, _ = paced_latencies(port, seconds / 2, per_second)
        part: dict[str, object] = {"undisturbed": tell(quiet)}
        for place_of_it, target in (("elsewhere", elsewhere), ("here", fleet)):
            pacers = [Pacer(pause, act) for pause, act in acts_on(target)[name]]
            took, snapshots = paced_latencies(port, seconds, per_second)
            counts = [pacer.stop() for pacer in pacers]
            part[place_of_it] = {**tell(took), "times": counts, "snapshots_seen": len(snapshots)}
        figures[name] = part
        place.say(f"hot answers, {name}: p99.9 {part['here']['p99_9_ms']:.2f} ms, done elsewhere"
                  f" {part['elsewhere']['p99_9_ms']:.2f} ms, undisturbed {part['undisturbed']['p99_9_ms']:.2f} ms")
    # The second fleet was started within the span of the first one's processes: this ends both.
    fleet.stop()
    return figures
