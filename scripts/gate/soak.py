"""The gate `soak`: for ten minutes clients that keep their connections and are silent for longer than
`tls.park-after` between two requests, so that each request wakes one, and clients that come for one
request. See scripts/gate.sh."""

import subprocess
import sys
import time

import process
import verdict

WINDOW_SECONDS = 30  # one sample; the first warms up and does not count
KEPT = 600  # connections that stay
KEPT_PER_SECOND = 60  # they come one after the other, and so do their requests
PAUSE_MILLISECONDS = 2_500  # between two requests of one connection
CHURN_PER_SECOND = 40
PARTS = 3  # the last third of the windows is held against the first
QUIET_SECONDS = 15


def kept(server, folder):
    """Starts the clients that stay for about one window."""
    seconds = WINDOW_SECONDS - KEPT // KEPT_PER_SECOND
    url = f"https://127.0.0.1:{server.port}/"
    times = range(0, seconds * 1000, PAUSE_MILLISECONDS)
    script = folder / "kept.script"
    script.write_text("".join(f"{offset}\t{url}\n" for offset in times))
    arguments = ["-n", len(times), "-c", KEPT, "-r", KEPT_PER_SECOND, "--timing-script-file", script]
    return started(arguments, folder / "kept.log")


def churn(server, folder):
    count = CHURN_PER_SECOND * WINDOW_SECONDS
    url = f"https://127.0.0.1:{server.port}/"
    return started(["-n", count, "-c", count, "-r", CHURN_PER_SECOND, url], folder / "churn.log")


def started(arguments, log):
    log.unlink(missing_ok=True)
    command = ["h2load", "--h1", "-t", 1, "--log-file", log, *arguments]
    return subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True), log


def window(server, folder):
    """Runs one sample: good and bad requests, and the latencies of the good ones in microseconds."""
    clients = [kept(server, folder), churn(server, folder)]
    good = bad = 0
    latencies = []
    for client, log in clients:
        some = verdict.counts(client.communicate()[0])
        good, bad = good + some[0], bad + some[1]
        rows = (row.split("\t") for row in log.read_text().splitlines())
        latencies += [int(row[2]) for row in rows if row[1] == "200"]
    return {"good": good, "bad": bad}, latencies


def p99(latencies):
    return sorted(latencies)[int(len(latencies) * 0.99)] if latencies else 0


def memory(server):
    time.sleep(QUIET_SECONDS)
    return process.resident_bytes(server.running.pid)


def judge(figures, growth_max, drift_max):
    reasons = []
    if figures["bad"]:
        reasons.append(f"{figures['bad']} of {figures['good'] + figures['bad']} requests failed")
    if figures["growth_percent"] > growth_max:
        reasons.append(f"memory grew by {figures['growth_percent']} %, allowed are {growth_max}")
    if figures["drift_percent"] > drift_max:
        reasons.append(f"p99 grew by {figures['drift_percent']} %, allowed are {drift_max}")
    return reasons


def main(home, port, seconds, growth_max, drift_max):
    with verdict.contestants(home, port) as made:
        server = made.roost("hello")
        windows, samples = [], []
        with verdict.running(server):
            window(server, made.folder)
            before = memory(server)
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline or len(samples) < PARTS:
                counted, latencies = window(server, made.folder)
                samples.append(latencies)
                windows.append({**counted, "p99_microseconds": p99(latencies)})
                verdict.say(f"window {len(samples)}: {windows[-1]}")
            after = memory(server)
    part = len(samples) // PARTS
    first, last = (p99(sum(some, [])) for some in (samples[:part], samples[-part:]))
    figures = {
        "good": sum(each["good"] for each in windows),
        "bad": sum(each["bad"] for each in windows),
        "memory_before_bytes": before,
        "memory_after_bytes": after,
        "growth_percent": round(verdict.growth(before, after), 1),
        "p99_first_third_microseconds": first,
        "p99_last_third_microseconds": last,
        "drift_percent": round(verdict.growth(first, last), 1),
        "windows": windows,
    }
    limits = {"seconds": seconds, "bad_max": 0, "growth_percent_max": growth_max}
    limits["drift_percent_max"] = drift_max
    verdict.conclude("soak", judge(figures, growth_max, drift_max), limits, figures)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
