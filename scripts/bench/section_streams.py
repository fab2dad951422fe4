"""Event streams: what one delivered event costs, and how late it is."""

from lab import form, table
from settings import EVENTS, SUBSCRIBERS


def run(lab):
    contestants = [lab.servers.roost("hello"), lab.servers.bare_vertx("news")]
    load = {"kind": "streams", "subscribers": SUBSCRIBERS, "rate": EVENTS}
    with lab.running(contestants):
        lab.alternate([(server, load) for server in contestants])
    return report(lab, contestants)


def report(lab, contestants):
    rows = [
        [
            server.name,
            form(lab.median("streams", server, "per_second"), 0),
            form(lab.median("streams", server, "cpu_microseconds_each")),
            form(lab.median("streams", server, "p50_microseconds") / 1000),
            form(lab.median("streams", server, "p99_microseconds") / 1000),
            form(lab.median("streams", server, "cpu_cores"), 2),
        ]
        for server in contestants
    ]
    head = [f"{EVENTS} events/s to {SUBSCRIBERS:,} event streams", "deliveries/s"]
    head += ["CPU µs per delivery", "p50, ms", "p99, ms", "server CPU, cores"]
    return table(head, rows)
