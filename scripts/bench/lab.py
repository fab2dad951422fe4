"""What every section needs: samples and their medians, rounds, servers that run meanwhile."""

import contextlib
import statistics
import sys

import settings


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Lab:
    """`servers` makes contestants, `client` loads them; `samples` is all that was measured."""

    def __init__(self, servers, client):
        self.servers = servers
        self.client = client
        self.samples = []

    def record(self, kind, server, **figures):
        self.samples.append({"kind": kind, "server": server.name, **figures})

    def values(self, kind, server, figure, **where):
        wanted = {"kind": kind, "server": server.name, **where}
        return [
            sample[figure]
            for sample in self.samples
            if all(sample.get(name) == value for name, value in wanted.items())
        ]

    def median(self, kind, server, figure, **where):
        """Of all samples that are so; None if there are none."""
        values = self.values(kind, server, figure, **where)
        return statistics.median(values) if values else None

    @contextlib.contextmanager
    def running(self, contestants):
        """They run inside the `with`, all at once: who is not loaded is idle."""
        try:
            for server in contestants:
                server.start()
            yield
        finally:
            for server in contestants:
                server.stop()

    def alternate(self, cases):
        """`cases` are pairs of a server and what the client is to do with it. One sample of each warms
        up and does not count; then rounds of one sample of each."""
        for server, load in cases:
            self.client.sample(server, warm_up=0, seconds=settings.FIRST_WARM_UP, **load)
        for number in range(settings.ROUNDS):
            for server, load in cases:
                figures = self.client.sample(server, warm_up=settings.SAMPLE_WARM_UP, **load)
                self.record(server=server, round=number + 1, **load, **figures)
            say(f"{load['kind']}: round {number + 1} of {settings.ROUNDS}")


def table(head, rows):
    """Markdown; the first column is text, the others are numbers. A cell of None is empty."""
    lines = [head, ["---"] + ["--:"] * (len(head) - 1)]
    lines += [["" if cell is None else cell for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def form(value, digits=1):
    return None if value is None else f"{value:,.{digits}f}"


def ratio(part, whole):
    return "?" if not part or not whole else f"{part / whole:.2f}"
