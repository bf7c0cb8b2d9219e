"""That the steady load keeps every failure, and asks nothing twice."""

import json
import os
import socket
import subprocess
import sys
import threading
import unittest

WHOLE = b'{"result":"success"}'


def answer(status: bytes, body: bytes) -> bytes:
    return b"HTTP/1.1 " + status + b"\r\nFx-State: fresh\r\nFx-Snapshot: a\r\nContent-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """Answers request by request what its script says, over all connections; None closes unanswered, then repeats 200."""

    def __init__(self, script: list[bytes | None]) -> None:
        self.script, self.seen = script, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        with client:
            while client.recv(65536):
                said = self.script[self.seen] if self.seen < len(self.script) else answer(b"200 OK", WHOLE)
                self.seen += 1
                if said is None:
                    return
                client.sendall(said)


class Steady(unittest.TestCase):
    def load(self, script: list[bytes | None]) -> tuple[dict, Server]:
        server = Server(script)
        self.addCleanup(server.listener.close)
        done = subprocess.run(
            [sys.executable, "-m", "bench.steady", "--port", str(server.port), "--seconds", "0.5", "--per-second", "40",
             "--clients", "1"], capture_output=True, text=True, timeout=30, check=True, env=dict(os.environ))
        return json.loads(done.stdout), server

    def test_good_answers_are_no_failures(self):
        figures, server = self.load([])
        self.assertEqual(figures["failures"], [])
        self.assertGreater(figures["requests"], 5)
        self.assertEqual((figures["requests"], figures["states"]), (server.seen, {"fresh": server.seen}))

    def test_a_refusal_a_wrong_body_and_a_broken_connection_are_one_failure_each(self):
        refused, wrong = answer(b"503 Service Unavailable", b"{}"), answer(b"200 OK", b"<html>")
        figures, server = self.load([answer(b"200 OK", WHOLE), refused, None, wrong])
        self.assertEqual([what.split()[0] for _, what in figures["failures"]], ["503", "ConnectionError:", "200"])
        # The broken one has no latency; none of the three was asked again.
        self.assertEqual(figures["requests"] + 1, server.seen)
