"""The servers that are compared: how each is started, and what one start costs."""

import os
import pathlib
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
events {{ worker_connections 4096; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  server {{
    listen 127.0.0.1:{port} ssl http2 reuseport backlog=4096;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    ssl_protocols TLSv1.3;
    location = / {{ default_type text/plain; return 200 "Hello from Roost\\n"; }}
  }}
}}
"""


class Server:
    """One contestant. `loaded` says whether it serves the route that h2load asks for."""

    def __init__(self, name, port, command, log, loaded=True):
        self.name = name
        self.port = port
        self.command = command
        self.loaded = loaded
        self.log = log
        self.running = None

    def start(self):
        """Starts it and waits for the first 200; wall and CPU seconds until then."""
        if process.answers(self.port):
            raise SystemExit(f"bench: port {self.port} already answers; stop what listens there")
        before = time.monotonic()
        self.running = subprocess.Popen(
            self.command, stdout=self.log.open("ab"), stderr=subprocess.STDOUT, env=environment()
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


def environment():
    """Ours, without the variables of the bench: Roost refuses ROOST_ variables it does not know."""
    return {k: v for k, v in os.environ.items() if not k.startswith("ROOST_BENCH_")}


def all_servers(home, folder, port):
    """Roost hello, Roost board, bare Vert.x and nginx, on `port` and the three after it."""
    cores = os.cpu_count()
    cert, key = folder / "cert.pem", folder / "key.pem"
    make_certificate(cert, key)
    return [
        roost("hello", home, folder, port),
        roost("board", home, folder, port + 1, loaded=False),
        bare_vertx(home, folder, port + 2, cores),
        nginx(folder, port + 3, cores),
    ]


def make_certificate(cert, key):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        + ["-nodes", "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"],
        check=True,
        capture_output=True,
    )


def roost(verticle, home, folder, port, loaded=True):
    settings = {
        "server.port": port,
        "management.port": 0,
        "data.dir": folder / f"data-{verticle}",
        "tls.cert": folder / "cert.pem",
        "tls.key": folder / "key.pem",
    }
    command = [home / "scripts/vertx", "run", verticle]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    return Server(f"Roost `{verticle}`", port, command, folder / f"{verticle}.log", loaded)


def bare_vertx(home, folder, port, cores):
    """Compiled before it runs: with the source launcher the compiler would count as its own memory.
    It gets the JVM options that Roost gets."""
    java_home = pathlib.Path(os.environ["JAVA_HOME"])
    libraries = f"{home}/launcher/target/lib/*"
    classes = folder / "bare"
    subprocess.run(
        [java_home / "bin/javac", "-cp", libraries, "-d", classes]
        + [home / "scripts/bench/BareVertx.java"],
        check=True,
    )
    command = [java_home / "bin/java", f"@{home}/conf/jvm/default.options"]
    command += ["-cp", f"{classes}:{libraries}", "BareVertx"]
    command += [str(port), folder / "cert.pem", folder / "key.pem", str(cores)]
    return Server("bare Vert.x", port, command, folder / "bare.log")


def nginx(folder, port, cores):
    conf = folder / "nginx.conf"
    conf.write_text(NGINX.format(folder=folder, port=port, cores=cores))
    command = ["nginx", "-p", folder, "-c", conf]
    return Server("nginx", port, command, folder / "nginx.out")
