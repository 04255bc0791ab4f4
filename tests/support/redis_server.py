"""A Redis server for tests of what several processes share (counts, tasks), with simulated faults."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import ConnectionError

from tests.support.programs import need

# The states of ``Server.become``.
FULL, REPLICA, WELL = "full", "a replica", "well"


class Server:
    """A Redis server of the test's own, at a Unix socket in its folder. Nothing is written to disk."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "redis"
        self.url = f"unix://{self.socket}"
        self.start()

    def start(self) -> None:
        command = [
            need("redis-server"),
            "--port",
            "0",
            "--unixsocket",
            str(self.socket),
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client = Redis(unix_socket_path=str(self.socket))
        for _ in range(200):
            try:
                client.ping()
                return
            except ConnectionError:
                time.sleep(0.02)
        raise AssertionError("redis-server did not start")

    def become(self, how: str) -> None:
        """Change its state: FULL keeps its data and refuses writes, REPLICA has lost its primary, WELL
        works.
        """
        client = Redis(unix_socket_path=str(self.socket))
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", int(how == FULL))
        client.execute_command("REPLICAOF", *(("127.0.0.1", "1") if how == REPLICA else ("NO", "ONE")))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)
