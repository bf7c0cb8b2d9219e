"""What the bench reads off wrk, off the wire and off perf."""

import unittest

from bench import flame
from bench.figures import Spread, percentile, ratios
from bench.http import parse
from bench.process import BenchError
from bench.wrk import WrkReport

REPORT = """Running 3s test @ http://127.0.0.1:8080/
  1 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     1.12ms    2.48ms  46.94ms   95.20%
    Req/Sec    73.11k     5.50k   82.06k    70.00%
  Latency Distribution
     50%  762.00us
     75%    0.95ms
     90%    1.68ms
     99%   11.02ms
  218210 requests in 3.00s, 142.13MB read
{errors}Requests/sec:  72727.05
Transfer/sec:     47.37MB
"""


class Wrk(unittest.TestCase):
    def test_a_report_is_read_with_its_units(self):
        report = WrkReport.read(REPORT.format(errors=""))
        self.assertEqual((report.requests, report.per_second), (218_210, 72_727.05))
        self.assertEqual((report.p50_us, report.p99_us, report.wrong), (762.0, 11_020.0, 0))

    def test_wrong_answers_and_broken_connections_are_counted(self):
        errors = "  Socket errors: connect 1, read 2, write 3, timeout 4\n  Non-2xx or 3xx responses: 50\n"
        self.assertEqual(WrkReport.read(REPORT.format(errors=errors)).wrong, 60)

    def test_another_text_is_refused(self):
        with self.assertRaises(BenchError):
            WrkReport.read("unable to connect to 127.0.0.1:8080 Connection refused")


class Figures(unittest.TestCase):
    def test_a_percentile_is_a_value_that_was_measured(self):
        values = [float(number) for number in range(1, 101)]
        self.assertEqual([percentile(values, share) for share in (50, 99, 99.9)], [50, 99, 100])
        self.assertEqual(percentile([7.0], 50), 7.0)

    def test_ratios_are_of_the_same_round(self):
        # Both are twice as slow in the second round: the ratio is the same.
        self.assertEqual(ratios([1.0, 2.0], [2.0, 4.0]), Spread(0.5, 0.5, 0.5, 2))
        with self.assertRaises(ValueError):
            ratios([1.0], [2.0, 4.0])


class Answers(unittest.TestCase):
    WIRE = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nETag: \"x\"\r\n\r\nbody"

    def test_an_answer_is_whole_only_with_its_last_byte(self):
        for cut in range(len(self.WIRE)):
            self.assertIsNone(parse(self.WIRE[:cut]), cut)
        answer, rest = parse(self.WIRE + b"HTTP")
        self.assertEqual((answer.status, answer.body, answer.field("etag"), rest), (200, b"body", '"x"', b"HTTP"))
        self.assertEqual(answer.wire, self.WIRE)

    def test_a_304_has_no_body_whatever_its_length_says(self):
        answer, rest = parse(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 675\r\n\r\n")
        self.assertEqual((answer.status, answer.body, rest), (304, b"", b""))


class Flame(unittest.TestCase):
    PERF = """fxgateway 1 1.0: 250000 cpu-clock:
\t    55d1 specialized HTTPConnection.read() (/x/fxgateway)
\t    55d2 EventLoop.run(until: Int)+0x1f (/x/fxgateway)

fxgateway 1 1.1: 250000 cpu-clock:
\tffffffff81 tcp_sendmsg+0x10 ([kernel.kallsyms])
\t    55d1 specialized HTTPConnection.read() (/x/fxgateway)
\t    55d2 EventLoop.run(until: Int)+0x1f (/x/fxgateway)
"""

    def test_stacks_are_folded_from_the_outermost_caller(self):
        root = flame.Frame("all")
        for stack in flame.stacks(self.PERF.splitlines()):
            root.add(stack)
        self.assertEqual((root.samples, root.depth), (2, 4))
        loop = root.calls["EventLoop.run"]
        read = loop.calls["HTTPConnection.read"]
        self.assertEqual((loop.samples, read.samples, read.calls["tcp_sendmsg"].samples), (2, 2, 1))
        drawn = flame.svg(root, "a < b")
        self.assertIn("tcp_sendmsg: 50.0% of 2 samples", drawn)
        self.assertIn("a &lt; b", drawn)
