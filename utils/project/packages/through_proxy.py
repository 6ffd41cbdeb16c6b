"""Runs commands one after the other, for which an address of this box's loopback is the socket of a proxy.

Arguments: the socket, and the commands as a JSON list of lists, in whose words {proxy} is that address.
"""

import json
import socket
import subprocess
import sys
import threading


def carry(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(listener, proxy):
    while True:
        client, _ = listener.accept()
        behind = socket.socket(socket.AF_UNIX)
        try:
            behind.connect(proxy)
        except OSError:
            client.close()
            continue
        for pair in ((client, behind), (behind, client)):
            threading.Thread(target=carry, args=pair, daemon=True).start()


def main():
    proxy, commands = sys.argv[1:]
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=serve, args=(listener, proxy), daemon=True).start()
    address = "http://127.0.0.1:%d" % listener.getsockname()[1]
    for command in json.loads(commands):
        code = subprocess.call([word.replace("{proxy}", address) for word in command])
        if code != 0:
            return code if code > 0 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
