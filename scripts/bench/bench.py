"""The run: starts, idle memory, then alternating rounds of load. See scripts/bench.sh."""

import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import process
import servers

BODY = b"Hello from Roost\n"
QUIET_SECONDS = 5
# No further start of a server whose starts have taken this long: a busy machine must not make the run
# endless.
STARTS_SECONDS_MAX = 15
PORT = 19543
PROTOCOLS = {"HTTP/1.1": ["--h1"], "HTTP/2": []}


def setting(name, default):
    return int(os.environ.get(f"ROOST_BENCH_{name}", default))


ROUNDS = setting("ROUNDS", 3)
SECONDS = setting("SECONDS", 3)
WARM_UP = setting("WARM_UP", 15)
STARTS = setting("STARTS", 3)
CLIENTS = setting("CLIENTS", 32)
STREAMS = setting("STREAMS", 8)


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def h2load_command(protocol, seconds, port):
    streams = ["-m", str(STREAMS if protocol == "HTTP/2" else 1)]
    return (
        ["h2load", *PROTOCOLS[protocol], "-t", "1", "-c", str(CLIENTS), *streams]
        + ["-D", str(seconds), f"https://127.0.0.1:{port}/"]
    )


def load(server, protocol, seconds):
    """Runs h2load once: requests per second, and server CPU time for each request. The handshakes of
    its few connections are part of both, the same for every server."""
    pid = server.running.pid
    before = process.cpu_seconds(pid)
    done = subprocess.run(
        h2load_command(protocol, seconds, server.port),
        capture_output=True,
        text=True,
        timeout=seconds + 30,
        check=True,
    )
    cpu = process.cpu_seconds(pid) - before
    counts = re.search(
        r"(\d+) done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", done.stdout
    )
    good = re.search(r"status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx", done.stdout)
    succeeded, failed = int(counts[2]), int(counts[3])
    if failed or not succeeded or not good:
        raise SystemExit(f"bench: {server.name} failed under {protocol}:\n{done.stdout}")
    return {
        "requests": succeeded,
        "requests_per_second": succeeded / seconds,
        "cpu_microseconds_per_request": cpu * 1e6 / succeeded,
    }


def measure_starts(contestants, record):
    """Starts each server several times, one after the other; leaves it running the last time, and
    reads its memory when it has been quiet."""
    for server in contestants:
        spent, count = 0.0, 0
        while count < STARTS and spent < STARTS_SECONDS_MAX:
            server.stop()
            start = server.start()
            record(server, "start", **start, first=count == 0)
            spent += start["wall_seconds"]
            count += 1
        if server.loaded and process.body_of(server.port) != BODY:
            raise SystemExit(f"bench: {server.name} answers another body than {BODY!r}")
        time.sleep(QUIET_SECONDS)
        memory = process.resident_bytes(server.running.pid)
        record(server, "idle", resident_bytes=memory)
        say(f"{server.name}: starts: {count}, idle {memory >> 20} MiB")
        if not server.loaded:
            server.stop()


def warm_up(server, protocol):
    """Loads it until a sample costs at least nine tenths of the one before: a JVM that still compiles
    gets cheaper from sample to sample, and its compiler's time would be counted as the server's."""
    spent, previous = 0, float("inf")
    while spent < WARM_UP:
        cost = load(server, protocol, SECONDS)["cpu_microseconds_per_request"]
        if cost > 0.9 * previous:
            return
        spent, previous = spent + SECONDS, cost
    say(f"{server.name} was still getting cheaper after {spent} s of {protocol}")


def measure_load(contestants, record):
    loaded = [server for server in contestants if server.loaded]
    for protocol in PROTOCOLS:
        for server in loaded:
            warm_up(server, protocol)
        for number in range(ROUNDS):
            for server in loaded:
                sample = load(server, protocol, SECONDS)
                record(server, "load", protocol=protocol, round=number + 1, **sample)
            say(f"{protocol}: round {number + 1} of {ROUNDS}")


def median(samples, server, kind, figure, **where):
    values = [
        sample[figure]
        for sample in samples
        if sample["server"] == server.name
        and sample["kind"] == kind
        and all(sample[name] == value for name, value in where.items())
    ]
    return statistics.median(values) if values else None


def table(contestants, samples):
    lines = [
        "| server | HTTP/1.1 requests/s | CPU µs per request | HTTP/2 requests/s"
        " | CPU µs per request | first answer after, ms | CPU ms until then | idle memory, MiB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for server in contestants:
        cells = []
        for protocol in PROTOCOLS:
            for figure, form in (
                ("requests_per_second", "{:,.0f}"),
                ("cpu_microseconds_per_request", "{:.1f}"),
            ):
                value = median(samples, server, "load", figure, protocol=protocol)
                cells.append("" if value is None else form.format(value))
        for figure in ("wall_seconds", "cpu_seconds"):
            cells.append(f"{median(samples, server, 'start', figure) * 1000:,.0f}")
        cells.append(f"{median(samples, server, 'idle', 'resident_bytes') / 2**20:,.0f}")
        lines.append(f"| {server.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).splitlines()[0].strip()


def surroundings():
    """Machine, tools and settings, for the record."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    meminfo = pathlib.Path("/proc/meminfo").read_text()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "processor": model[1] if model else platform.machine(),
        "memory_gib": round(int(re.search(r"MemTotal:\s+(\d+)", meminfo)[1]) / 2**20, 1),
        "kernel": platform.release(),
        "load_average": os.getloadavg()[0],
        "jdk": first_line(f"{os.environ['JAVA_HOME']}/bin/java", "--version"),
        "nginx": first_line("nginx", "-v"),
        "h2load": first_line("h2load", "--version"),
        "rounds": ROUNDS,
        "starts": STARTS,
        "commands": [" ".join(h2load_command(p, SECONDS, "PORT")) for p in PROTOCOLS],
    }


def legend(facts):
    return (
        f"{facts['date'][:10]}, {facts['cores']} cores ({facts['processor']}), "
        f"{facts['memory_gib']} GiB, kernel {facts['kernel']}, {facts['jdk']}, "
        f"{facts['nginx'].removeprefix('nginx version: ')}, {facts['h2load']}. "
        f"TLS 1.3, one P-256 certificate, the client on the same cores; medians of {facts['rounds']} "
        f"alternating rounds and up to {facts['starts']} starts, load average {facts['load_average']:.1f} "
        "when it began.\n" + "\n".join(f"`{command}`  " for command in facts["commands"])
    )


def main(home):
    facts = surroundings()
    samples = []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-bench."))
    contestants = []

    def record(server, kind, **figures):
        samples.append({"server": server.name, "kind": kind, **figures})

    try:
        contestants = servers.all_servers(home, folder, PORT)
        measure_starts(contestants, record)
        measure_load(contestants, record)
    finally:
        for server in contestants:
            server.stop()
        shutil.rmtree(folder)

    results = home / "bench-results"
    results.mkdir(exist_ok=True)
    file = results / f"bench-{facts['date'].replace(':', '')[:17]}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [facts, *samples]))
    print(table(contestants, samples))
    print()
    print(legend(facts))
    say(f"samples in {file}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped
    main(pathlib.Path(sys.argv[1]))
