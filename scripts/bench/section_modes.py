"""Bursts in both modes of Roost: what a handler that is quick, computes or waits means for the others."""

from lab import form, table
from settings import BURST

# Where handlers may not wait on the event loop, blocking() moves them off: the mode's own way.
HANDLERS = {
    "answers at once": {"reactor": "/", "classic": "/"},
    "computes for 1 ms": {"reactor": "/compute", "classic": "/compute"},
    "waits for 1 ms": {"reactor": "/blocking/wait", "classic": "/wait"},
}
MODES = ("reactor", "classic")


def run(lab):
    contestants = {mode: lab.servers.roost("Work", f"Roost, {mode}", mode=mode) for mode in MODES}
    cases = [
        (contestants[mode], {"kind": "bursts", "path": paths[mode], "connections": BURST})
        for paths in HANDLERS.values()
        for mode in MODES
    ]
    with lab.running(contestants.values()):
        lab.alternate(cases)
    return report(lab, contestants)


def report(lab, contestants):
    rows = []
    for name, paths in HANDLERS.items():
        cells = [name]
        for mode in MODES:
            for figure in ("p50_microseconds", "p99_microseconds"):
                value = lab.median("bursts", contestants[mode], figure, path=paths[mode])
                cells.append(form(value / 1000))
            cost = lab.median("bursts", contestants[mode], "cpu_microseconds_each", path=paths[mode])
            cells.append(form(cost, 0))
        rows.append(cells)
    head = [f"bursts of {BURST} requests; the handler"]
    for mode in MODES:
        head += [f"{mode} p50, ms", "p99, ms", "CPU µs per request"]
    return table(head, rows)
