"""The servers that are compared: how each is started, and what one start costs."""

import os
import pathlib
import shutil
import subprocess
import time

import process

START_SECONDS_MAX = 60
STOP_SECONDS_MAX = 20

NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
worker_processes {cores};
events {{ worker_connections {connections}; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  server {{
    listen 127.0.0.1:{port} ssl http2 reuseport backlog=4096;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    ssl_protocols TLSv1.3;
    location = / {{ default_type text/plain; return 200 "Hello from Roost\\n"; }}
  }}
}}
"""

HAPROXY = """
global
  nbthread {cores}
  maxconn 18000
defaults
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout http-keep-alive 1h
frontend hello
  bind 127.0.0.1:{port} ssl crt {pem} alpn h2,http/1.1 ssl-min-ver TLSv1.3
  http-request return status 200 content-type text/plain string "Hello from Roost\n"
"""


class Server:
    """One contestant. `loaded` says whether it serves the route that h2load asks for, `classes` where
    classes of ours lie that Roost is to find."""

    def __init__(self, name, port, command, log, loaded=True, classes=None):
        self.name = name
        self.port = port
        self.command = command
        self.loaded = loaded
        self.log = log
        self.classes = classes
        self.running = None

    def start(self):
        """Starts it and waits for the first 200; wall and CPU seconds until then."""
        if process.answers(self.port):
            raise SystemExit(f"bench: port {self.port} already answers; stop what listens there")
        before = time.monotonic()
        self.running = subprocess.Popen(
            self.command,
            stdout=self.log.open("ab"),
            stderr=subprocess.STDOUT,
            env=self._environment(),
        )
        pid = self.running.pid
        answered = process.wait_until(
            lambda: self.running.poll() is not None or process.body_of(self.port) is not None,
            START_SECONDS_MAX,
        )
        wall = time.monotonic() - before
        if not answered or self.running.poll() is not None:
            raise SystemExit(f"bench: {self.name} did not start: {self.log.read_text()[-2000:]}")
        return {"wall_seconds": wall, "cpu_seconds": process.cpu_seconds(pid)}

    def stop(self):
        """SIGTERM, then SIGKILL if that was not enough."""
        if self.running is None:
            return
        self.running.terminate()
        try:
            self.running.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            print(f"bench: {self.name} did not stop, killing it", flush=True)
            self.running.kill()
            self.running.wait()
        self.running = None

    def _environment(self):
        """Ours, without the variables of bench and gate: Roost refuses ROOST_ variables it does not know."""
        ours = ("ROOST_BENCH_", "ROOST_GATE_")
        kept = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        return kept | ({"CLASSPATH": str(self.classes)} if self.classes else {})


class Servers:
    """Makes the contestants, each with a port of its own; `home` is the tree, `folder` is for files."""

    def __init__(self, home, folder, port):
        self.home = home
        self.folder = folder
        self.port = port
        self.cert, self.key = folder / "cert.pem", folder / "key.pem"
        self.classes = folder / "classes"
        self.libraries = f"{home}/launcher/target/lib/*"
        self.java_home = pathlib.Path(os.environ["JAVA_HOME"])
        self._make_certificate()
        self._compile()

    def _make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
            + ["-nodes", "-keyout", self.key, "-out", self.cert, "-days", "2", "-subj", "/CN=localhost"],
            check=True,
            capture_output=True,
        )

    def _compile(self):
        """Before anything runs: with the source launcher the compiler would count as their memory."""
        subprocess.run(
            [self.java_home / "bin/javac", "-cp", self.libraries, "-d", self.classes]
            + sorted((self.home / "scripts/bench").glob("*.java")),
            check=True,
        )

    def java(self, *arguments):
        """The command of a class of this folder, with the JVM options that Roost gets."""
        return [
            self.java_home / "bin/java",
            f"@{self.home}/conf/jvm/default.options",
            *("-cp", f"{self.classes}:{self.libraries}"),
            *map(str, arguments),
        ]

    def roost(self, verticle, name=None, loaded=True, **settings):
        """`settings` have `_` where the keys have a dot."""
        port = self._next_port()
        values = {
            "server.port": port,
            "management.port": 0,
            "data.dir": self.folder / f"data-{port}",
            "tls.cert": self.cert,
            "tls.key": self.key,
        }
        values |= {key.replace("_", "."): value for key, value in settings.items()}
        command = [self.home / "scripts/vertx", "run", verticle]
        for key, value in values.items():
            command += ["--set", f"{key}={value}"]
        name = name or f"Roost `{verticle}`"
        return Server(name, port, command, self._log(port), loaded, self.classes)

    def bare_vertx(self, serves, instances=os.cpu_count()):
        return self._bare("bare Vert.x", "BareVertx", serves, instances)

    def bare_netty(self, serves, instances=os.cpu_count()):
        return self._bare("bare Netty", "BareNetty", serves, instances)

    def _bare(self, name, java_class, serves, instances):
        port = self._next_port()
        command = self.java(java_class, port, self.cert, self.key, instances, serves)
        return Server(name, port, command, self._log(port))

    def nginx(self, connections=4096):
        """`connections` are those of each worker process."""
        port = self._next_port()
        conf = self.folder / "nginx.conf"
        conf.write_text(
            NGINX.format(
                folder=self.folder, port=port, cores=os.cpu_count(), connections=connections
            )
        )
        return Server("nginx", port, ["nginx", "-p", self.folder, "-c", conf], self._log(port))

    def haproxy(self):
        """None where it is not installed."""
        if not shutil.which("haproxy"):
            return None
        port = self._next_port()
        pem = self.folder / "haproxy.pem"
        pem.write_text(self.cert.read_text() + self.key.read_text())
        conf = self.folder / "haproxy.cfg"
        conf.write_text(HAPROXY.format(pem=pem, port=port, cores=os.cpu_count()))
        return Server("HAProxy", port, ["haproxy", "-f", conf], self._log(port))

    def _next_port(self):
        self.port += 1
        return self.port

    def _log(self, port):
        return self.folder / f"{port}.log"
