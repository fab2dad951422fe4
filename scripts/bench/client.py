"""The client for what h2load cannot do: LoadClient.java, which stays for the whole run."""

import json
import subprocess

import process
import settings


class LoadClient:
    """`command` starts it; it is started when first needed."""

    def __init__(self, command, log):
        self.command = command
        self.log = log
        self.running = None

    def sample(self, server, kind, warm_up, seconds=settings.SECONDS, **values):
        """Loads the server once. The client's figures, and what the server's CPU time was meanwhile."""
        if self.running is None:
            self.running = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log.open("ab"),
                text=True,
            )
        values |= {"port": server.port, "warm-up": warm_up, "seconds": seconds}
        line = " ".join([kind, *(f"{name}={value}" for name, value in values.items())])
        self.running.stdin.write(line + "\n")
        self.running.stdin.flush()
        if self._read(server, line) != "begin":
            raise SystemExit(f"bench: the load client said something else than begin to {line}")
        before = process.cpu_seconds(server.running.pid)
        figures = json.loads(self._read(server, line))
        cpu = process.cpu_seconds(server.running.pid) - before
        if not figures["count"]:
            raise SystemExit(f"bench: {server.name} answered nothing under {line}")
        return {
            **figures,
            "per_second": figures["count"] / figures["seconds"],
            "cpu_microseconds_each": cpu * 1e6 / figures["count"],
            "cpu_cores": cpu / figures["seconds"],
        }

    def _read(self, server, line):
        answer = self.running.stdout.readline().strip()
        if not answer:
            log = self.log.read_text()[-2000:] + server.log.read_text()[-2000:]
            raise SystemExit(f"bench: {server.name} failed under {line}: {log}")
        return answer

    def stop(self):
        if self.running is not None:
            self.running.kill()
            self.running.wait()
