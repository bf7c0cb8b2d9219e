"""What the bench starts: the floor's answers, and the accounting of a process with its children."""

import socket
import sys
import time
import unittest
from pathlib import Path

from bench.http import Answer, Connection, request
from bench.process import BenchError, cpu_nanoseconds
from bench.servers import floor
from bench.workplace import Workplace

ANSWER = Answer(200, b"HTTP/1.1 200 OK\r\nContent-Length: 5", b"fixed")


class Processes(unittest.TestCase):
    def setUp(self):
        self.place = self.enterContext(Workplace(Path("/nowhere"), None))

    def test_the_floor_gives_one_answer_for_each_request_however_they_are_cut(self):
        server = floor(self.place, {"hit": ANSWER}, core=None)
        asked = request("/a") + request("/b", ("X: y",)) + request("/c")
        for cut in range(1, len(asked)):
            with Connection(server.port) as connection:
                connection.socket.sendall(asked[:cut])
                if cut % 7 == 0:
                    time.sleep(0.001)
                connection.socket.sendall(asked[cut:])
                self.assertEqual([connection.read().body for _ in range(3)], [b"fixed"] * 3)
                connection.socket.shutdown(socket.SHUT_WR)
                self.assertEqual(connection.socket.recv(1), b"", "no answer more than requests")

    def test_the_floor_owes_nothing_to_a_client_that_reads_late(self):
        server = floor(self.place, {"hit": Answer(200, b"HTTP/1.1 200 OK\r\nContent-Length: 60000", b"x" * 60_000)}, core=None)
        with Connection(server.port) as connection:
            connection.socket.sendall(request("/") * 300)
            time.sleep(0.2)
            self.assertEqual({len(connection.read().body) for _ in range(300)}, {60_000})

    def test_the_floor_hangs_up_after_an_answer_where_it_is_to(self):
        server = floor(self.place, {"hit": ANSWER, "close": ANSWER}, core=None)
        with Connection(server.door("close")[1]) as connection:
            self.assertEqual(connection.exchange(request("/")).body, b"fixed")
            self.assertEqual(connection.socket.recv(1), b"")

    def test_cpu_time_and_end_of_a_process_include_what_it_has_started(self):
        busy = "import time\nend = time.time() + 30\nwhile time.time() < end: pass"
        parent = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {busy!r}])"
        process = self.place.start("parent", [sys.executable, "-c", parent])
        end = time.monotonic() + 20
        while process.cpu_nanoseconds() < 300_000_000 and time.monotonic() < end:
            time.sleep(0.02)
        self.assertGreater(process.cpu_nanoseconds(), 300_000_000)
        # The parent itself only waits.
        self.assertLess(cpu_nanoseconds(process.pid), 200_000_000)
        self.assertGreater(process.memory()[0], 4_000)

    def test_a_program_that_is_not_there_is_told_by_name(self):
        with self.assertRaisesRegex(BenchError, "perf can't be started: .*no-such-program"):
            self.place.start("perf", ["/no-such-program"])

    def test_all_is_gone_after_use(self):
        with Workplace(Path("/nowhere"), None) as place:
            process = place.start("sleeper", ["sleep", "60"])
            directory = place.directory
        self.assertIsNotNone(process.child.poll())
        self.assertFalse(directory.exists())
