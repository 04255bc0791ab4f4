"""Changes of the catalogue as a page and a feed; robots.txt and OpenSearch."""

from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from cardsdb.models import Card, Edition
from cardsdb.web.editions import IN_FEED, NAMED
from tests.support.pages import page

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
MADE = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def edition(**kinds: list[str]) -> Edition:
    """Create a further edition with these changes to Spycraft's cards."""
    codes: dict[str, list[str]] = {"added": [], "changed": [], "retired": [], **kinds}
    counts = {kind: len(found) for kind, found in codes.items()}
    return Edition.objects.create(made=MADE, changes=[{"game": "spycraft", **codes, "counts": counts}])


@pytest.fixture(autouse=True)
def no_editions(empty_catalogue):
    """The feed has only the editions that a test makes."""


def feed(client: Client) -> Any:
    answer = client.get("/changes.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(answer.content)


def test_the_page_links_to_the_cards_that_changed(client):
    edition(added=["kai"], retired=["li"])
    made = page(client, "/changes/").one("section", class_="panel")
    assert made.link("Kai") == "/cards/spycraft/kai/" and "/cards/spycraft/li/" in made.links
    assert made.one("p", class_="meta").text.endswith("· 1 added, 1 retired")


def test_only_the_first_cards_of_a_change_are_named_and_the_rest_are_counted(client):
    codes = list(Card.objects.in_game("spycraft").values_list("code", flat=True)[: NAMED + 15])
    made = edition(added=codes)
    made.changes[0]["counts"]["added"] = 858
    made.save()
    shown = page(client, "/changes/").one("section", class_="panel")
    assert len([href for href in shown.links if href.startswith("/cards/spycraft/")]) == NAMED
    assert shown.text.endswith(f" and {858 - NAMED} more")


def test_without_an_edition_page_and_feed_say_so(client):
    assert page(client, "/changes/").one(class_="empty").one("h2").text == "No edition yet"
    assert feed(client).findall(f"{ATOM}entry") == []


def test_a_game_that_is_gone_is_left_out_and_there_is_no_page_beyond_the_last(client):
    Edition.objects.create(changes=[{"game": "chess", "added": ["king"], "counts": {"added": 1}}])
    assert "chess" not in page(client, "/changes/").text
    assert client.get("/changes/", {"page": "2"}).status_code == 404


def test_the_feed_has_what_atom_requires_and_the_credits(client):
    made = edition(added=["kai"])
    found = feed(client)
    assert {f"{ATOM}{name}" for name in ("id", "title", "updated", "author")} <= {one.tag for one in found}
    assert "Manuel Correia" in found.findtext(f"{ATOM}rights")
    entry, address = found.find(f"{ATOM}entry"), f"http://testserver/changes/#edition-{made.number}"
    assert entry.findtext(f"{ATOM}title") == f"Edition {made.number}: 1 added"
    assert entry.find(f"{ATOM}link").get("href") == entry.findtext(f"{ATOM}id") == address
    assert entry.findtext(f"{ATOM}published") == "2026-05-04T03:02:01+00:00"


def test_the_feed_ends_after_the_newest_few(client):
    for _ in range(IN_FEED + 3):
        edition(changed=["kai"])
    assert len(feed(client).findall(f"{ATOM}entry")) == IN_FEED


def test_a_name_with_markup_stays_a_name(client):
    Card.objects.create(game="spycraft", code="evil", name="<b>&amp;", type="agent")
    edition(added=["evil"])
    summary = feed(client).find(f"{ATOM}entry").findtext(f"{ATOM}summary")
    assert "&lt;b&gt;&amp;amp;" in summary


@pytest.mark.parametrize(
    ("address", "kind", "says"),
    [
        ("/robots.txt", "text/plain", "\nDisallow: /cards/random/\nDisallow: /decks/*/edit\n"),
        (
            "/opensearch.xml",
            "application/opensearchdescription+xml",
            'template="http://testserver/cards/?q={searchTerms}"',
        ),
    ],
)
def test_robots_and_browsers_get_a_file_of_their_own(client, address, kind, says):
    answer = client.get(address)
    assert answer["Content-Type"].startswith(kind) and says in answer.text
