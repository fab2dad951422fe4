"""Idle TLS connections of HTTP/1.1 held by each server, one after the other, by the gate's own client:
memory in all and for each connection, from half of them to all too, and two rounds of requests."""

import json
import subprocess

import settings
from lab import form, table

MIB = 2**20


def run(lab):
    made = lab.servers
    contestants = [
        made.nginx(connections=settings.HELD + 1000),
        made.haproxy(),
        made.bare_netty("hello"),
        made.bare_vertx("hello"),
        made.roost("hello", "Roost, parking off", tls_park="off", **long_idle()),
        made.roost("hello", "Roost, engine", tls_park="engine", **long_idle()),
        made.roost("hello", "Roost, lean", tls_park="lean", **long_idle()),
    ]
    contestants = [server for server in contestants if server]
    for server in contestants:
        with lab.running([server]):
            lab.record("density", server, **held(lab, server))
    return report(lab, contestants)


def long_idle():
    return {"http_keep-alive-timeout": "1h"}


def held(lab, server):
    """One run of the gate's client; no limit on memory, so that it fails only for lost connections."""
    classes = f"{lab.servers.home}/verticles/gate/target/classes:{lab.servers.libraries}"
    command = [lab.servers.java_home / "bin/java", "-XX:+UseSerialGC", "-Xmx512m"]
    command += ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]
    command += ["-cp", classes, "dev.roost.gate.cli.GateCommand", "--bytes-max", "none"]
    command += ["--name", server.name, "--port", server.port, "--pid", server.running.pid]
    command += ["--addresses", "127.0.0.1", "--connections", settings.HELD]
    command += ["--warm-up", min(1000, settings.HELD)]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"bench: {server.name} was not measured: {done.stderr[-2000:]}")
    line = json.loads(done.stdout)
    return {"verdict": line["verdict"], "reasons": line["reasons"], **line["figures"]}


def report(lab, contestants):
    rows = []
    for server in contestants:
        wanted = ("density", server.name)
        figures = next(s for s in lab.samples if (s["kind"], s["server"]) == wanted)
        whole = figures["verdict"] == "PASS"
        rows.append(
            [
                server.name,
                form(figures["bytes_per_connection"], 0),
                form(figures["marks"][0]["bytes_per_connection_from_here"], 0) if whole else None,
                form(figures["held_bytes"] / MIB, 0) if whole else None,
                form(figures["bytes_per_connection_after_rounds"], 0),
                form(figures["ramp"]["seconds"]),
                ", ".join(form(each["seconds"], 2) for each in figures["rounds"]),
                "all" if whole else "; ".join(figures["reasons"]),
            ]
        )
    head = [f"{settings.HELD:,} held", "bytes each", "of the second half", "in all, MiB"]
    return table(head + ["after the rounds", "ramp, s", "rounds, s", "answered"], rows)
