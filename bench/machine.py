"""What the figures are of."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path


def first_line(*command: str) -> str:
    """The first line that a command says, on either channel; empty where there is no such command."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except OSError:
        return ""
    return ((done.stdout + done.stderr).strip().splitlines() or [""])[0]


def version(text: str) -> str:
    found = re.search(r"\d+(\.\d+)+", text)
    return found[0] if found else "absent"


def facts(binary: Path) -> dict[str, object]:
    model = next((line.partition(":")[2].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    system = next((line.partition("=")[2].strip('"') for line in Path("/etc/os-release").read_text().splitlines()
                   if line.startswith("PRETTY_NAME=")), platform.system())
    return {
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "processor": model, "cores": os.cpu_count(), "kernel": platform.release(), "system": system,
        "load_before": round(os.getloadavg()[0], 2),
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "versions": {
            "gateway": version(first_line(str(binary), "version")),
            "swift": version(first_line("swift", "--version")),
            "wrk": version(first_line("wrk", "-v")),
            "nginx": version(first_line("/usr/sbin/nginx", "-v")),
            "haproxy": version(first_line("/usr/sbin/haproxy", "-v")),
            "varnish": version(first_line("/usr/sbin/varnishd", "-V")),
            "redis": version(first_line("redis-server", "--version")),
        },
    }
