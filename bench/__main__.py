"""`python3 -m bench`: what scripts/bench starts when all is built."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from pathlib import Path
from typing import NoReturn

from . import adoption, crowd, idle, machine, profile, report, starts, storm, traffic
from .process import BenchError
from .rounds import Rounds
from .servers import PEERS
from .workplace import Workplace
from .works import WORKS


def listed(known: list[str], what: str):
    """A reader of names with commas between, each of them known."""
    def read(text: str) -> list[str]:
        names = [name.strip() for name in text.split(",")]
        unknown = [name for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown {what} '{unknown[0]}': there are {', '.join(known)}")
        return names
    return read


def positive(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 999:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 999")
    return int(text)


class Arguments(argparse.ArgumentParser):
    """Ends as the project's commands do for a line that isn't understood."""

    def error(self, message: str) -> NoReturn:
        print(f"bench: {message}; see scripts/bench --help", file=sys.stderr)
        sys.exit(64)


def arguments(words: list[str]) -> argparse.Namespace:
    parts, works = list(report.PARTS), [work.name for work in WORKS]
    parser = Arguments(prog="bench", usage="see scripts/bench --help", allow_abbrev=False, add_help=False)
    parser.add_argument("--parts", type=listed(parts, "part"),
                        default=[part for part in parts if part != "profile"])
    parser.add_argument("--works", type=listed(works, "work"), default=works)
    parser.add_argument("--peers", type=listed(list(PEERS) + ["none"], "peer"), default=list(PEERS))
    parser.add_argument("--rounds", type=positive)
    parser.add_argument("--seconds", type=positive)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--markdown", type=Path)
    parser.add_argument("--flame", type=Path)
    parser.add_argument("--from", dest="source", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--binary", type=Path)
    parser.add_argument("--fxbench", type=Path)
    parser.add_argument("--static-binary", type=Path)
    options, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"unknown argument '{unknown[0]}'")
    if options.keep and not options.json:
        parser.error("--keep keeps what is in the file of --json")
    if not (options.source or options.binary or options.check):
        parser.error("what is measured is told with --binary; scripts/bench does")
    return options


def measure(place: Workplace, options: argparse.Namespace, results: dict[str, object], done) -> None:
    """Measures the parts in turn; `done` is called after each, so that what is measured isn't lost."""
    quick = options.quick
    peers = [name for name in options.peers if name != "none"]
    for part in options.parts:
        place.say(report.PARTS[part][0].lower())
        match part:
            case "rounds":
                works = [work for work in WORKS if work.name in options.works]
                first = len(place.processes)
                rounds = Rounds(place, works, peers)
                rounds.run(options.rounds or (3 if quick else 7), options.seconds or (1 if quick else 3))
                results[part] = rounds.json()
                place.stop_all(place.processes[first:])
            case "idle":
                results[part] = idle.measure(place, peers)
            case "starts":
                results[part] = starts.measure(place, 8 if quick else 40)
            case "adoption":
                results[part] = adoption.measure(place, 10, 50 if quick else 400)
            case "crowd":
                results[part] = crowd.measure(place, 3 if quick else 12)
            case "storm":
                results[part] = storm.measure(place, 4 if quick else 20)
            case "fleet":
                results[part] = traffic.measure(place, 4 if quick else 10, 20 if quick else 100, 120 if quick else 600)
            case "profile":
                results[part] = profile.measure(place, 5 if quick else 20, options.flame)
        done()


def main(words: list[str]) -> int:
    options = arguments(words)
    if options.check:
        return 0
    if options.source:
        results = json.loads(options.source.read_text())
    else:
        kept = options.keep and options.json.exists()
        results = json.loads(options.json.read_text()) if kept else {}
        earlier = results.get("machine", {}).get("commands", [])
        results["machine"] = machine.facts(options.binary) | {
            "commands": [*earlier, " ".join(["scripts/bench", told_words(words)]).strip()]}

        def done() -> None:
            if options.json:
                options.json.write_text(json.dumps(rounded(results), indent=1) + "\n")
        # Ends what was started in an orderly way, as Ctrl-C does.
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
        with Workplace(options.binary, options.fxbench, options.static_binary) as place:
            measure(place, options, results, done)
    text = report.markdown(results)
    if options.markdown:
        report.write(options.markdown, text)
    else:
        print(text)
    return 0


def rounded(value):
    """Figures without the digits that mean nothing."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    return [rounded(part) for part in value] if isinstance(value, list) else value


def told_words(words: list[str]) -> str:
    """The command line without what scripts/bench adds and where results go."""
    kept, skips = [], False
    for word in words:
        if skips:
            skips = False
        elif word in ("--binary", "--fxbench", "--static-binary", "--json", "--markdown", "--flame"):
            skips = True
        else:
            kept.append(word)
    return shlex.join(kept)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BenchError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
