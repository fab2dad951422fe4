"""The gate `handshake`: server CPU for a full handshake with a GET, and for a resumed one, of Roost with
both kinds of parking beside bare Netty. The client is OpenSSL (Python's `ssl`): it may be slow, since only
the CPU time of the server's process counts. See scripts/gate.sh."""

import concurrent.futures
import socket
import ssl
import subprocess
import sys

import process
import verdict

THREADS = 2
GROUP = "X25519"  # the only one the client offers
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
END = b"Hello from Roost\n"
WARM_UP_PARTS = 2  # runs' worth of each kind before the first that counts
ROUND_UP = 1e6


def context():
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    trusting.minimum_version = ssl.TLSVersion.TLSv1_3
    trusting.set_ecdh_curve(GROUP)
    return trusting


def ask(tls, port, ticket=None):
    """One connection with one GET: its newest ticket, and whether `ticket` was taken."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        with tls.wrap_socket(plain, session=ticket) as secure:
            secure.sendall(REQUEST)
            answer = b""
            while not answer.endswith(END):
                some = secure.recv(65536)
                if not some:
                    raise SystemExit(f"gate: a connection ended behind {answer!r}")
                answer += some
            return secure.session, secure.session_reused


def ask_often(port, count, resuming):
    """How many of `count` connections were resumed."""
    tls = context()
    ticket = ask(tls, port)[0] if resuming else None
    resumed = 0
    for _ in range(count):
        newest, reused = ask(tls, port, ticket)
        resumed += reused
        ticket = newest if resuming else None
    return resumed


def sample(server, count, resuming):
    """Microseconds of server CPU for one connection, and the part of connections that were resumed."""
    before = process.cpu_seconds(server.running.pid)
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        runs = [pool.submit(ask_often, server.port, count // THREADS, resuming) for _ in range(THREADS)]
        resumed = sum(run.result() for run in runs)
    cpu = process.cpu_seconds(server.running.pid) - before
    return {
        "cpu_microseconds": round(cpu * ROUND_UP / count, 1),
        "resumed_part": resumed / (count // THREADS * THREADS),
    }


def agreed(server):
    """What OpenSSL's own client says was agreed on: protocol, suite, the server's key."""
    done = subprocess.run(
        ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_3", "-groups", GROUP],
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    wanted = ("New, ", "Server Temp Key", "Server public key", "Peer signature type")
    return [line.strip() for line in done.stdout.splitlines() if line.startswith(wanted)]


def judge(figures, maxima):
    reasons = []
    agreements = {tuple(each["agreed"]) for each in figures.values()}
    if len(agreements) != 1:
        reasons.append(f"the servers do not agree to the same: {agreements}")
    for name, each in figures.items():
        if each["resumed"]["resumed_part"] < 1:
            reasons.append(f"{name}: only {each['resumed']['resumed_part']:.1%} were resumed as offered")
        if each["full"]["resumed_part"] > 0:
            reasons.append(f"{name}: handshakes were resumed without a ticket")
        for kind in ("full", "resumed"):
            part = each[kind]["percent_of_netty"]
            if part > maxima.get(name, float("inf")):
                reasons.append(f"{name}, {kind}: {part} % of bare Netty's CPU, allowed are {maxima[name]}")
    return reasons


def main(home, port, count, runs, engine_max, lean_max):
    with verdict.contestants(home, port) as made:
        netty = made.bare_netty("hello")
        measured = {
            "netty": netty,
            "engine": made.roost("hello", tls_park="engine"),
            "lean": made.roost("hello", tls_park="lean"),
        }
        kinds = {"full": False, "resumed": True}
        samples = {name: {kind: [] for kind in kinds} for name in measured}
        with verdict.running(*measured.values()):
            for number in range(-WARM_UP_PARTS, runs):
                for name, server in measured.items():
                    for kind, resuming in kinds.items():
                        some = sample(server, count, resuming)
                        if number >= 0:
                            samples[name][kind].append(some)
                verdict.say(f"run {number + 1} of {runs}")
            agreements = {name: agreed(server) for name, server in measured.items()}
    figures = {}
    for name in measured:
        figures[name] = {"agreed": agreements[name]}
        for kind in kinds:
            cpu = verdict.median([some["cpu_microseconds"] for some in samples[name][kind]])
            bare = verdict.median([some["cpu_microseconds"] for some in samples["netty"][kind]])
            figures[name][kind] = {
                "cpu_microseconds": cpu,
                "percent_of_netty": round(cpu / bare * 100, 1),
                "resumed_part": verdict.median([some["resumed_part"] for some in samples[name][kind]]),
                "samples": [some["cpu_microseconds"] for some in samples[name][kind]],
            }
    maxima = {"engine": engine_max, "lean": lean_max}
    limits = {f"{name}_percent_of_netty_max": most for name, most in maxima.items()}
    limits |= {"handshakes": count, "runs": runs, "resumed_part_min": 1}
    verdict.conclude("handshake", judge(figures, maxima), limits, figures)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
