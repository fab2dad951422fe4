"""The numbers of a run; scripts/bench.sh says what they mean."""

import os


def setting(name, default):
    return int(os.environ.get(f"ROOST_BENCH_{name}", default))


ROUNDS = setting("ROUNDS", 3)
SECONDS = setting("SECONDS", 3)
WARM_UP = setting("WARM_UP", 15)
STARTS = setting("STARTS", 2)
CLIENTS = setting("CLIENTS", 32)
STREAMS = setting("STREAMS", 8)
PIPELINED = setting("PIPELINED", 16)
SOCKETS = setting("SOCKETS", 1000)
SUBSCRIBERS = setting("SUBSCRIBERS", 5000)
EVENTS = setting("EVENTS", 4)
BURST = setting("BURST", 200)
HELD = setting("HELD", 10000)

# Load before each sample of the load client, and before a server's first sample.
SAMPLE_WARM_UP = 0.5
FIRST_WARM_UP = 3
