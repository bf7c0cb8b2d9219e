"""Tests of Tests/run.py: which tests a job runs, and what is read from a test process."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from Tests import run

LISTED = [
    "GatewayTests.RouteTests/path()",
    "GatewayTests.RouteTests/query(text:)",
    "GatewayTests.RouteTestsOfOld/path()",
    "GatewayTests.Outer/first()",
    "GatewayTests.Outer/Inner/second()",
    "GatewayTests.FleetTests/Kill/killed(at:)",
    "GatewayTests.FleetTests/Kill/killedWithLimit()",
    "CacheLayerTests.NumberTests/sum()",
]

# Stands in for the test binary: lists one test, and that test waits until somebody ends it.
WAITING = """#!/usr/bin/env bash
case "$*" in
    *--list-tests*) echo 'Module.Suite/test()' ;;
    *) echo $$ >"$0.pid"; sleep 60 ;;
esac
"""


def tests_run_by(job):
    """What the job's pattern matches, as swift-testing names tests: with their place in the sources."""
    return [test for test in LISTED if re.search(job.pattern, f"{test}/Some.swift:1:1")]


class JobTests(unittest.TestCase):
    def assert_exact(self, selected):
        jobs = run.jobs_of(selected, LISTED)
        self.assertEqual(sorted(test for job in jobs for test in tests_run_by(job)), sorted(selected))
        for job in jobs:
            self.assertEqual(sorted(job.tests), sorted(tests_run_by(job)))

    def test_all_tests_run_once(self):
        self.assert_exact(LISTED)

    def test_one_test_of_a_suite_runs_without_the_others(self):
        for test in LISTED:
            self.assert_exact([test])

    def test_a_skipped_test_does_not_run_with_the_rest_of_its_suite(self):
        for skipped in LISTED:
            self.assert_exact([test for test in LISTED if test != skipped])

    def test_a_whole_suite_is_named_once(self):
        jobs = run.jobs_of(LISTED[:2], LISTED)
        self.assertEqual([job.names for job in jobs], [["GatewayTests.RouteTests"]])

    def test_each_fleet_test_has_its_own_process(self):
        jobs = run.jobs_of(LISTED, LISTED)
        fleets = [job.tests for job in jobs if "FleetTests" in job.title]
        self.assertEqual(sorted(fleets), [[LISTED[5]], [LISTED[6]]])

    def test_the_longest_begin_first(self):
        jobs = run.jobs_of(list(reversed(LISTED)), LISTED)
        self.assertIn("FleetTests/Kill", jobs[0].title)

    def test_a_filter_selects_and_a_skip_removes(self):
        self.assertEqual(
            run.selection(LISTED, [r"\.RouteTests/", "Kill"], ["query", "Limit"]),
            ["GatewayTests.RouteTests/path()", "GatewayTests.FleetTests/Kill/killed(at:)"])


class OutputTests(unittest.TestCase):
    def test_durations_come_from_the_ends_of_tests(self):
        def event(kind, test, moment):
            return json.dumps({"payload": {"kind": kind, "testID": test, "instant": {"absolute": moment}}})

        with tempfile.TemporaryDirectory() as folder:
            events = pathlib.Path(folder, "events")
            events.write_text("\n".join([
                event("testStarted", "M.S/a()/S.swift:3:4", 2.0), event("testStarted", "M.S/b()/S.swift:9:4", 2.5),
                event("testEnded", "M.S/a()/S.swift:3:4", 5.0), '{"payload": {"kind": "testSta']))
            self.assertEqual(run.durations_in(events), {"M.S/a()": 3.0})

    def test_issues_are_kept_with_their_details_and_nothing_else_is(self):
        output = "↳ Testing Library Version: 6\n✘ Test a recorded an issue at S.swift:1:1\n↳ why\n✘ Test a failed\n↳ /// x\n"
        self.assertEqual(run.issues_in(output), ["✘ Test a recorded an issue at S.swift:1:1", "↳ why"])


class StopTests(unittest.TestCase):
    def test_a_signal_ends_the_running_tests(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with tempfile.TemporaryDirectory() as folder:
                binary = pathlib.Path(folder, "tests")
                binary.write_text(WAITING)
                binary.chmod(0o755)
                runner = subprocess.Popen(
                    [sys.executable, run.__file__, str(binary)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                number_file = pathlib.Path(f"{binary}.pid")
                self.assertTrue(eventually(lambda: number_file.exists() and number_file.read_text().strip()))
                runner.send_signal(number)
                self.assertEqual(runner.wait(30), 130)
                with self.assertRaises(ProcessLookupError):
                    os.killpg(int(number_file.read_text()), 0)


def eventually(condition):
    """Whether the condition holds within half a minute."""
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


if __name__ == "__main__":
    unittest.main()
