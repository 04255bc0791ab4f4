"""nginx and Caddy, run with the example files of docs/deploy, do what docs/deploy.md promises: they block,
limit and pass on requests.
"""

from __future__ import annotations

import contextlib
import json
import ssl
import time

import pytest

from tests.support.proxies import HOST, PATIENCE, PROXIES, Site, free_port

MEGABYTE = 1_000_000
pytestmark = pytest.mark.engine("sqlite")


@pytest.fixture(scope="module")
def site():
    """The fake site behind the proxies."""
    with Site().running() as running:
        yield running


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request, site, tmp_path_factory):
    """nginx, then Caddy, in front of the fake site."""
    with PROXIES[request.param](tmp_path_factory.mktemp(request.param), site.port) as running:
        yield running


def test_the_client_address_scheme_host_and_request_id_cannot_be_forged(proxy):
    forged = {
        "X-Forwarded-For": "203.0.113.9",
        "Forwarded": "for=203.0.113.9",
        "X-Forwarded-Proto": "http",
        "X-Request-ID": "0123456789abcdef",
    }
    first, second = (json.loads(proxy.ask("GET", "/", headers=forged).text)["headers"] for _ in range(2))
    reached = [first[name] for name in ("x-forwarded-for", "x-forwarded-proto", "host")]
    assert reached == ["127.0.0.1", "https", HOST]
    assert len({first["x-request-id"], second["x-request-id"], "0123456789abcdef"}) == 3


def test_plain_http_redirects_to_https_of_this_site_only(proxy):
    answer = proxy.ask_plainly("/cards/?page=2")
    assert answer.status in (301, 308)
    assert answer.headers["Location"] == f"https://{HOST}/cards/?page=2"


def test_the_api_is_not_redirected_from_plain_http(proxy):
    """A redirected program would go on sending its keys unencrypted without noticing."""
    assert proxy.ask_plainly("/api/v1/cards/").status == 403


def test_answers_of_the_proxy_itself_have_a_strict_policy(proxy):
    answers = [
        proxy.ask_plainly("/cards/"),
        proxy.ask_plainly("/api/v1/cards/"),
        proxy.ask("POST", "/decks/import/", b"x" * (10 * MEGABYTE)),
    ]
    policies = [answer.headers.get_all("Content-Security-Policy") for answer in answers]
    assert (
        policies == [["default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"]] * 3
    )


def test_the_policy_of_the_site_is_passed_on_and_none_added_to_a_304(proxy):
    assert proxy.ask("GET", "/").headers.get_all("Content-Security-Policy") == ["the site's"]
    answer = proxy.ask("GET", "/unchanged/")
    assert (answer.status, answer.headers.get_all("Content-Security-Policy")) == (304, None)


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_old_versions_of_tls_are_refused(proxy):
    with pytest.raises(ssl.SSLError, match=r"version|alert"):
        proxy.connect(newest=ssl.TLSVersion.TLSv1_1)


@pytest.mark.parametrize("proxy", ["nginx"], indirect=True)
def test_a_message_with_two_lengths_is_refused_by_nginx(proxy):
    """A server behind it might use the other length and read the rest as another request."""
    with proxy.connect() as sender:
        sender.sendall(
            f"POST / HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 4\r\nTransfer-Encoding:"
            " chunked\r\n\r\n0\r\n\r\n".encode()
        )
        assert b" 400 " in sender.recv(200)


def test_an_unknown_host_gets_no_answer_from_the_site(proxy, site):
    before = len(site.paths)
    # nginx closes the connection without an answer; Caddy answers with an empty page.
    with contextlib.suppress(OSError):
        assert "foreign.example" not in proxy.ask_plainly("/", host="foreign.example").headers.get(
            "Location", ""
        )
    with pytest.raises(ssl.SSLError):
        proxy.connect("foreign.example")
    with contextlib.suppress(OSError):
        proxy.ask("GET", "/", headers={"Host": "foreign.example"})
    assert len(site.paths) == before


@pytest.mark.parametrize(
    ("path", "megabytes", "taken"),
    [
        ("/decks/import/", 8, True),
        ("/decks/import/", 10, False),
        ("/pictures/", 10, True),
        ("/own/", 10, True),
    ],
)
def test_large_bodies_pass_where_the_site_takes_them(proxy, path, megabytes, taken):
    answer = proxy.ask("POST", path, b"x" * (megabytes * MEGABYTE))
    assert answer.status == (200 if taken else 413)


def test_an_incomplete_body_never_reaches_the_site(proxy, site):
    with proxy.connect() as sender:
        sender.settimeout(1.5 * PATIENCE)
        sender.sendall(f"POST /stalled/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 1000\r\n\r\nx".encode())
        # Newer versions of Caddy end the request and keep the connection open.
        with contextlib.suppress(TimeoutError):
            sender.recv(12)
    assert "/stalled/" not in site.paths


def test_incomplete_headers_time_out(proxy):
    with proxy.connect() as sender:
        sender.sendall(f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ".encode())
        began = time.monotonic()
        assert b"200" not in sender.recv(12)
    assert time.monotonic() - began < 5 * PATIENCE


def test_a_busy_answer_of_the_site_is_passed_on(proxy):
    answer = proxy.ask("GET", "/busy/")
    assert (answer.status, answer.headers["Retry-After"]) == (503, "17")
    assert "/busy/" in answer.text


def test_search_words_are_not_logged(proxy):
    proxy.ask(
        "GET",
        "/logged/?q=moonraker",
        headers={"Referer": f"https://{HOST}/?q=moonraker", "X-Deck-Key": "moonraker"},
    )
    until = time.monotonic() + 5
    while "/logged/" not in proxy.logged() and time.monotonic() < until:
        time.sleep(0.02)
    assert "/logged/" in proxy.logged()
    assert "moonraker" not in proxy.logged()


@pytest.mark.parametrize("name", PROXIES)
def test_visitors_are_told_to_retry_while_the_site_is_down(name, tmp_path_factory):
    with PROXIES[name](tmp_path_factory.mktemp(f"{name}-away"), free_port()) as proxy:
        answer = proxy.ask("GET", "/cards/?q=moonraker")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
        assert "started again" in answer.text
        assert (
            answer.headers["Strict-Transport-Security"]
            and len(answer.headers.get_all("Content-Security-Policy") or ()) == 1
        )
        assert "moonraker" not in proxy.logged()


def test_nginx_retries_only_reads_on_another_machine(tmp_path):
    with (
        Site().running() as one,
        Site(is_busy=True).running() as busy,
        PROXIES["nginx"](tmp_path, one.port, busy.port) as proxy,
    ):
        assert {proxy.ask("GET", "/cards/").status for _ in range(6)} == {200}
        assert len(busy.paths) >= 3, (
            "a busy machine is not left out: if all are busy, no machine would be left"
        )
        assert sorted(proxy.ask("POST", "/decks/", b"x").status for _ in range(4)) == [200, 200, 503, 503]
        one.is_busy = True
        answer = proxy.ask("GET", "/cards/")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "17")


def test_nginx_limits_requests_of_one_address(tmp_path):
    with Site().running() as site, PROXIES["nginx"](tmp_path, site.port, rate=1, burst=3) as proxy:
        answers = [proxy.ask("GET", "/cards/") for _ in range(30)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused and len(site.paths) == len(answers) - len(refused) >= 3
        assert (
            refused[0].headers["Retry-After"],
            len(refused[0].headers.get_all("Content-Security-Policy") or ()),
        ) == ("10", 1)
        assert "Try again" in refused[0].text


def test_nginx_passes_the_parallel_requests_of_one_visitor(tmp_path):
    with Site().running() as site, PROXIES["nginx"](tmp_path, site.port) as proxy:
        assert {proxy.ask("GET", "/cards/").status for _ in range(300)} == {200}
