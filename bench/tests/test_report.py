"""What the bench says of what it has measured."""

import tempfile
import unittest
from pathlib import Path

from bench import report, traffic
from bench.process import BenchError
from bench.requirements import Requirement


class Verdicts(unittest.TestCase):
    AT_MOST = Requirement("cpu", "rounds/hit/0", 0.75, 0.65)
    AT_LEAST = Requirement("times", "rounds/hit/0", 5, 10, is_least=True)

    def test_a_figure_reaches_the_goal_or_what_is_required_or_neither(self):
        for value, verdict in ((0.65, "goal"), (0.66, "required"), (0.75, "required"), (0.76, "missed")):
            self.assertEqual(self.AT_MOST.verdict({"rounds": {"hit": [value]}}), verdict)
        for value, verdict in ((10, "goal"), (9, "required"), (4.9, "missed")):
            self.assertEqual(self.AT_LEAST.verdict({"rounds": {"hit": [value]}}), verdict)

    def test_what_was_not_measured_is_not_reached(self):
        self.assertEqual(self.AT_MOST.verdict({"rounds": {}}), "not measured")
        self.assertEqual(self.AT_MOST.verdict({"rounds": {"hit": []}}), "not measured")


class Writing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = Path(folder.name) / "page.md"

    def test_tables_go_between_the_marks_again_and_again(self):
        self.page.write_text(f"# Page\n\n{report.BEGIN}\nold\n{report.END}\n\nrest\n")
        for text in ("first\n", "second\n"):
            report.write(self.page, text)
        self.assertEqual(self.page.read_text(), f"# Page\n\n{report.BEGIN}\n\nsecond\n\n{report.END}\n\nrest\n")

    def test_a_page_with_one_mark_stays_as_it_is(self):
        self.page.write_text(f"{report.BEGIN}\nold\n")
        with self.assertRaises(BenchError):
            report.write(self.page, "new\n")
        self.assertEqual(self.page.read_text(), f"{report.BEGIN}\nold\n")


def size(instances: int, refresh: float) -> dict:
    return {"instances": instances, "looks_per_instance_second": 1.0,
            "look": {"bytes_in": 200.0, "bytes_out": 400.0, "cpu_us": 1_000.0 / instances + 50},
            "refresh": {"bytes_in": refresh, "bytes_out": 0.0, "cpu_us": 1.0}}


class Costs(unittest.TestCase):
    SIZES = [size(1, 7_000.0), size(16, 67_000.0)]

    def test_a_refresh_costs_what_the_line_through_the_measured_sizes_says(self):
        self.assertEqual([traffic.refresh_bytes(self.SIZES, count) for count in (1, 2, 16)], [7_000, 11_000, 67_000])

    def test_redis_own_idling_is_no_cost_of_a_look(self):
        self.assertAlmostEqual(traffic.look_cpu(self.SIZES), 50)

    def test_bytes_of_a_point_are_those_of_its_looks_and_refreshes_or_those_counted(self):
        point = {"cache": "gateway", "looks": 10, "finishes": 2, "instances": 1}
        self.assertEqual(traffic.bytes_of(point, self.SIZES), 10 * 600 + 2 * 7_000)
        plain = {"cache": "own", "plain_bytes_in": 3, "plain_bytes_out": 4}
        self.assertEqual(traffic.bytes_of(plain, self.SIZES), 7)
