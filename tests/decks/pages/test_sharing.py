"""Handing a deck on: the address that holds all of it, QR, frames in other sites, the preview picture."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pytest
import segno
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cardsdb.games import games
from cardsdb.games.kit import Decklist, Entry, Starter
from cardsdb.games.kit.listtext.deck import read_deck
from decks.formats import FORMATS, export, read_any
from decks.formats.deck_link import BadLink, read_link, write_link
from decks.models import Deck
from decks.pages.sharing import MAX_QR, fits_code
from tests.support.pages import page_of
from tests.support.public_decks import make_deck

pytestmark = pytest.mark.one_database

STARTERS = [(game.slug, starter) for game in games().values() for starter in game.starters]


@pytest.mark.django_db
@pytest.mark.parametrize("visibility", ["private", None])
def test_a_frame_of_a_private_deck_says_so_in_the_page_that_frames_it(
    client: Client, visibility: str | None
) -> None:
    deck = make_deck(client, "Alpha", "2 Kai")
    Deck.objects.filter(pk=deck.pk).update(visibility="private")
    answer = Client().get(f"/decks/{deck.link if visibility else 'never'}/embed/")
    assert (answer.status_code, "or it is private" in answer.content.decode()) == (404, True)
    assert "Alpha" not in answer.content.decode()
    assert "frame-ancestors *" in answer["Content-Security-Policy"] and "X-Frame-Options" not in answer


def counts(deck: Decklist) -> list[tuple[str, str, int]]:
    return sorted((entry.section, entry.card.code, entry.count) for entry in deck)


@pytest.mark.parametrize(
    ("slug", "starter"), STARTERS, ids=lambda value: value.slug if isinstance(value, Starter) else value
)
def test_every_ready_deck_comes_whole_out_of_its_address(slug: str, starter: Starter) -> None:
    game = games()[slug]
    deck = read_deck(game, starter.text).deck
    linked = read_link(
        "https://example.org/d/#" + write_link(game, deck, game.formats_by_slug[starter.format]), games()
    )
    again = read_deck(game, linked.text)
    assert (counts(again.deck), again.deck.name, dict(again.deck.details)) == (
        counts(deck),
        deck.name,
        dict(deck.details),
    )
    assert (linked.game, again.format) == (slug, starter.format)


CARDS = [card for card in games()["xfiles"].cards if card.type != "x-file"]


@given(
    st.lists(st.tuples(st.sampled_from(CARDS), st.integers(1, 99)), unique_by=lambda pair: pair[0].code),
    st.text(max_size=40),
)
@settings(max_examples=60, deadline=None)
def test_awkward_cards_and_names_survive_their_address(pairs: list[Any], name: str) -> None:
    game = games()["xfiles"]
    name = " ".join("".join(character for character in name if character.isprintable()).split())
    deck = Decklist(tuple(Entry(card, count, "bureau") for card, count in pairs), name=name)
    fragment = write_link(game, deck, game.formats[0], "D1.at_least=40")
    assert re.fullmatch(r"[A-Za-z0-9/._~%:=-]+", fragment), "every program takes it for part of the address"
    linked = read_link(fragment, games())
    assert (counts(read_deck(game, linked.text).deck), linked.house) == (counts(deck), "D1.at_least=40")


def fragment_of(slug: str = "nine-tiger") -> str:
    game = games()["spycraft"]
    starter = next(starter for starter in game.starters if starter.slug == slug)
    return write_link(game, read_deck(game, starter.text).deck, game.formats_by_slug[starter.format])


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_an_address_that_lost_anything_is_refused(data: st.DataObject) -> None:
    fragment = fragment_of()
    cut = data.draw(st.integers(8, len(fragment) - 1))
    length = data.draw(st.integers(1, 5))
    with pytest.raises(BadLink):
        read_link(fragment[:cut] + fragment[cut + length :], games())


def test_a_program_that_encodes_an_address_once_more_does_no_harm() -> None:
    fragment = fragment_of()
    assert read_link(fragment.replace(":", "%3A").replace("=", "%3D"), games()) == read_link(
        fragment, games()
    )


@pytest.mark.parametrize("end", [".", ")", ").", ",", "”", " \n", ">"])
def test_a_sentence_that_ends_behind_an_address_does_no_harm(end: str) -> None:
    fragment = fragment_of()
    assert read_link(f"(https://example.org/d/#{fragment}{end}", games()) == read_link(fragment, games())


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "begins with"),
        ("https://example.org/decks/abc/", "begins with"),
        ("cutout1/" + "a/" * 9_000, "longer than"),
        ("cutout1/chess/standard/2de7a6d6", "checksum"),
    ],
)
def test_what_is_no_deck_is_refused_in_words(address: str, words: str) -> None:
    with pytest.raises(BadLink, match=words):
        read_link(address, games())


def with_checksum(body: str) -> str:
    from zlib import crc32

    return f"{body}/{crc32(body.encode()):08x}"


def test_a_card_that_left_the_game_stays_as_its_code() -> None:
    linked = read_link(with_checksum("cutout1/spycraft/agency/deck:/2.kai/3.somebody-gone"), games())
    reading = read_deck(games()["spycraft"], linked.text)
    assert [unread.text for unread in reading.unread] == ["3 somebody-gone"]


@pytest.mark.parametrize(
    "body",
    [
        "cutout1/chess/standard/kai",
        "cutout2/spycraft/agency/kai",
        "cutout1/spycraft",
        "cutout1/spycraft/agency/<b>",
    ],
)
def test_an_address_of_another_game_or_a_later_edition_says_so(body: str) -> None:
    with pytest.raises(BadLink):
        read_link(with_checksum(body), games())


# -- pages ----------------------------------------------------------------------------


def made(client: Client, text: str, game: str = "spycraft", **values: str) -> Deck:
    answer = client.post("/decks/new/", {"game": game, "name": "Dragons", "text": text, **values})
    assert answer.status_code == 302, answer.content.decode()[:3000]
    return Deck.objects.get(link=answer["Location"].split("/")[2])


SECRET = "Starting Agents:\n1 Agent Fox Mulder\n\nX-File:\n1 Alien Abduction\n"


def secret_text() -> str:
    card = next(card for card in games()["xfiles"].cards if card.type == "x-file")
    return f"Agents:\n1 Agent Fox Mulder\n\nX-File:\n1 {card.name}\n"


def secret_code() -> str:
    return next(card for card in games()["xfiles"].cards if card.type == "x-file").code


@pytest.mark.django_db
def test_an_address_is_opened_judged_and_kept_without_an_account(client: Client) -> None:
    page = client.post("/d/", {"address": "http://testserver/d/#" + fragment_of()})
    assert page.status_code == 200
    assert page.context["judged"].verdict == "legal"
    kept = client.post(
        "/decks/new/",
        {"game": "spycraft", "name": "Mine", "text": page.context["linked"].text, "format": "agency"},
    )
    assert (kept.status_code, Deck.objects.get().verdict) == (302, "legal")


@pytest.mark.django_db
def test_an_address_that_is_opened_shows_faces_numbers_and_the_paper(client: Client) -> None:
    page = client.post("/d/", {"address": "http://testserver/d/#" + fragment_of()}).content.decode()
    assert 'class="fan fan-across fan-skills"' in page and 'id="in-brief-1' in page
    assert '<section class="paper">' in page and "data-whole-card" in page


@pytest.mark.django_db
def test_the_house_rules_of_an_address_are_kept_with_its_deck(client: Client) -> None:
    game = games()["spycraft"]
    deck = read_deck(game, "1 Kai").deck
    address = write_link(game, deck, game.formats_by_slug["agency"], "AG-3.at_least=40")
    page = client.post("/d/", {"address": address})
    assert page.context["linked"].house == "AG-3.at_least=40"
    made(client, page.context["linked"].text, house=page.context["linked"].house)
    assert Deck.objects.get().house == "AG-3.at_least=40"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["", "nothing", "cutout1/spycraft/agency/kai/00000000", "\x01", "#" * 20_000]
)
def test_an_address_that_cannot_be_read_stays_in_its_field_with_the_reason(
    client: Client, address: str
) -> None:
    answer = client.post("/d/", {"address": address})
    assert (answer.status_code, answer.context["typed"]) == (400, address)
    assert answer.context["faults"][0].message


@pytest.mark.django_db
def test_the_addresses_of_a_deck_with_a_secret_do_not_tell_it(client: Client) -> None:
    deck = made(client, secret_text(), "xfiles", visibility="public")
    page = client.get(f"/decks/{deck.link}/share/")
    assert "agent-fox-mulder" in page.context["whole_address"]
    for address in ("share/", "embed/"):
        assert secret_code() not in client.get(f"/decks/{deck.link}/{address}").content.decode()


def starter_deck() -> str:
    return next(starter.text for starter in games()["xfiles"].starters if starter.slug == "deck-mulder")


@pytest.mark.django_db
def test_a_stranger_gets_the_same_verdict_from_the_address_without_the_secret(client: Client) -> None:
    deck = made(client, starter_deck(), "xfiles", visibility="public")
    (secret,) = [
        entry.card for entry in Deck.objects.with_cards().get().decklist() if entry.section == "xfile"
    ]
    address = client.get(f"/decks/{deck.link}/share/").context["whole_address"]
    assert secret.code not in address and secret.name not in address
    opened = Client().post("/d/", {"address": address})
    shown = opened.content.decode()
    assert (opened.context["judged"].verdict, deck.verdict) == ("legal", "legal")
    assert (
        "1 X-File | secret" in opened.context["linked"].text
        and "A secret X-File" in shown
        and secret.name not in shown
    )
    assert "1 card is kept secret by the deck’s author" in shown
    # Kept as a deck of one's own it can be passed on again.
    kept = made(Client(), opened.context["linked"].text, "xfiles", visibility="public")
    assert kept.verdict == "legal"
    assert (
        Client()
        .post("/d/", {"address": client.get(f"/decks/{kept.link}/share/").context["whole_address"]})
        .context["covered"]
        == 1
    )


@pytest.mark.django_db
def test_a_revealed_secret_stands_in_the_address(client: Client) -> None:
    deck = made(client, starter_deck(), "xfiles", visibility="public")
    Deck.objects.update(revealed=True)
    linked = read_link(client.get(f"/decks/{deck.link}/share/").context["whole_address"], games())
    assert "| secret" not in linked.text


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("dek", "mpc")])
def test_a_card_that_is_not_shown_travels_through_files(name: str) -> None:
    game = games()["xfiles"]
    reading = read_deck(game, "X-File:\n1 X-File | secret\nBureau deck:\n2 First Aid\n")
    written = export(name, game, reading)
    assert counts(read_any(game, written.data, written.filename, name).reading.deck) == counts(reading.deck)


def test_only_cards_of_secret_sections_can_be_left_untold() -> None:
    assert [unread.code for unread in read_deck(games()["xfiles"], "1 Agent | secret").unread] == [
        "unknown_card"
    ]
    assert [unread.code for unread in read_deck(games()["spycraft"], "1 Leader | secret").unread] == [
        "unknown_card"
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["share/", "page.svg", "list.svg", "embed/", "picture.png"])
def test_a_private_deck_is_shown_by_no_address_to_a_stranger(
    client: Client, agency_text: str, page: str
) -> None:
    deck = made(client, agency_text)
    assert Client().get(f"/decks/{deck.link}/{page}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["embed/", "picture.png"])
def test_what_other_sites_show_of_a_private_deck_is_nothing_for_its_owner_too(
    client: Client, agency_text: str, page: str
) -> None:
    deck = made(client, agency_text)
    assert client.get(f"/decks/{deck.link}/{page}").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_the_code_of_a_decks_page_is_offered_only_where_others_can_open_it(
    client: Client, agency_text: str, visibility: str
) -> None:
    deck = made(client, agency_text, visibility=visibility)
    shared = page_of(client.get(f"/decks/{deck.link}/share/"))
    pictures = [picture["src"] for picture in shared.main.all("img")]
    opened = Client().get(f"/decks/{deck.link}/").status_code == 200
    assert (f"/decks/{deck.link}/page.svg" in pictures, f"/decks/{deck.link}/list.svg" in pictures) == (
        opened,
        True,
    )
    assert ("others are told that there is no such page" in shared.main.text) != opened
    assert shared.one("label", for_="page-address").text == (
        "Address of the page" if opened else "Address of the page, for you alone"
    )


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["page.svg", "list.svg"])
def test_a_qr_code_is_a_picture_with_a_white_edge(client: Client, agency_text: str, name: str) -> None:
    deck = made(client, agency_text)
    answer = client.get(f"/decks/{deck.link}/{name}")
    assert answer["Content-Type"] == "image/svg+xml"
    assert b'fill="#fff"' in answer.content


LONG = "\n".join(
    f"1 {card.name}"
    for card in games()["spycraft"].cards[:400]
    if card.type in ("agent", "gear", "action") and card.name != "Tracer"
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("visibility", "instead"),
    [
        ("unlisted", "the code of the deck's page below, which always fits"),
        ("private", "Make the deck unlisted or public, and the short code of its page is here instead"),
    ],
)
def test_a_list_too_long_for_a_qr_code_has_none_and_the_page_says_so(
    client: Client, visibility: str, instead: str
) -> None:
    deck = made(client, LONG, visibility=visibility)
    assert client.get(f"/decks/{deck.link}/list.svg").status_code == 404
    shared = page_of(client.get(f"/decks/{deck.link}/share/"))
    assert all(client.get(picture["src"]).status_code == 200 for picture in shared.main.all("img"))
    told = shared.one(class_="share-without-code").text
    assert told.startswith("The list is too long for a QR code") and instead in told


@pytest.mark.django_db
def test_the_longest_address_that_a_qr_code_holds_has_one_and_one_letter_more_has_none() -> None:
    start = "https://cutout.example/d/#cutout1/"
    for length, fits in ((MAX_QR, True), (MAX_QR + 1, False)):
        address = start + "a" * (length - len(start))
        assert fits_code(address) == fits
        try:
            segno.make_qr(address, error="l")
        except segno.DataOverflowError:
            assert not fits
        else:
            assert fits


@pytest.mark.django_db
def test_any_site_may_frame_the_small_page_and_no_other(client: Client, agency_text: str) -> None:
    deck = made(client, agency_text, visibility="unlisted")
    small, page = Client().get(f"/decks/{deck.link}/embed/"), Client().get(f"/decks/{deck.link}/")
    assert "frame-ancestors *" in small["Content-Security-Policy"]
    assert "X-Frame-Options" not in small
    assert not small.cookies
    assert ("frame-ancestors 'none'" in page["Content-Security-Policy"], page["X-Frame-Options"]) == (
        True,
        "DENY",
    )


@pytest.mark.django_db
def test_a_public_decks_page_says_what_it_is_to_machines(client: Client, agency_text: str) -> None:
    deck = made(client, agency_text, visibility="public", name="</script><b>")
    page = Client().get(f"/decks/{deck.link}/").content.decode()
    data = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)[0])
    assert (data["@type"], data["name"]) == ("ItemList", "</script><b>")
    assert f"http://testserver/decks/{deck.link}/picture.png" in page


@pytest.mark.django_db
def test_machines_are_told_where_each_card_is(client: Client) -> None:
    deck = made(client, "2 Nightjar | agent | power: 3\n1 Hitman\n", game="spynet", visibility="public")
    page = Client().get(f"/decks/{deck.link}/").content.decode()
    data = json.loads(re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)[0])
    found = {item["name"]: item.get("url") for item in data["itemListElement"]}
    address = found.pop("1 Hitman")
    assert found == {"2 Nightjar": None}, "a card that is written in has no page"
    assert address == "http://testserver/cards/spynet/hitman/" and Client().get(address).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_that_is_not_public_asks_not_to_be_indexed(
    client: Client, agency_text: str, visibility: str
) -> None:
    deck = made(client, agency_text, visibility=visibility)
    assert '<meta name="robots" content="noindex">' in client.get(f"/decks/{deck.link}/").content.decode()


@pytest.mark.django_db
def test_the_preview_picture_has_the_size_that_timelines_want_and_is_drawn_once(
    client: Client, agency_text: str
) -> None:
    deck = made(client, agency_text, visibility="public")
    first = client.get(f"/decks/{deck.link}/picture.png")
    assert Image.open(BytesIO(first.content)).size == (1200, 630)
    assert (
        client.get(f"/decks/{deck.link}/picture.png", headers={"If-None-Match": first["ETag"]}).status_code
        == 304
    )


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["embed/", "picture.png"])
def test_what_other_sites_show_is_asked_for_again_after_a_minute_at_little_cost(
    client: Client, agency_text: str, page: str
) -> None:
    deck = made(client, agency_text, visibility="public")
    first = Client().get(f"/decks/{deck.link}/{page}")
    assert set(first["Cache-Control"].split(", ")) == {"public", "max-age=60", "must-revalidate"}
    again = Client().get(f"/decks/{deck.link}/{page}", headers={"If-None-Match": first["ETag"]})
    assert (
        again.status_code,
        again.get("Content-Security-Policy", policy := first["Content-Security-Policy"]),
    ) == (304, policy)
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    changed = Client().get(f"/decks/{deck.link}/{page}", headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed["ETag"] != first["ETag"]) == (200, True)
