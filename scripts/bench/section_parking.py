"""What parking costs a busy connection: requests on woken and on never-parked ones beside the same server
with parking off, and the lean record layer beside BoringSSL, per request and per MiB."""

import urllib.request

from lab import form, ratio, table
from settings import CLIENTS

LARGE_BYTES = 256 * 1024
SILENT_SECONDS = 3
EARLY = {"tls_park-after": "100ms"}
# A woken connection was parked ten times as early as by default; one that is never parked is set up to be.
CONTESTANTS = {
    "parking off": {"tls_park": "off"},
    "never parked": {"tls_park": "engine", "tls_park-after": "24h"},
    "woken, engine": {"tls_park": "engine", **EARLY},
    "woken, lean": {"tls_park": "lean", "tls_lean-after": "0s", **EARLY},
}


def run(lab):
    metrics_ports = {}
    contestants = {}
    for number, (name, settings) in enumerate(CONTESTANTS.items()):
        metrics_ports[name] = lab.servers.port + 200 + number
        contestants[name] = lab.servers.roost(
            "Bodies", f"Roost, {name}", management_port=metrics_ports[name], **settings
        )
    cases = [
        (server, {"kind": "keep", "path": path, "connections": CLIENTS, "silent": SILENT_SECONDS})
        for path in ("/", "/large")
        for server in contestants.values()
    ]
    with lab.running(contestants.values()):
        lab.alternate(cases)
        wakes = {name: woken(port) for name, port in metrics_ports.items()}
    return report(lab, contestants, wakes)


def woken(port):
    """How often a connection was woken: the proof that a sample has measured what it says."""
    metrics = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
    lines = [line for line in metrics.splitlines() if line.startswith("roost_connections_wakes_total")]
    return int(sum(float(line.rsplit(" ", 1)[1]) for line in lines))


def report(lab, contestants, wakes):
    off = contestants["parking off"]
    rows = []
    for name, server in contestants.items():
        cells = [name]
        for path, unit in (("/", 1), ("/large", LARGE_BYTES / 2**20)):
            cost = lab.median("keep", server, "cpu_microseconds_each", path=path)
            bare = lab.median("keep", off, "cpu_microseconds_each", path=path)
            cells += [form(cost / unit), ratio(cost, bare)]
        rows.append([*cells, form(lab.median("keep", server, "per_second", path="/"), 0), str(wakes[name])])
    head = [f"{CLIENTS} connections", "CPU µs per request", "of parking off", "CPU µs per MiB"]
    return table(head + ["of parking off", "requests/s", "wakes"], rows)
