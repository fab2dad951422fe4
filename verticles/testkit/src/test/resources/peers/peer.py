"""Talks to an echo with the Python package websockets, and prints what came of it, one line per fact.

python3 peer.py URL
"""

import asyncio
import ssl
import sys

import websockets

URL = sys.argv[1]
TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TLS.check_hostname = False
TLS.verify_mode = ssl.CERT_NONE


def opened(path, **options):
    return websockets.connect(URL + path, ssl=TLS, max_size=None, **options)


def told(message):
    return "text:" + message if isinstance(message, str) else "bytes:" + message.hex()


async def closed(socket):
    try:
        return told(await socket.recv())
    except websockets.ConnectionClosed as end:
        return f"close:{end.rcvd.code} {end.rcvd.reason}" if end.rcvd else "close:none"


async def main():
    async with opened("/echo") as socket:
        print("extensions", "permessage-deflate" if socket.extensions else "none")
        await socket.send("한국어 🐦")
        print("text", told(await socket.recv()))
        await socket.send(bytes([0, 255, 128]))
        print("binary", told(await socket.recv()))
        await socket.send(["", "one ", "message"])
        print("fragments", told(await socket.recv()))
        await (await socket.ping("there?"))
        big = "b" * 3_000_000
        await socket.send(["b" * 1_000_000] * 3)
        print("big", told(await socket.recv()) == "text:" + big)
        await socket.close(4001, "bye")
        print("closed", socket.close_code, socket.close_reason)

    async with opened("/echo") as socket:
        await socket.send(bytes(5_000_000))
        print("too big", (await closed(socket)).split()[0])

    async with opened("/echo") as socket:
        await socket.send("close")
        print("closed by the server", await closed(socket))

    async with opened("/spoken", subprotocols=["v3", "v1"]) as socket:
        print("subprotocol", socket.subprotocol)
    try:
        async with opened("/nowhere"):
            pass
    except websockets.InvalidStatusCode as refused:
        print("refused", refused.status_code)


asyncio.run(main())
