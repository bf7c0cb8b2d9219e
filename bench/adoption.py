"""From the publication of a snapshot to the first answer from it, on every instance of a fleet."""

from __future__ import annotations

import json
import selectors
import threading
import time

from .figures import percentile
from .fleet import PIVOT, Fleet, RedisLink
from .http import Connection, parse, request
from .process import BenchError
from .workplace import Workplace


class Watcher:
    """Hears what Redis announces, and then asks all gateways, each again as soon as it has answered with the old snapshot.

    So a reading is too long by at most one request, and nothing is asked while nothing is due.
    """

    def __init__(self, fleet: Fleet) -> None:
        self.link = RedisLink(fleet.redis_port)
        self.link.ask("SUBSCRIBE", fleet.prefix + "events")
        self.connections = [Connection(server.port) for server in fleet.gateways]
        self.asked = request(PIVOT)

    def published(self) -> str:
        """Waits for the next publication; the snapshot's id."""
        while True:
            message = self.link.reply()
            event = json.loads(message[2])  # type: ignore[index]
            if event["kind"] == "published":
                return str(event["id"])

    def adoptions(self, snapshot: str, began: float) -> list[float]:
        """Milliseconds since `began` until each gateway has answered from this snapshot."""
        selector = selectors.DefaultSelector()
        wanted = f"Fx-Snapshot: {snapshot}".encode()
        for connection in self.connections:
            connection.socket.sendall(self.asked)
            selector.register(connection.socket, selectors.EVENT_READ, bytearray())
        readings: list[float] = []
        while len(readings) < len(self.connections):
            if time.perf_counter() - began > 5:
                raise BenchError(f"{len(readings)} of {len(self.connections)} have adopted {snapshot} after 5 s")
            for key, _ in selector.select(1):
                key.data.extend(key.fileobj.recv(65536))
                if (parsed := parse(bytes(key.data))) is None:
                    continue
                key.data.clear()
                if wanted in parsed[0].head:
                    readings.append((time.perf_counter() - began) * 1_000)
                    selector.unregister(key.fileobj)
                else:
                    key.fileobj.sendall(self.asked)
        selector.close()
        return readings

    def close(self) -> None:
        self.link.close()
        for connection in self.connections:
            connection.close()


def measure(place: Workplace, instances: int, publications: int) -> dict[str, object]:
    """Milliseconds from the event to the answer: over all instances, and for the last of each publication."""
    # Publications come from refreshes by an operator, one every 40 ms; nothing else is due meanwhile.
    fleet = Fleet(place, instances, lifetime="60s")
    watcher = Watcher(fleet)
    each: list[float] = []
    last: list[float] = []
    for number in range(publications):
        time.sleep(0.04)
        asked = threading.Thread(target=fleet.ask_refresh, args=(fleet.gateways[number % instances],))
        asked.start()
        snapshot = watcher.published()
        readings = watcher.adoptions(snapshot, time.perf_counter())
        asked.join()
        each += readings
        last.append(max(readings))
    watcher.close()
    fleet.stop()
    figures = {"instances": instances, "publications": publications, "adoptions": len(each),
               "each_ms": {f"p{share}": percentile(each, share) for share in (50, 90, 99)} | {"most": max(each)},
               "last_ms": {f"p{share}": percentile(last, share) for share in (50, 90, 99)} | {"most": max(last)}}
    place.say(f"{instances} instances adopt within {percentile(each, 50):.1f} ms (p50), {percentile(each, 99):.1f} ms (p99)")
    return figures
