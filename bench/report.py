"""The results as Markdown: what stands in docs/performance.md between its two marks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .process import BenchError
from .requirements import REQUIREMENTS
from .servers import PEERS

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NAMES = {"gateway": "gateway", "floor": "bare epoll loop", "nginx tuned": "nginx, tuned", "nginx default": "nginx",
         "haproxy": "HAProxy", "varnish": "Varnish"}
CACHES = {"gateway": "gateways", "own": "own caches", "shared": "shared cache",
          "sharedUnjoined": "shared cache, misses not joined"}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def number(value: float, digits: int = 0) -> str:
    return f"{value:,.{digits}f}"


def spread(values: dict[str, float], digits: int = 2) -> str:
    """Median, and from the least to the most."""
    return f"{values['median']:.{digits}f} ({values['least']:.{digits}f} to {values['most']:.{digits}f})"


def machine(facts: dict) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items() if version != "absent")
    return (f"{facts['cores']} cores of {facts['processor']}, Linux {facts['kernel']}, {facts['system']}; {versions};"
            f" commit {facts['commit']}, {facts['at']}, load before it {facts['load_before']}.\n"
            f"Command: {', then '.join(f'`{command}`' for command in facts['commands'])}.\n")


def rounds(part: dict) -> str:
    names = ["gateway", "floor", *PEERS]
    works = {key: work for key, work in part.items() if isinstance(work, dict) and "servers" in work}
    present = [name for name in names if any(name in work["servers"] for work in works.values())]
    any_cell = next(iter(next(iter(works.values()))["servers"].values()))
    text = [f"CPU time of the server for one request in µs: median of {any_cell['cpu_us_per_request']['rounds']} rounds,"
            f" and from the least to the most. The answer of 3 symbols has {part['answer_bytes']['hit']} bytes on the wire,"
            f" {part['body_bytes']['hit']} of them its body; the whole table {part['answer_bytes']['table']} and"
            f" {part['body_bytes']['table']}.\n",
            table(["work", *(NAMES[name] for name in present)], (
                [work["title"], *(spread(work["servers"][name]["cpu_us_per_request"]) if name in work["servers"] else "-"
                                  for name in present)] for work in works.values())),
            "The gateway's CPU to the others', round by round: what is under 1 is less work.\n",
            table(["work", *(f"to {NAMES[name]}" for name in present[1:]), "to the hit"], (
                [work["title"], *(spread(work["gateway_to"][name]) if name in work["gateway_to"] else "-"
                                  for name in present[1:]),
                 spread(work["to_hit"]) if work["to_hit"] else "-"] for work in works.values())),
            "Requests per second and latency as wrk saw them (medians); the machine's other work is in them.\n",
            table(["work", *(f"{NAMES[name]}: req/s, p50, p99" for name in present)], (
                [work["title"], *(wall(work["servers"][name]) if name in work["servers"] else "-" for name in present)]
                for work in works.values()))]
    return "\n".join(text)


def wall(cell: dict) -> str:
    def latency(values: dict) -> str:
        # wrk says zero where it has had too few answers.
        return f"{number(values['median'])} µs" if values["median"] > 0 else "-"
    return (f"{number(cell['requests_per_second']['median'])}, {latency(cell['latency_p50_us'])},"
            f" {latency(cell['latency_p99_us'])}")


def idle(part: dict) -> str:
    counts = [reading["connections"] for reading in part["gateway"]["readings"]]
    return ("KiB resident, and of them anonymous, with so many idle connections that have asked once.\n\n"
            + table(["server", *(f"{count:,}" for count in counts), "bytes each"], (
                [NAMES[name], *(f"{reading['resident_kib']:,} / {reading['anonymous_kib']:,}"
                                for reading in server["readings"]), number(server["bytes_per_connection"])]
                for name, server in part.items())))


def starts(part: dict) -> str:
    return ("From exec to the first 200 of `/readyz`, in ms.\n\n"
            + table(["program", "warm Redis", "CPU until then", "empty Redis", "size"], (
                [name, spread(values["warm_ms"], 0), spread(values["warm_cpu_ms"], 0),
                 spread(values["cold_ms"], 0) if "cold_ms" in values else "-",
                 f"{values['program_bytes'] / 1_048_576:.1f} MiB"] for name, values in part.items())))


def adoption(part: dict) -> str:
    return (f"{part['instances']} instances, {part['publications']} publications: from the event on Redis's channel to the"
            " first answer from the new snapshot, in ms.\n\n"
            + table(["", "p50", "p90", "p99", "longest"], (
                [title, *(number(part[key][share], 1) for share in ("p50", "p90", "p99", "most"))]
                for title, key in (("each instance", "each_ms"), ("the last of all", "last_ms")))))


def crowd(part: dict) -> str:
    def row(values: dict) -> list[str]:
        return [number(values["requests"]), str(values["instances"]), f"{values['upstream_ms']} ms",
                ", ".join(map(str, values["upstream_calls"])), str(values["other_than_200"]),
                *(f"{values['over_upstream_ms'][share]:.1f} ms" for share in ("p50", "p99", "most")),
                f"{spread(values['cpu_us_per_request'], 1)} µs"]
    return ("All ask at once what no instance has; every one of them waits for the fleet's one fetch.\n\n"
            + table(["requests", "instances", "upstream's time", "calls to upstream, each time", "other than 200",
                     "beyond upstream's time: p50", "p99", "longest", "CPU a request"],
                    (row(values) for values in part.values())))


def storm(part: dict) -> str:
    def row(name: str, place: str) -> list[str]:
        values = part[name][place]
        times = ", ".join(map(str, values.get("times", []))) or "-"
        return [f"{name}, {place}" if place != "undisturbed" else "undisturbed", times, number(values["requests"]),
                *(number(values[share], 2) for share in ("p50_ms", "p99_ms", "p99_9_ms", "most_ms"))]
    names = [name for name in part if name != "per_second"]
    return (f"{part['per_second']:,} requests a second to one gateway, latency in ms from when each was due. *Here* disturbs"
            " that gateway, *elsewhere* another fleet on the same two cores.\n\n"
            + table(["", "times", "requests", "p50", "p99", "p99.9", "longest"], (
                row(name, place) for name in names for place in ("undisturbed", "elsewhere", "here"))))


def fleet(part: dict) -> str:
    sizes = table(["instances", "a look: bytes", "a refresh: commands", "bytes", "Redis's CPU",
                   "requests of a load", "commands beyond looks", "calls"], (
        [str(size["instances"]), number(size["look"]["bytes_in"] + size["look"]["bytes_out"]),
         number(size["refresh"]["commands"], 1),
         number(size["refresh"]["bytes_in"] + size["refresh"]["bytes_out"]), f"{size['refresh']['cpu_us']:.0f} µs",
         number(size["load"]["requests"]), number(size["load"]["commands_beyond_looks"]),
         str(size["load"]["upstream_calls"])] for size in part["sizes"]))
    instances = sorted({point["instances"] for point in part["sweep"]})
    clients = sorted({point["clients"] for point in part["sweep"]})
    found = {(point["cache"], point["instances"], point["clients"]): point for point in part["sweep"]}
    lifetimes = part["sweep"][0]["seconds"] / 60

    def sweep(title: str, value) -> str:
        rows: list[tuple[str, list[int], list[str]]] = []
        for cache in CACHES:
            for count in clients:
                values = [value(found[cache, size, count]) for size in instances]
                if rows and rows[-1][0] == CACHES[cache] and rows[-1][2] == values:
                    rows[-1][1].append(count)
                else:
                    rows.append((CACHES[cache], [count], values))
        head = ["", "clients", *(f"{size} instance{'s' if size > 1 else ''}" for size in instances)]
        return title + "\n\n" + table(head, ([name, span(counts), *values] for name, counts, values in rows))

    return "\n".join([
        f"Real processes and a real Redis, whose CPU for a look is {part['look_cpu_us']:.0f} µs (what a further instance"
        " adds to a quiet fleet's):\n", sizes,
        sweep("Calls to upstream in a lifetime of 60 s:", lambda point: number(point["upstream_calls"] / lifetimes, 1)),
        sweep("Requests that wait for upstream, of a million:",
              lambda point: number(point["waited"] * 1e6 / point["requests"])),
        sweep("Calls to upstream for a million requests:",
              lambda point: number(point["upstream_calls"] * 1e6 / point["requests"])),
        sweep("Commands to Redis for a million requests:",
              lambda point: number(point["commands"] * 1e6 / point["requests"])),
        sweep("Bytes to and from Redis in a lifetime, in KiB:",
              lambda point: number(point["redis_bytes"] / 1024 / lifetimes))])


def profile(part: dict) -> str:
    shares = sorted(part["shares"].items(), key=lambda item: -item[1])
    return (f"Of {part['samples']:,} samples of a gateway that answers hits of 3 symbols:\n\n"
            + table(["in", "share"], ([name, f"{share:.1%}"] for name, share in shares))
            + "\nThe program's own, by function:\n\n"
            + table(["function", "share of all"], ([f"`{name}`", f"{share:.1%}"] for name, share in part["own"].items())))


def span(counts: list[int]) -> str:
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def requirements(results: dict) -> str:
    def row(wanted) -> list[str]:
        value = wanted.value(results)
        sign = ">=" if wanted.is_least else "<="
        unit = f" {wanted.unit}" if wanted.unit else ""
        digits = 2 if wanted.required < 2 and not unit else 1 if wanted.required < 100 else 0
        return [wanted.title, f"{sign} {wanted.required:,g}{unit}", f"{wanted.goal:,g}{unit}" if wanted.goal else "-",
                "-" if value is None else f"{value:,.{digits}f}{unit}", wanted.verdict(results)]
    return table(["", "required", "goal", "measured", "reached"], (row(wanted) for wanted in REQUIREMENTS))


PARTS = {"rounds": ("One gateway beside its peers", rounds), "idle": ("Idle connections", idle),
         "starts": ("Start", starts), "adoption": ("From publication to adoption", adoption),
         "crowd": ("Cold crowds", crowd), "storm": ("Hot answers in a storm", storm),
         "fleet": ("What a fleet asks of upstream and Redis", fleet), "profile": ("Where the time of a hit goes", profile)}


def markdown(results: dict) -> str:
    sections = [machine(results["machine"]), "### What was set out to be reached\n", requirements(results)]
    for name, (title, tell) in PARTS.items():
        if name in results:
            sections += [f"### {title}\n", tell(results[name])]
    return "\n".join(sections)


def write(path: Path, text: str) -> None:
    """Into the file; where it has the two marks, between them."""
    old = path.read_text() if path.exists() else ""
    if BEGIN in old:
        head, _, rest = old.partition(BEGIN)
        _, found, tail = rest.partition(END)
        if not found:
            raise BenchError(f"{path} has the mark '{BEGIN}' and not '{END}'")
        text = f"{head}{BEGIN}\n\n{text}\n{END}{tail}"
    path.write_text(text)
