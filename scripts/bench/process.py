"""What a tree of processes costs, read from /proc, and one HTTPS request to see that it answers."""

import os
import pathlib
import socket
import ssl
import time

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def tree(pid):
    """The process and its descendants."""
    pids = [pid]
    for known in pids:
        for children in pathlib.Path(f"/proc/{known}/task").glob("*/children"):
            try:
                pids.extend(int(child) for child in children.read_text().split())
            except OSError:  # a thread that has just ended
                continue
    return pids


def cpu_seconds(pid):
    """User and system time of the tree until now (proc_pid_stat(5), fields 14 and 15)."""
    total = 0
    for each in tree(pid):
        fields = pathlib.Path(f"/proc/{each}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS_PER_SECOND


def resident_bytes(pid):
    """VmRSS and VmSwap of the tree. Pages that its processes share are counted in each of them."""
    total = 0
    for each in tree(pid):
        for line in pathlib.Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith(("VmRSS:", "VmSwap:")):
                total += int(line.split()[1]) * 1024
    return total


def answers(port):
    """Whether something accepts connections there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def body_of(port):
    """The body of `GET /` if it is answered with a 200, else None."""
    trusting = ssl.create_default_context()
    trusting.check_hostname = False
    trusting.verify_mode = ssl.CERT_NONE
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
            with trusting.wrap_socket(plain) as secure:
                secure.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                answer = b""
                while chunk := secure.recv(65536):
                    answer += chunk
    except OSError:
        return None
    head, _, body = answer.partition(b"\r\n\r\n")
    return body if head.startswith(b"HTTP/1.1 200") else None


def wait_until(condition, seconds_max, pause=0.005):
    """Waits until `condition()` is true; whether it became so in time."""
    deadline = time.monotonic() + seconds_max
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(pause)
    return True
