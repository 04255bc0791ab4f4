"""nginx in front of the machines: requests go to each machine in turn."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.support.programs import path_of

# As in docs/deploy/nginx.conf: if a machine fails or refuses with 503, nginx asks the other one. A request
# that changes something is repeated only if it reached no machine.
CONFIGURATION = """
daemon off; master_process off; worker_processes 1; {user}
pid {folder}/nginx.pid; error_log {folder}/nginx.log warn;
events {{ worker_connections 4096; }}
http {{
    log_format machines '$request_method $uri $status $upstream_addr $upstream_status $request_time';
    access_log {folder}/access.log machines;
    client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/none; uwsgi_temp_path {folder}/none; scgi_temp_path {folder}/none;
    client_max_body_size 401m; client_body_timeout 20s;
    upstream machines {{ {servers} }}
    server {{
        listen 127.0.0.1:{port}{shared};
        location / {{
            proxy_pass http://machines;
            proxy_http_version 1.1;
            proxy_set_header Connection close;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For {sender};
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_connect_timeout 2s;
            proxy_next_upstream error timeout http_503;
        }}
    }}
}}
"""


@contextmanager
def proxy_before(
    ports: Sequence[int], folder: Path, port: int, sender: str = "$remote_addr"
) -> Iterator[Path]:
    """Run nginx at ``port`` in front of these ports; yield its access log, which names the machine of each
    request. ``sender`` is what the machines get as X-Forwarded-For.
    """
    servers = " ".join(f"server 127.0.0.1:{machine} max_fails=0;" for machine in ports)
    # ``free_port`` still holds the port, so nginx must share it.
    shared = " reuseport" if sys.platform == "linux" else ""
    user = "user root;" if os.geteuid() == 0 else ""
    path = folder / "nginx.conf"
    path.write_text(
        CONFIGURATION.format(
            user=user, folder=folder, servers=servers, port=port, shared=shared, sender=sender
        )
    )
    nginx = path_of("nginx")
    if nginx is None:
        raise SystemExit("nginx is not installed (Debian: apt install nginx).")
    command = [nginx, "-p", str(folder), "-e", str(folder / "nginx.log"), "-c", str(path)]
    process = subprocess.Popen(command, start_new_session=True)
    try:
        until = time.monotonic() + 10
        while socket.socket().connect_ex(("127.0.0.1", port)):
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"nginx does not start: {(folder / 'nginx.log').read_text()}")
            time.sleep(0.05)
        yield folder / "access.log"
    finally:
        process.terminate()
        process.wait(10)
