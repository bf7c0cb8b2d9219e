"""`python3 -m bench.flame PERF-SCRIPT-OUTPUT SVG [TITLE]`: draws a flame graph of what `perf script` has written."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

WIDTH, ROW, MARGIN = 1200, 17, 10
#: Narrower frames can neither be seen nor read.
LEAST_WIDTH = 0.4
CHARACTER = 6.6


@dataclass
class Frame:
    """A function in the place where it was called from, and how many samples were taken in it or below."""

    name: str
    samples: int = 0
    calls: dict[str, Frame] = field(default_factory=dict)

    def add(self, stack: list[str]) -> None:
        """One sample; the outermost caller first."""
        here = self
        here.samples += 1
        for name in stack:
            here = here.calls.setdefault(name, Frame(name))
            here.samples += 1

    @property
    def depth(self) -> int:
        return 1 + max((call.depth for call in self.calls.values()), default=0)


def stacks(lines: Iterable[str]) -> Iterable[list[str]]:
    """The stacks of `perf script`, the outermost caller first."""
    stack: list[str] = []
    for line in lines:
        if not line.strip():
            if stack:
                yield stack[::-1]
            stack = []
        elif found := re.match(r"\s+[0-9a-f]+ (.+?)(?:\+0x[0-9a-f]+)? \(([^()]*)\)\s*$", line):
            stack.append(short(found[1], found[2]))
    if stack:
        yield stack[::-1]


def short(name: str, module: str) -> str:
    """A name without what makes it too long to read: where it has none, that of its file."""
    if name == "[unknown]":
        return f"[{Path(module).name}]"
    name = re.sub(r"^(?:closure #\d+ (?:\([^)]*\) -> [^ ]+ )?in |specialized |merged |@objc )+", "", name)
    return re.sub(r"\(.*", "", name).strip() or name


def colour(name: str) -> str:
    """The kernel's in blue, our own in green, libraries in orange; a little different from one to the next."""
    shade = sum(name.encode()) % 40
    if re.match(r"(?:__x64_|__sys_|__do_|do_|sys_|tcp_|ip_|__tcp|__ip|sock_|inet_|_raw|ep_|__?napi|net_|skb|__|entry_|loopback"
                r"|dev_|sk_|vfs_|ksys|kmem|__alloc|copy_|asm_|nf_|process_backlog|release_sock|lock_sock|schedule|wait_"
                r"|select_task|try_to|enqueue|dequeue|update_|validate|x64_sys|security_|apparmor|import_)", name):
        return f"rgb({120 + shade},{165 + shade},{225 - shade // 2})"
    if "." in name:
        return f"rgb({120 + shade},{200 + shade // 2},{120 + shade})"
    return f"rgb(235,{160 + shade},{90 + shade // 2})"


def rectangles(frame: Frame, left: float, level: int, total: int, height: int) -> Iterable[str]:
    width = frame.samples / total * (WIDTH - 2 * MARGIN)
    if width < LEAST_WIDTH:
        return
    top = height - MARGIN - (level + 1) * ROW
    share = frame.samples / total
    room = int(width / CHARACTER)
    label = frame.name if len(frame.name) <= room else frame.name[:max(0, room - 1)] + "…"
    yield (f'<g><title>{escape(frame.name)}: {share:.1%} of {total:,} samples</title>'
           f'<rect x="{left:.1f}" y="{top}" width="{max(width - 0.3, 0.2):.1f}" height="{ROW - 1}"'
           f' fill="{colour(frame.name)}"/>'
           + (f'<text x="{left + 3:.1f}" y="{top + 12}">{escape(label)}</text>' if room >= 3 else "") + "</g>")
    for name in sorted(frame.calls):
        call = frame.calls[name]
        yield from rectangles(call, left, level + 1, total, height)
        left += call.samples / total * (WIDTH - 2 * MARGIN)


def svg(root: Frame, title: str) -> str:
    height = root.depth * ROW + 2 * MARGIN + 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" font-size="11">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fdfdfb"/>',
        f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-size="14">{escape(title)}</text>',
        *rectangles(root, MARGIN, 0, root.samples, height), "</svg>", ""])


def main(words: list[str]) -> int:
    if len(words) not in (2, 3):
        print("usage: python3 -m bench.flame PERF-SCRIPT-OUTPUT SVG [TITLE]", file=sys.stderr)
        return 64
    root = Frame("all")
    with open(words[0], errors="replace") as lines:
        for stack in stacks(lines):
            root.add(stack)
    if root.samples == 0:
        print(f"flame: there is no stack in {words[0]}", file=sys.stderr)
        return 1
    Path(words[1]).write_text(svg(root, words[2] if len(words) == 3 else "CPU time by stack"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
