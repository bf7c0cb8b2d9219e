#!/usr/bin/env python3
"""Runs the built tests in several processes at once, and prints what failed and what took long.

scripts/test calls it. One process runs one job: a single test where tests start fleets of their own, otherwise one suite
or a handful of small ones. Every selected test has to report its end: a test that did not run is a failure.
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

# These measure latency or processor time: another job beside them would distort the figures.
ALONE = (
    "GatewayTests.FleetTests/Calm/",
    "GatewayTests.FleetTests/Streams/",
    "CacheLayerTests.StoreLargeTests",
)

# The longest begin first, so that none of them is left to run on its own at the end.
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

# How many of the other names share a process.
BATCH = 8
# Seconds after which a job counts as hung and is ended.
LONGEST = 600


class Job:
    """Tests that one process runs, one after the other."""

    def __init__(self):
        self.names = []
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
        """A Swift regular expression that matches these tests and suites, and no longer name that begins like one."""
        quoted = (re.sub(r"([.()+*?\[\]{}|^$\\])", r"\\\1", name) for name in self.names)
        return "^(" + "|".join(quoted) + ")(/|$)"


def jobs_of(selected, listed):
    """The jobs that run the selected ones of all listed tests, in the order in which they should begin.

    A suite is named as a whole only if all of it is selected: a name selects everything below it.
    """
    suites = collections.OrderedDict()
    for test in selected:
        name = test if test.startswith(ONE_BY_ONE) else suite_of(test)
        suites.setdefault(name, []).append(test)
    sizes = collections.Counter(name for test in listed for name in names_above(test))
    jobs, batch = [], None
    for name, members in suites.items():
        names = [name] if name in members or sizes[name] == len(members) else members
        if name.startswith(FIRST + ALONE):
            job = Job()
            jobs.append(job)
        else:
            module = name.partition(".")[0]
            if batch is None or len(batch.names) >= BATCH or not batch.names[0].startswith(module + "."):
                batch = Job()
                jobs.append(batch)
            job = batch
        job.names += names
        job.tests += members
    return sorted(jobs, key=lambda job: job.rank)


def suite_of(test):
    return test.rpartition("/")[0]


def names_above(test):
    """The suites that contain a test, the innermost first."""
    while test := suite_of(test):
        yield test


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
            if self.is_stopped:
                end(process)
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
            job.failure = f"hung: ended after {LONGEST} s, with these tests unfinished: {', '.join(missing)}"
        elif status != 0:
            job.failure = f"failed (status {status})"
        elif missing:
            job.failure = f"did not run: {', '.join(missing)}"
        self.report(job)

    def report(self, job):
        with self.lock:
            self.done += 1
            mark = "✘" if job.failure else "✔"
            count = f"{len(job.tests)} test{'' if len(job.tests) == 1 else 's'}"
            print(f"{mark} [{self.done}/{self.total}] {job.title}: {count}, {job.seconds:.1f} s", flush=True)
            if job.failure:
                print(job.output, flush=True)

    def stop(self, *_):
        """Ends all jobs. A job that begins at this moment ends itself."""
        self.is_stopped = True
        for process in list(self.processes):
            threading.Thread(target=end, args=(process,)).start()


def end(process):
    """Interrupts a test process and what it started in its group; kills them if they do not end."""
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


def issues_in(output):
    """What a failed job reported: each issue with the lines of detail below it, and fatal errors."""
    found, is_below_issue = [], False
    for line in output.splitlines():
        is_issue = re.search(r"recorded an issue|^error: |Fatal error: ", line) is not None
        is_below_issue = is_issue or is_below_issue and line.startswith("↳ ")
        if is_below_issue:
            found.append(line)
    return found


def selection(listed, filters, skips):
    """The tests that match a filter, if there are filters, and no skip."""
    return [
        test for test in listed
        if (not filters or any(re.search(text, test) for text in filters))
        and not any(re.search(text, test) for text in skips)]


def tests_of(binary):
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
    listed = tests_of(arguments.binary)
    try:
        tests = selection(listed, arguments.filter, arguments.skip)
    except re.error as error:
        sys.exit(f"test: --filter and --skip take regular expressions; '{error.pattern}' is not one: {error.msg}")
    if not tests:
        sys.exit("test: no test matches --filter and --skip")
    jobs = jobs_of(tests, listed)
    runner = Runner(arguments.binary, len(jobs))
    signal.signal(signal.SIGINT, runner.stop)
    signal.signal(signal.SIGTERM, runner.stop)
    began = time.monotonic()
    runner.run_all([job for job in jobs if not job.is_in(ALONE)], arguments.jobs)
    runner.run_all([job for job in jobs if job.is_in(ALONE)], 1)
    took = time.monotonic() - began
    if arguments.slowest:
        print(f"test: the {arguments.slowest} slowest tests, in seconds")
        durations = {test: job.durations[test] for job in jobs for test in job.tests if test in job.durations}
        for test, seconds in sorted(durations.items(), key=lambda pair: -pair[1])[:arguments.slowest]:
            print(f"{seconds:8.1f}  {test}")
    if runner.is_stopped:
        sys.exit(130)
    failed = [job for job in jobs if job.failure]
    # Repeated, so that nobody has to search the log for it.
    for job in failed:
        print("\n".join([f"✘ {job.title}: {job.failure}"] + issues_in(job.output)[:20]))
    print(f"test: {len(tests)} tests in {len(jobs)} jobs, {len(failed)} jobs failed, {took:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
