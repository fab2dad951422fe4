"""The gate `rss`: the same mixed load again and again. What the second round of it leaves behind is held
against what the first has left: memory, heap, direct memory, descriptors. See scripts/gate.sh."""

import re
import sys
import time
import urllib.request

import process
import verdict

WARM_UPS = 1  # a load before the first round: the JVM compiles and sizes its heap
QUIET_SECONDS = 20  # for idle connections to close, and memory to be given back
BODY_BYTES = 256 * 1024


def load(port, body):
    """Keep-alive, large bodies both ways, connections of one request each, streams of HTTP/2."""
    url = f"https://127.0.0.1:{port}"
    commands = [
        ("--h1", "-n", 40_000, "-c", 100, url + "/"),
        ("--h1", "-n", 600, "-c", 20, url + "/large"),
        ("--h1", "-n", 600, "-c", 20, "-d", body, url + "/echo"),
        ("-n", 600, "-c", 10, "-m", 10, "-d", body, url + "/echo"),
        ("-n", 40_000, "-c", 50, "-m", 20, url + "/"),
        *[("--h1", "-n", 250, "-c", 250, url + "/")] * 6,
        *[("-n", 250, "-c", 250, url + "/")] * 2,
    ]
    good = bad = 0
    for command in commands:
        some = verdict.h2load("-t", 1, *command)
        good, bad = good + some[0], bad + some[1]
    return good, bad


def left(server, metrics_port):
    """What the server keeps once it has been quiet."""
    time.sleep(QUIET_SECONDS)
    pid = server.running.pid
    metrics = urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics").read().decode()
    return {
        "memory_bytes": process.resident_bytes(pid),
        "heap_bytes": gauge(metrics, "jvm_memory_used_bytes", 'area="heap"'),
        "direct_bytes": gauge(metrics, "jvm_buffer_memory_used_bytes", 'id="direct"'),
        "descriptors": verdict.descriptors(pid),
    }


def gauge(metrics, name, label):
    values = [
        float(match[2])
        for match in re.finditer(rf"^{name}\{{([^}}]*)\}} (\S+)$", metrics, re.MULTILINE)
        if label in match[1]
    ]
    if not values:
        raise SystemExit(f"gate: /metrics has no {name} with {label}")
    return int(sum(values))


def judge(rounds, percent_max, bytes_max):
    """One sentence for each thing that has grown too far, or that went wrong."""
    reasons = []
    for number, figures in enumerate(rounds, 1):
        if figures["bad"]:
            reasons.append(f"round {number}: {figures['bad']} requests were not answered well")
    first, second = rounds
    for name in ("memory_bytes", "heap_bytes", "direct_bytes"):
        more = second[name] - first[name]
        if more > max(bytes_max, first[name] * percent_max / 100):
            reasons.append(f"{name}: grew by {more} from round 1 to 2, from {first[name]}")
    if second["descriptors"] > first["descriptors"] * (1 + percent_max / 100):
        reasons.append(f"descriptors: grew from {first['descriptors']} to {second['descriptors']}")
    return reasons


def main(home, port, percent_max, bytes_max):
    with verdict.contestants(home, port) as made:
        body = made.folder / "body"
        body.write_bytes(b"x" * BODY_BYTES)
        server = made.roost("Bodies", management_port=port + 1)
        rounds = []
        with verdict.running(server):
            for number in range(WARM_UPS + 2):
                good, bad = load(server.port, body)
                rounds.append({"good": good, "bad": bad, **left(server, port + 1)})
                verdict.say(f"load {number + 1}: {rounds[-1]}")
    warm_ups, rounds = rounds[:WARM_UPS], rounds[WARM_UPS:]
    verdict.conclude(
        "rss",
        judge(rounds, percent_max, bytes_max),
        {"growth_percent_max": percent_max, "growth_bytes_max": bytes_max, "bad_max": 0},
        {"warm_ups": warm_ups, "rounds": rounds},
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
