#!/usr/bin/env python3
"""Runs the built tests in several processes at once, and prints what failed and what took long.

scripts/test calls it. One process runs one job: a single test where tests start fleets of their own, else one suite or a
handful of small ones. Every listed test has to report its end: a test that didn't run is a failure.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Each of these tests starts processes of its own and mostly waits for them.
ONE_BY_ONE = ("GatewayTests.FleetTests/",)

# These compare times or processor time within themselves: another job beside them would be part of what they measure.
ALONE = ("GatewayTests.FleetTests/Calm/", "GatewayTests.FleetTests/Streams/")

# Those that take longest begin first: whoever begins them last waits for them alone.
FIRST = (
    "GatewayTests.FleetTests/Dashboard/live",
    "GatewayTests.FleetTests/Dashboard/quiet",
    "CacheLayerTests.FleetMonthTests",
    "GatewayTests.CacheBusterTests",
    "GatewayTests.FleetTests/Limits/cooldown",
    "GatewayTests.FleetTests/SecretFaults/everyFault",
    "GatewayTests.FleetTests/Kill/",
    "GatewayTests.FleetTests/Dashboard/",
    "GatewayTests.FleetTests/History/",
    "GatewayTests.FleetTests/Machine/disk",
    "CacheLayerTests.StateMonthTests",
    "CacheLayerTests.NumberPropertyTests",
    "GatewayTests.FleetTests/",
    "CacheLayerTests.RedisFleetTests/",
)

# Suites beyond these share a process by so many.
BATCH = 8
# A job that takes longer hangs.
LONGEST = 600


class Job:
    """Tests that one process runs, one after the other."""

    def __init__(self, names):
        self.names = names
        self.tests = []
        self.seconds = 0.0
        self.durations = {}
        self.failure = None
        self.output = ""

    @property
    def title(self):
        return self.names[0] if len(self.names) == 1 else f"{self.names[0]} and {len(self.names) - 1} more"

    def is_in(self, prefixes):
        return self.names[0].startswith(prefixes)

    @property
    def rank(self):
        return next((place for place, name in enumerate(FIRST) if self.is_in(name)), len(FIRST))

    @property
    def pattern(self):
        """A Swift regular expression for exactly the tests below these names."""
        quoted = (re.sub(r"([.()+*?\[\]{}|^$\\])", r"\\\1", name) for name in self.names)
        return "^(" + "|".join(quoted) + ")(/|$)"


def jobs_of(tests):
    """The jobs, in the order in which they should begin."""
    suites = collections.OrderedDict()
    for test in tests:
        name = test if test.startswith(ONE_BY_ONE) else test.rpartition("/")[0]
        suites.setdefault(name, []).append(test)
    jobs, batch = [], None
    for name, members in suites.items():
        if name.startswith(FIRST + ALONE):
            job = Job([name])
            jobs.append(job)
        else:
            module = name.partition(".")[0]
            if batch is None or len(batch.names) == BATCH or not batch.names[0].startswith(module + "."):
                batch = Job([])
                jobs.append(batch)
            job = batch
            job.names.append(name)
        job.tests += members
    return sorted(jobs, key=lambda job: job.rank)


class Runner:
    """Runs jobs, a bounded number at once. Its methods may be called from any thread."""

    def __init__(self, binary, total):
        self.binary = binary
        self.total = total
        self.done = 0
        self.lock = threading.Lock()
        self.processes = set()
        self.is_stopped = False

    def run_all(self, jobs, width):
        waiting = queue.SimpleQueue()
        for job in jobs:
            waiting.put(job)

        def work():
            while not self.is_stopped:
                try:
                    self.run(waiting.get_nowait())
                except queue.Empty:
                    return

        workers = [threading.Thread(target=work) for _ in range(width)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def run(self, job):
        with tempfile.TemporaryDirectory(prefix="fxgw-tests-") as folder:
            events, output = pathlib.Path(folder, "events"), pathlib.Path(folder, "output")
            began = time.monotonic()
            with output.open("wb") as sink, self.lock:
                if self.is_stopped:
                    return
                process = subprocess.Popen(
                    [self.binary, "--testing-library", "swift-testing", "--no-parallel",
                     "--event-stream-output-path", str(events), "--filter", job.pattern],
                    stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.STDOUT, start_new_session=True)
                self.processes.add(process)
            try:
                status = process.wait(LONGEST)
            except subprocess.TimeoutExpired:
                end(process)
                status = None
            with self.lock:
                self.processes.discard(process)
            job.seconds = time.monotonic() - began
            job.output = output.read_text(errors="replace")
            job.durations = durations_in(events)
        missing = [test for test in job.tests if test not in job.durations]
        if status is None:
            job.failure = f"ended after {LONGEST} s; not ended by then: {', '.join(missing)}"
        elif status != 0:
            job.failure = f"failed (status {status})"
        elif missing:
            job.failure = f"did not run: {', '.join(missing)}"
        self.report(job)

    def report(self, job):
        with self.lock:
            self.done += 1
            mark = "✘" if job.failure else "✔"
            print(f"{mark} [{self.done}/{self.total}] {job.title}: {len(job.tests)} tests, {job.seconds:.1f} s", flush=True)
            if job.failure:
                print(job.output, flush=True)

    def stop(self, *_):
        self.is_stopped = True
        for process in list(self.processes):
            threading.Thread(target=end, args=(process,)).start()


def end(process):
    """Interrupts a test process, so that it ends the servers it started; kills it where that doesn't help."""
    for number in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(10)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            return


def durations_in(events):
    """Seconds of each test that has ended, by its identifier, from swift-testing's event stream."""
    begun, durations = {}, {}
    for line in events.read_text().splitlines() if events.exists() else []:
        try:
            payload = json.loads(line)["payload"]
            kind, name = payload["kind"], payload["testID"]
        except (ValueError, KeyError):
            continue
        test = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", name)
        moment = payload["instant"]["absolute"]
        if kind == "testStarted":
            begun[test] = moment
        elif kind in ("testEnded", "testSkipped"):
            durations[test] = moment - begun.get(test, moment)
    return durations


def listed(binary):
    """The identifiers of all tests that the binary has."""
    listing = subprocess.run(
        [binary, "--testing-library", "swift-testing", "--list-tests"],
        capture_output=True, text=True, timeout=120, check=True)
    return [line for line in listing.stdout.splitlines() if line]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--skip", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=max(4, 2 * (os.cpu_count() or 1)))
    parser.add_argument("--slowest", type=int, default=0)
    arguments = parser.parse_args()
    tests = listed(arguments.binary)
    if arguments.filter:
        tests = [test for test in tests if any(re.search(text, test) for text in arguments.filter)]
    tests = [test for test in tests if not any(re.search(text, test) for text in arguments.skip)]
    if not tests:
        sys.exit("test: no test has such a name")
    jobs = jobs_of(tests)
    runner = Runner(arguments.binary, len(jobs))
    signal.signal(signal.SIGINT, runner.stop)
    signal.signal(signal.SIGTERM, runner.stop)
    began = time.monotonic()
    runner.run_all([job for job in jobs if not job.is_in(ALONE)], arguments.jobs)
    runner.run_all([job for job in jobs if job.is_in(ALONE)], 1)
    took = time.monotonic() - began
    if arguments.slowest:
        print(f"test: the {arguments.slowest} slowest tests, in seconds")
        durations = {test: seconds for job in jobs for test, seconds in job.durations.items() if test in set(job.tests)}
        for test, seconds in sorted(durations.items(), key=lambda pair: -pair[1])[:arguments.slowest]:
            print(f"{seconds:8.1f}  {test}")
    if runner.is_stopped:
        sys.exit(130)
    failed = [job for job in jobs if job.failure]
    if failed:
        # Nobody scrolls back in a log: what went wrong is said again at the end.
        print("test: what went wrong, again:")
    for job in failed:
        print(f"✘ {job.title}: {job.failure}")
        issues = [line for line in job.output.splitlines() if re.search(r"recorded an issue|^error: |Fatal error: |^↳ ", line)]
        print("\n".join(issues[:20]))
    print(f"test: {len(tests)} tests in {len(jobs)} jobs, {len(failed)} jobs failed, {took:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
