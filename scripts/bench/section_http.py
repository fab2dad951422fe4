"""Plain requests by h2load: throughput and CPU time; besides, what a start costs, and idle memory."""

import re
import subprocess
import time

import process
from lab import form, ratio, say, table
from settings import CLIENTS, PIPELINED, ROUNDS, SECONDS, STARTS, STREAMS, WARM_UP

BODY = b"Hello from Roost\n"
QUIET_SECONDS = 5
# No further start of a server whose starts have taken this long: a busy machine must not make the run
# endless.
STARTS_SECONDS_MAX = 15
# With --h1, -m is the number of requests in flight.
PROTOCOLS = {
    "HTTP/1.1": ["--h1", "-m", "1"],
    "pipelined": ["--h1", "-m", str(PIPELINED)],
    "HTTP/2": ["-m", str(STREAMS)],
}


def command(protocol, port):
    return (
        ["h2load", *PROTOCOLS[protocol], "-t", "1", "-c", str(CLIENTS), "-D", str(SECONDS)]
        + [f"https://127.0.0.1:{port}/"]
    )


def load(server, protocol):
    """Runs h2load once: requests per second, and server CPU time for each request. The handshakes of
    its few connections are part of both, the same for every server."""
    before = process.cpu_seconds(server.running.pid)
    done = subprocess.run(
        command(protocol, server.port),
        capture_output=True,
        text=True,
        timeout=SECONDS + 30,
        check=True,
    )
    cpu = process.cpu_seconds(server.running.pid) - before
    counts = re.search(r"(\d+) done, (\d+) succeeded, (\d+) failed", done.stdout)
    good = re.search(r"status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx", done.stdout)
    succeeded, failed = int(counts[2]), int(counts[3])
    if failed or not succeeded or not good:
        raise SystemExit(f"bench: {server.name} failed under {protocol}:\n{done.stdout}")
    return {
        "requests": succeeded,
        "requests_per_second": succeeded / SECONDS,
        "cpu_microseconds_per_request": cpu * 1e6 / succeeded,
    }


def measure_starts(lab, contestants):
    """Starts each server several times, one after the other; leaves it running the last time, and
    reads its memory when it has been quiet."""
    for server in contestants:
        spent, count = 0.0, 0
        while count < STARTS and spent < STARTS_SECONDS_MAX:
            server.stop()
            start = server.start()
            lab.record("start", server, **start, first=count == 0)
            spent += start["wall_seconds"]
            count += 1
        if server.loaded and process.body_of(server.port) != BODY:
            raise SystemExit(f"bench: {server.name} answers another body than {BODY!r}")
        time.sleep(QUIET_SECONDS)
        memory = process.resident_bytes(server.running.pid)
        lab.record("idle", server, resident_bytes=memory)
        say(f"{server.name}: starts: {count}, idle {memory >> 20} MiB")
        if not server.loaded:
            server.stop()


def warm_up(server, protocol):
    """Loads it until a sample costs at least nine tenths of the one before: a JVM that still compiles
    gets cheaper from sample to sample, and its compiler's time would be counted as the server's."""
    spent, previous = 0, float("inf")
    while spent < WARM_UP:
        cost = load(server, protocol)["cpu_microseconds_per_request"]
        if cost > 0.9 * previous:
            return
        spent, previous = spent + SECONDS, cost
    say(f"{server.name} was still getting cheaper after {spent} s of {protocol}")


def measure_load(lab, contestants):
    loaded = [server for server in contestants if server.loaded]
    for protocol in PROTOCOLS:
        for server in loaded:
            warm_up(server, protocol)
        for number in range(ROUNDS):
            for server in loaded:
                sample = load(server, protocol)
                lab.record("load", server, protocol=protocol, round=number + 1, **sample)
            say(f"{protocol}: round {number + 1} of {ROUNDS}")


def run(lab):
    contestants = [
        lab.servers.roost("hello"),
        lab.servers.roost("board", loaded=False),
        lab.servers.bare_vertx("hello"),
        lab.servers.bare_netty("hello"),
        lab.servers.nginx(),
    ]
    try:
        measure_starts(lab, contestants)
        measure_load(lab, contestants)
    finally:
        for server in contestants:
            server.stop()
    return report(lab, contestants)


def report(lab, contestants):
    head = ["server"]
    for protocol in PROTOCOLS:
        head += [f"{protocol} requests/s", "CPU µs per request"]
    head += ["first answer after, ms", "CPU ms until then", "idle memory, MiB"]
    rows = [row(lab, server) for server in contestants]
    roost, vertx = contestants[0], contestants[2]
    ratios = ", ".join(
        f"{name} {ratio(cost(lab, roost, name), cost(lab, vertx, name))}" for name in PROTOCOLS
    )
    commands = "\n".join(f"`{' '.join(command(protocol, 'PORT'))}`  " for protocol in PROTOCOLS)
    return f"{table(head, rows)}\n\nCPU per request, Roost to bare Vert.x: {ratios}.\n\n{commands}"


def row(lab, server):
    cells = [server.name]
    for protocol in PROTOCOLS:
        rate = lab.median("load", server, "requests_per_second", protocol=protocol)
        cells += [form(rate, 0), form(cost(lab, server, protocol))]
    for figure in ("wall_seconds", "cpu_seconds"):
        cells.append(form(lab.median("start", server, figure) * 1000, 0))
    cells.append(form(lab.median("idle", server, "resident_bytes") / 2**20, 0))
    return cells


def cost(lab, server, protocol):
    return lab.median("load", server, "cpu_microseconds_per_request", protocol=protocol)
