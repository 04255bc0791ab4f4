"""Run nginx and Caddy with the example configurations of docs/deploy, in front of a small site that reports
each request.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests import ROOT
from tests.support.programs import need

HOST = "cutout.example"
EXAMPLES = ROOT / "docs" / "deploy"
# Seconds that a proxy waits for slow senders, instead of the longer times of the examples.
PATIENCE = 1


class _Server(ThreadingHTTPServer):
    allow_reuse_port = True


@dataclass
class Site:
    """The site behind a proxy. It answers with the request that reached it, as JSON. ``/busy/``, or every
    address if it ``is_busy``, is refused as Cutout does: 503 with Retry-After.
    """

    port: int = 0
    is_busy: bool = False
    paths: list[str] = field(default_factory=list)

    @contextmanager
    def running(self, port: int = 0) -> Iterator[Site]:
        """Serve at this port (reserved by ``tests.support.server.free_port``), or at any free one."""
        with _Server(("127.0.0.1", port), self._handler()) as server:
            self.port = server.server_address[1]
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
            yield self
            server.shutdown()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        site, paths = self, self.paths

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length)
                if len(body) < length:
                    self.send_error(400)  # As cardsdb/site/overload.py does.
                    return
                paths.append(self.path)
                if self.path == "/unchanged/":
                    self.send_response(304)
                    self.end_headers()
                    return
                report = json.dumps(
                    {
                        "path": self.path,
                        "length": len(body),
                        "headers": {k.lower(): v for k, v in self.headers.items()},
                    }
                ).encode()
                busy = site.is_busy or self.path == "/busy/"
                self.send_response(503 if busy else 200)
                for name, value in (("Retry-After", "17"),) * busy:
                    self.send_header(name, value)
                self.send_header("Content-Security-Policy", "the site's")
                self.send_header("Content-Length", str(len(report)))
                self.end_headers()
                self.wfile.write(report)

            do_POST = do_PATCH = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its ports, and the folder of its logs and certificate."""

    name: str
    http: int
    https: int
    folder: Path

    def connect(
        self, host: str = HOST, newest: ssl.TLSVersion = ssl.TLSVersion.MAXIMUM_SUPPORTED
    ) -> ssl.SSLSocket:
        """A TLS connection. ``newest``: the newest version of TLS to offer."""
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        if newest != ssl.TLSVersion.MAXIMUM_SUPPORTED:
            # Python would refuse old ciphers itself, but here the proxy must do it.
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
        return context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.https), timeout=10), server_hostname=host
        )

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Send a request over HTTPS. The whole answer is read; its text is in ``text``."""
        connection = HTTPConnection(HOST)
        connection.sock = self.connect()
        return _answer(connection, method, path, body, headers)

    def ask_plainly(self, path: str, host: str = HOST) -> HTTPResponse:
        connection = HTTPConnection("127.0.0.1", self.http, timeout=10)
        return _answer(connection, "GET", path, None, {"Host": host})

    def logged(self) -> str:
        return "".join(path.read_text(encoding="utf-8") for path in self.folder.glob("*.log"))


def _answer(
    connection: HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str] | None
) -> HTTPResponse:
    # A proxy may refuse a request before all of it was sent, and its answer can be read all the same.
    with contextlib.suppress(OSError):
        connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@contextmanager
def nginx(folder: Path, *sites: int, rate: int = 100, burst: int = 3000) -> Iterator[Proxy]:
    """nginx in front of the sites at these ports. ``rate`` is the number of requests a second that it passes
    on for one address, ``burst`` how many more at once.
    """
    proxy = Proxy("nginx", free_port(), free_port(), folder)
    _certificate(folder)
    text = _filled(
        (EXAMPLES / "nginx.conf").read_text(encoding="utf-8"),
        {
            r"    listen \[::\].*\n": "",
            r"listen 80\b": f"listen 127.0.0.1:{proxy.http}",
            r"listen 443\b": f"listen 127.0.0.1:{proxy.https}",
            r"^    server 127\.0\.0\.1:8000(.*;)$": "\n".join(
                rf"    server 127.0.0.1:{site}\1" for site in sites
            ),
            r"/var/log/nginx": str(folder),
            r"/etc/letsencrypt/.*/fullchain\.pem": str(folder / "certificate.pem"),
            r"/etc/letsencrypt/.*/privkey\.pem": str(folder / "key.pem"),
            r"(client_\w+_timeout) \d+s": rf"\1 {PATIENCE}s",
            r"rate=\d+r": f"rate={rate}r",
            r"burst=\d+": f"burst={burst}",
        },
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.getuid() == 0 else ""
    main = (
        f"daemon off; {user} pid {folder}/pid; events {{}} http {{ {places} include {folder}/cutout.conf; }}"
    )
    (folder / "cutout.conf").write_text(text, encoding="utf-8")
    (folder / "nginx.conf").write_text(main, encoding="utf-8")
    command = [
        need("nginx"),
        "-p",
        str(folder),
        "-c",
        str(folder / "nginx.conf"),
        "-e",
        str(folder / "start.log"),
    ]
    with _running(command, proxy, {}):
        yield proxy


@contextmanager
def caddy(folder: Path, site: int) -> Iterator[Proxy]:
    """Caddy in front of the site at this port."""
    proxy = Proxy("caddy", free_port(), free_port(), folder)
    _certificate(folder)
    program = need("caddy")
    here = (
        "admin off",
        f"http_port {proxy.http}",
        f"https_port {proxy.https}",
        "skip_install_trust",
        "default_bind 127.0.0.1",
    )
    places = {
        r"127\.0\.0\.1:8000": f"127.0.0.1:{site}",
        r"/var/log/caddy": str(folder),
        r"^\{\n": "{\n" + "".join(f"\t{line}\n" for line in here),
        r"^cutout\.example \{\n": f"{HOST} {{\n\ttls {folder}/certificate.pem {folder}/key.pem\n",
        r"(read_\w+) \d+[sm]": rf"\1 {PATIENCE}s",
    }
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < (2, 7):
        places[r"request_buffers 1MiB"] = "buffer_requests\n\t\tmax_buffer_size 1MiB"
    text = _filled((EXAMPLES / "Caddyfile").read_text(encoding="utf-8"), places)
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    command = [program, "run", "--config", str(folder / "Caddyfile")]
    with _running(
        command, proxy, {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    ):
        yield proxy


PROXIES: dict[str, Callable[..., Any]] = {"nginx": nginx, "caddy": caddy}


@contextmanager
def _running(command: list[str], proxy: Proxy, env: dict[str, str]) -> Iterator[None]:
    """Start a proxy and wait until it answers."""
    with (proxy.folder / "output.log").open("wb") as output:
        process = subprocess.Popen(command, env={**os.environ, **env}, stdout=output, stderr=output)
    try:
        for _ in range(500):
            assert process.poll() is None, proxy.logged()
            try:
                proxy.connect().close()
                break
            except OSError:
                time.sleep(0.02)
        else:
            raise AssertionError(f"{proxy.name} did not start: {proxy.logged()}")
        yield
    finally:
        process.kill()
        process.wait(timeout=20)


def _filled(text: str, places: dict[str, str]) -> str:
    """The example configuration with each pattern of ``places`` replaced. AssertionError if the example does
    not have one: then this module must follow a change of the example.
    """
    for pattern, here in places.items():
        text, found = re.subn(pattern, here, text, flags=re.MULTILINE)
        assert found, f"the example has no {pattern}"
    return text


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _certificate(folder: Path) -> None:
    """Write a self-signed certificate for HOST, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / "certificate.pem").write_bytes(made.public_bytes(pem))
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(secret)
