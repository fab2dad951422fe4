"""WebSocket echo: many sockets, each with one message on its way."""

from lab import form, ratio, table
from settings import SOCKETS


def run(lab):
    roost = lab.servers.roost("hello")
    vertx, netty = lab.servers.bare_vertx("echo"), lab.servers.bare_netty("echo")
    paths = {
        "Roost, asynchronous": (roost, "/echo/async"),
        "Roost, blocking": (roost, "/echo/blocking"),
        "bare Vert.x": (vertx, "/echo"),
        "bare Netty": (netty, "/echo"),
    }
    cases = [
        (server, {"kind": "sockets", "path": path, "connections": SOCKETS})
        for server, path in paths.values()
    ]
    with lab.running([roost, vertx, netty]):
        lab.alternate(cases)
    return report(lab, paths)


def report(lab, paths):
    def median(name, figure):
        server, path = paths[name]
        return lab.median("sockets", server, figure, path=path)

    rows = [
        [
            name,
            form(median(name, "per_second"), 0),
            form(median(name, "cpu_microseconds_each")),
            form(median(name, "p50_microseconds") / 1000),
            form(median(name, "p99_microseconds") / 1000),
        ]
        for name in paths
    ]
    head = [f"echo of 64 bytes, {SOCKETS:,} WebSockets", "messages/s", "CPU µs per message"]
    head += ["p50, ms", "p99, ms"]
    figure = "cpu_microseconds_each"
    part = ratio(median("Roost, asynchronous", figure), median("bare Vert.x", figure))
    return f"{table(head, rows)}\n\nCPU per message, asynchronous Roost to bare Vert.x: {part}."
