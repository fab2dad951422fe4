"""What every gate under load needs: its servers, the verdict as one JSON line, the exit code."""

import contextlib
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import process
import servers


def say(text):
    print(f"gate: {text}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def contestants(home, port):
    """The servers of scripts/bench, the first on `port`; their files go at the end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped
    folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-gate."))
    try:
        yield servers.Servers(pathlib.Path(home), folder, port - 1)
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def running(*contestants):
    try:
        for server in contestants:
            say(f"starting {server.name}")
            server.start()
        yield
    finally:
        for server in contestants:
            server.stop()


def growth(before, after):
    """In percent; a thing that was not there has grown without bound."""
    if before:
        return (after - before) / before * 100
    return 0.0 if after <= before else float("inf")


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else sum(ordered[middle - 1 : middle + 1]) / 2


def h2load(*arguments):
    """Runs h2load to its end; how many requests were answered with a 2xx, and how many were not."""
    done = subprocess.run(["h2load", *map(str, arguments)], capture_output=True, text=True, check=False)
    return counts(done.stdout)


def counts(report):
    """Good and bad requests in what h2load has printed."""
    total = re.search(r"requests: (\d+) total", report)
    good = re.search(r"status codes: (\d+) 2xx", report)
    if not total or not good:
        raise SystemExit(f"gate: h2load did not finish:\n{report[-2000:]}")
    return int(good[1]), int(total[1]) - int(good[1])


def descriptors(pid):
    return sum(len(os.listdir(f"/proc/{each}/fd")) for each in process.tree(pid))


def conclude(gate, reasons, limits, figures):
    """Prints the line and ends the process: 0 PASS, 1 FAIL."""
    for reason in reasons:
        say(reason)
    say("FAIL" if reasons else "PASS")
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    line = {
        "gate": gate,
        "verdict": "FAIL" if reasons else "PASS",
        "reasons": reasons,
        "limits": limits,
        "figures": figures,
        "machine": {
            "cores": os.cpu_count(),
            "processor": model[1] if model else platform.machine(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
            "kernel": f"{platform.system()} {platform.release()}",
        },
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
    }
    print(json.dumps(line, separators=(",", ":")))
    sys.exit(1 if reasons else 0)
