"""The example proxies of ``docs/deploy`` (nginx and Caddy), run from their own files in front of a fake site.

The fake ``Site`` answers with the request that reached it, as JSON, so a test can see what the proxy changed
or refused. Ports, paths and time-outs of an example are replaced by ``_filled``, which fails if the example
no longer contains what it replaces.
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
# Seconds that the proxies wait for slow senders here; longer in the examples.
PATIENCE = 1


class _Server(ThreadingHTTPServer):
    allow_reuse_port = True


@dataclass
class Site:
    """The site behind the proxy. It answers with the path, body length and headers it received, as JSON, and
    lists the paths.

    ``/busy/``, or every path if ``is_busy``, is refused with 503 as Cutout does.
    """

    port: int = 0
    is_busy: bool = False
    paths: list[str] = field(default_factory=list)

    @contextmanager
    def running(self, port: int = 0) -> Iterator[Site]:
        """Serve at this port, which the caller may hold by ``tests.support.server.free_port``, or at any free
        port.
        """
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
                    self.send_error(400)  # Like cardsdb/site/overload.py.
                    return
                paths.append(self.path)
                if self.path == "/unchanged/":
                    self.send_response(304)
                    self.end_headers()
                    return
                answer = json.dumps(
                    {
                        "path": self.path,
                        "length": len(body),
                        "headers": {k.lower(): v for k, v in self.headers.items()},
                    }
                ).encode()
                busy = site.is_busy or self.path == "/busy/"
                self.send_response(503 if busy else 200)
                if busy:
                    self.send_header("Retry-After", "17")
                self.send_header("Content-Security-Policy", "the site's")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_PATCH = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its ports for http and https, and the folder of its files and logs."""

    name: str
    http: int
    https: int
    folder: Path

    def connect(
        self, host: str = HOST, newest: ssl.TLSVersion = ssl.TLSVersion.MAXIMUM_SUPPORTED
    ) -> ssl.SSLSocket:
        """Return a TLS connection to the proxy, with at most this TLS version."""
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        if newest != ssl.TLSVersion.MAXIMUM_SUPPORTED:
            # Old versions are allowed on this side, so that it is the proxy that refuses them.
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest
        return context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.https), timeout=10), server_hostname=host
        )

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> HTTPResponse:
        """Send a request over https; return the response, with its body as ``text``."""
        connection = HTTPConnection(HOST)
        connection.sock = self.connect()
        return _answer(connection, method, path, body, headers)

    def ask_plainly(self, path: str, host: str = HOST) -> HTTPResponse:
        """Send a GET over plain http; return the response."""
        connection = HTTPConnection("127.0.0.1", self.http, timeout=10)
        return _answer(connection, "GET", path, None, {"Host": host})

    def logged(self) -> str:
        """Return the text of all logs in the proxy's folder."""
        return "".join(path.read_text(encoding="utf-8") for path in self.folder.glob("*.log"))


def _answer(
    connection: HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str] | None
) -> HTTPResponse:
    """Send the request and return the response, with its body as ``text``."""
    # The proxy may refuse before the whole body was sent; its answer can still be read.
    with contextlib.suppress(OSError):
        connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    answer.text = answer.read().decode()
    connection.close()
    return answer


@contextmanager
def nginx(folder: Path, *sites: int, rate: int = 100, burst: int = 3000) -> Iterator[Proxy]:
    """Run nginx in front of the sites at these ports. It passes on ``rate`` requests per second and
    address, and ``burst`` more at once.
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
    places = "".join(
        f"{use}_temp_path {folder}/{use};" for use in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
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
    """Run Caddy in front of the site at this port."""
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
        # Versions before 2.7 call this option by another name.
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
    """Start the proxy, wait until it accepts connections, and kill it at the end."""
    with (proxy.folder / "said.log").open("wb") as output:
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
    """Return the example with each pattern replaced. A pattern that is missing fails: the example has
    changed.
    """
    for pattern, here in places.items():
        text, found = re.subn(pattern, here, text, flags=re.MULTILINE)
        assert found, f"the example has no {pattern}"
    return text


def free_port() -> int:
    """Return a port that is free now. Another program may take it before it is used;
    ``tests.support.server.free_port`` holds it.
    """
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _certificate(folder: Path) -> None:
    """Write a self-signed certificate for the example's host, and its key."""
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
