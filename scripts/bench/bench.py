"""The run: the sections that were asked for, one after the other. See scripts/bench.sh."""

import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import client
import lab
import section_density
import section_http
import section_modes
import section_parking
import section_probe
import section_sockets
import section_streams
import servers
import settings

PORT = 19542
SECTIONS = {
    "http": section_http,
    "sockets": section_sockets,
    "streams": section_streams,
    "probe": section_probe,
    "modes": section_modes,
    "parking": section_parking,
    "density": section_density,
}


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).splitlines()[0].strip()


def surroundings():
    """Machine, tools and settings, for the record."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text()
    meminfo = pathlib.Path("/proc/meminfo").read_text()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "processor": model[1] if model else platform.machine(),
        "memory_gib": round(int(re.search(r"MemTotal:\s+(\d+)", meminfo)[1]) / 2**20, 1),
        "kernel": platform.release(),
        "load_average": os.getloadavg()[0],
        "jdk": first_line(f"{os.environ['JAVA_HOME']}/bin/java", "--version"),
        "nginx": first_line("nginx", "-v"),
        "h2load": first_line("h2load", "--version"),
        "rounds": settings.ROUNDS,
        "seconds": settings.SECONDS,
        "starts": settings.STARTS,
    }


def legend(facts):
    return (
        f"{facts['date'][:10]}, {facts['cores']} cores ({facts['processor']}), "
        f"{facts['memory_gib']} GiB, kernel {facts['kernel']}, {facts['jdk']}, "
        f"{facts['nginx'].removeprefix('nginx version: ')}, {facts['h2load']}. "
        f"TLS 1.3, one P-256 certificate, the client on the same cores; medians of {facts['rounds']} "
        f"alternating rounds of {facts['seconds']} s and up to {facts['starts']} starts, load average "
        f"{facts['load_average']:.1f} when it began."
    )


def main(home, names):
    facts = surroundings()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-bench."))
    contestants = servers.Servers(home, folder, PORT)
    load_client = client.LoadClient(contestants.java("LoadClient"), folder / "client.log")
    bench = lab.Lab(contestants, load_client)
    tables = []
    try:
        for name in names:
            before = time.monotonic()
            tables.append(SECTIONS[name].run(bench))
            lab.say(f"{name} took {time.monotonic() - before:.0f} s")
    finally:
        load_client.stop()
        shutil.rmtree(folder)
        # What came before a failure is worth having.
        write(home / "bench-results", facts, bench.samples)
        print("\n\n".join([*tables, legend(facts)]))


def write(results, facts, samples):
    results.mkdir(exist_ok=True)
    file = results / f"bench-{facts['date'].replace(':', '')[:17]}.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [facts, *samples]))
    lab.say(f"samples in {file}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the servers are stopped
    main(pathlib.Path(sys.argv[1]), sys.argv[2:] or list(SECTIONS))
