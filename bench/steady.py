"""A steady load through a balancer that keeps every failure and every latency: for what may not disturb clients.

python3 -m bench.steady --port 8080 --seconds 30 writes one JSON object. SIGTERM ends it early, with what it has. Nothing
is asked twice: what a client would see as a failure is one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import signal
import sys
import threading
import time
from dataclasses import dataclass, field

from .figures import percentile
from .http import Answer, Connection, request

CONVERSIONS = b'{"from":"USD","pairs":[["EUR","1.10"],["JPY",7.5]]}'


def posted(target: str, body: bytes) -> bytes:
    fields = ("Content-Type: application/json", f"Content-Length: {len(body)}")
    return request(target, fields, "POST") + body


def requests(body: bytes) -> list[bytes]:
    """What is asked by turns: tables, a cross, conversions by GET and by POST."""
    reads = ["/v1/latest/EUR?symbols=USD,GBP,JPY", "/v1/rate/usd-jpy", "/v1/latest/EUR", "/v1/convert/GBP/USD/12.50"]
    return [request(target) for target in reads] + [posted("/v1/convert", body)]


@dataclass
class Tally:
    """What came of the requests; shared by all clients."""

    took: list[float] = field(default_factory=list)
    failures: list[tuple[float, str]] = field(default_factory=list)
    states: dict[str, int] = field(default_factory=dict)
    #: When each snapshot was first seen, in seconds from the beginning.
    snapshots: dict[str, float] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, at: float, took: float, answer: Answer) -> None:
        with self.lock:
            self.took.append(took)
            if answer.status != 200 or not answer.body.startswith(b'{"result":"success"'):
                self.failures.append((at, f"{answer.status} {answer.body[:160].decode(errors='replace')}"))
                return
            state = answer.field("Fx-State") or "none"
            self.states[state] = self.states.get(state, 0) + 1
            self.snapshots.setdefault(answer.field("Fx-Snapshot") or "none", at)

    def broken(self, at: float, error: Exception) -> None:
        with self.lock:
            self.failures.append((at, f"{type(error).__name__}: {error}"))

    def json(self) -> dict[str, object]:
        with self.lock:
            figures: dict[str, object] = {"requests": len(self.took), "failures": self.failures, "states": self.states,
                                          "snapshots": sorted(self.snapshots.values())}
            if self.took:
                figures |= {name: percentile(self.took, share) * 1_000
                            for name, share in (("p50_ms", 50), ("p99_ms", 99), ("p99_9_ms", 99.9), ("most_ms", 100))}
            return figures


def client(port: int, began: float, first: int, step: int, per_second: int, asked: list[bytes], over: threading.Event,
           tally: Tally) -> None:
    """Sends every `step`-th request of the common schedule; latencies count from when each was due."""
    connection: Connection | None = None
    for number in itertools.count(first, step):
        due = began + number / per_second
        if over.wait(max(0.0, due - time.perf_counter())):
            break
        try:
            connection = connection or Connection(port)
            answer = connection.exchange(asked[number % len(asked)])
        except (OSError, ValueError) as error:
            tally.broken(time.perf_counter() - began, error)
            if connection:
                connection.close()
            connection = None
            continue
        now = time.perf_counter()
        tally.note(now - began, now - due, answer)
        if (answer.field("Connection") or "").lower() == "close":
            connection.close()
            connection = None
    if connection:
        connection.close()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m bench.steady", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True, help="at most 600")
    parser.add_argument("--per-second", type=int, default=200, help="requests of all clients together (200; at most 2000)")
    parser.add_argument("--clients", type=int, default=16, help="kept connections (16; at most 64)")
    options = parser.parse_args(words)
    if not (0 < options.seconds <= 600 and 0 < options.per_second <= 2_000 and 0 < options.clients <= 64):
        parser.error("out of bounds: see --help")
    over, tally = threading.Event(), Tally()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    asked, began = requests(CONVERSIONS), time.perf_counter()
    clients = [threading.Thread(target=client, args=(options.port, began, index, options.clients, options.per_second,
                                                     asked, over, tally)) for index in range(options.clients)]
    for one in clients:
        one.start()
    over.wait(options.seconds)
    over.set()
    for one in clients:
        one.join(15)
    json.dump(tally.json(), sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
