"""How long a request waits on an event loop that serves a pipelining client, and holds what another does
not read."""

from lab import form, table

# Vert.x alone closes a connection at 128 requests in flight.
DEPTHS = {"Roost, one loop": (0, 100, 256), "bare Vert.x, one loop": (0, 100)}


def run(lab):
    contestants = {
        "Roost, one loop": lab.servers.roost("hello", instances=1),
        "bare Vert.x, one loop": lab.servers.bare_vertx("bodies", instances=1),
    }
    cases = [
        (contestants[name], {"kind": "probe", "depth": depth})
        for name, depths in DEPTHS.items()
        for depth in depths
    ]
    with lab.running(contestants.values()):
        lab.alternate(cases)
    return report(lab, contestants)


def report(lab, contestants):
    rows = []
    for name, depths in DEPTHS.items():
        for depth in depths:
            samples = lab.values("probe", contestants[name], "pipelined", depth=depth)
            seconds = lab.values("probe", contestants[name], "seconds", depth=depth)
            rows.append(
                [
                    name,
                    str(depth) if depth else "no disturbance",
                    form(median(lab, contestants[name], "p50_microseconds", depth), 0),
                    form(median(lab, contestants[name], "p99_microseconds", depth), 0),
                    form(sum(samples) / sum(seconds), 0) if depth else None,
                ]
            )
    head = ["probe beside a stalled reader and a pipelining client", "requests in flight"]
    return table([*head, "probe p50, µs", "probe p99, µs", "pipelined requests/s"], rows)


def median(lab, server, figure, depth):
    return lab.median("probe", server, figure, depth=depth)
