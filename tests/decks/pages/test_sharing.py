"""Passing a deck on: the address that contains the whole list, QR codes, the page in other sites' frames, the
preview picture, and files, with the visitor's own texts if they ask for them.
"""

import json
from dataclasses import fields
from io import BytesIO

import pytest
import segno
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image

from cardsdb.box.texts import box_for_everyone, save_text
from cardsdb.catalogue.current import game_named
from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import Viewer
from cardsdb.search import results
from decks.formats import FORMATS, export, read_any
from decks.formats.card_files import CARD_FILES
from decks.formats.deck_link import read_link, write_link
from decks.models import Deck
from decks.pages.sharing import MAX_QR, fits_code
from tests.support.commands import run
from tests.support.deck_files import HOLD_ALL
from tests.support.made_decks import named_deck, starter
from tests.support.pages import Page, page, page_of

# SQLite is enough here: tests/house/test_permissions.py asks for each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]
SPYCRAFT = games()["spycraft"]


@pytest.fixture
def deck(client, agency_text):
    return named_deck(client, "Night Watch", agency_text)


def secret(client) -> Deck:
    """A deck with a secret X-File."""
    return named_deck(client, "Trust", starter("xfiles", "deck-mulder"), game="xfiles")


def opened(address, status=200) -> Page:
    """The page that a stranger gets for an address that contains a list."""
    return page_of(Client().post("/d/", {"address": address}), status=status)


def shared(client, deck: Deck) -> Page:
    return page(client, f"/decks/{deck.link}/share/")


def whole_address(client, deck: Deck) -> str:
    return str(shared(client, deck).one(id="whole-address").value)


# -- the address with the list ---------------------------------------------------------


def test_an_address_is_opened_and_judged_and_its_list_saved_without_an_account(client, deck):
    shown = opened(whole_address(client, deck))
    assert shown.one(id="verdict-title").text == "Legal"
    assert shown.has(class_="fan-skills") and shown.has(id="in-brief-1") and shown.has(class_="paper")
    sent = shown.one("button", formaction="/decks/new/").parent.parent.sent
    assert Client().post("/decks/new/", sent).status_code == 302
    assert [saved.verdict for saved in Deck.objects.all()] == ["legal"] * 2


def test_the_house_rules_of_an_address_are_saved_with_its_deck(client):
    list_of_one = read_deck(SPYCRAFT, "1 Kai").deck
    address = write_link(SPYCRAFT, list_of_one, SPYCRAFT.formats_by_slug["agency"], "AG-3.at_least=40")
    client.post("/decks/new/", opened(address).one("button", formaction="/decks/new/").parent.parent.sent)
    assert Deck.objects.get().house == "AG-3.at_least=40"


@pytest.mark.parametrize("address", ["", "cutout1/spycraft/agency/kai/00000000", "\x01", "#" * 20_000])
def test_an_address_that_cannot_be_read_stays_in_its_field_with_the_reason(address):
    refused = opened(address, 400)
    assert refused.context["typed"] == address and refused.context["faults"][0].message


def test_the_address_hides_the_secret_card_and_gives_a_stranger_the_same_verdict(client):
    deck = secret(client)
    (hidden,) = [entry.card for entry in deck.decklist() if entry.section == "xfile"]
    address = whole_address(client, deck)
    assert "agent-fox-mulder" in address and hidden.code not in address
    for rest in ("share/", "embed/"):
        assert hidden.code not in client.get(f"/decks/{deck.link}/{rest}").text
    shown = opened(address)
    assert (shown.context["judged"].verdict, deck.verdict) == ("legal", "legal")
    text = shown.context["linked"].text
    assert "1 X-File | secret" in text and "A secret X-File" in shown.text and hidden.name not in shown.text
    assert "1 card is kept secret by the deck’s author" in shown.text
    # The stranger saves it as a deck of their own and passes that on.
    kept = named_deck(client, "Kept", text, game="xfiles")
    assert kept.verdict == "legal"
    assert opened(whole_address(client, kept)).context["covered"] == 1


def test_a_revealed_secret_card_stands_in_the_address(client):
    deck = secret(client)
    Deck.objects.update(revealed=True)
    assert "| secret" not in read_link(whole_address(client, deck), games()).text


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("dek", "mpc")])
def test_a_covered_secret_card_is_kept_through_every_file_format(name):
    game = games()["xfiles"]
    reading = read_deck(game, "X-File:\n1 X-File | secret\nBureau deck:\n2 First Aid\n")
    written = export(name, game, reading)
    again = read_any(game, written.data, written.filename, name).reading
    assert {(e.section, e.card.code, e.count) for e in again.deck} == {
        (e.section, e.card.code, e.count) for e in reading.deck
    }


# -- pages and pictures for other people and sites ------------------------------------------------------


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_the_code_of_a_decks_page_is_offered_only_where_others_can_open_it(client, deck, visibility):
    Deck.objects.update(visibility=visibility)
    share, open = shared(client, deck), visibility != "private"
    pictures = [picture["src"] for picture in share.main.all("img")]
    for picture in pictures:
        answer = client.get(picture)
        assert answer["Content-Type"] == "image/svg+xml" and b'fill="#fff"' in answer.content, "a white edge"
    assert f"/decks/{deck.link}/list.svg" in pictures
    assert (f"/decks/{deck.link}/page.svg" in pictures) is open


def test_a_list_too_long_for_a_qr_code_has_none_and_the_page_says_what_to_use_instead(client):
    names = [card.name for card in SPYCRAFT.cards[:400] if card.type in ("agent", "gear", "action")]
    deck = named_deck(client, "Long", "\n".join(f"1 {name}" for name in names if name != "Tracer"))
    page(client, f"/decks/{deck.link}/list.svg", status=404)
    share = shared(client, deck)
    assert all(client.get(picture["src"]).status_code == 200 for picture in share.main.all("img"))
    notice = share.one(class_="share-without-code").text
    assert "too long for a QR code" in notice and "the code of the deck's page below" in notice
    Deck.objects.update(visibility="private")
    assert "Make the deck unlisted or public" in shared(client, deck).one(class_="share-without-code").text


def test_the_bound_of_a_qr_code_is_exact():
    longest = "https://cutout.example/d/#cutout1/".ljust(MAX_QR, "a")
    assert fits_code(longest) and segno.make_qr(longest, error="l")
    assert not fits_code(longest + "a")
    with pytest.raises(segno.DataOverflowError):
        segno.make_qr(longest + "a", error="l")


def test_any_site_may_embed_the_small_page_but_no_other(deck):
    small, whole = (Client().get(f"/decks/{deck.link}/{rest}") for rest in ("embed/", ""))
    assert "frame-ancestors *" in small["Content-Security-Policy"]
    assert "X-Frame-Options" not in small and not small.cookies
    assert "frame-ancestors 'none'" in whole["Content-Security-Policy"]
    assert whole["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("is_there", [True, False])
def test_an_embedded_private_deck_and_an_unknown_one_give_the_same_notice(deck, is_there):
    Deck.objects.update(visibility="private")
    answer = Client().get(f"/decks/{deck.link if is_there else 'never'}/embed/")
    notice = page_of(answer, status=404).text
    assert "or it is private" in notice and "Night Watch" not in notice
    assert "frame-ancestors *" in answer["Content-Security-Policy"] and "X-Frame-Options" not in answer


def test_the_preview_picture_has_the_size_that_other_sites_expect(client, deck):
    picture = client.get(f"/decks/{deck.link}/picture.png").content
    assert Image.open(BytesIO(picture)).size == (1200, 630)


@pytest.mark.parametrize("rest", ["embed/", "picture.png"])
def test_what_other_sites_show_is_cached_for_a_minute_and_then_revalidated(client, deck, rest):
    def asked(**headers):
        return Client().get(f"/decks/{deck.link}/{rest}", headers=headers)

    first = asked()
    assert set(first["Cache-Control"].split(", ")) == {"public", "max-age=60", "must-revalidate"}
    known = {"If-None-Match": first["ETag"]}
    again, policy = asked(**known), first["Content-Security-Policy"]
    assert (again.status_code, again.get("Content-Security-Policy", policy)) == (304, policy)
    client.post(f"/decks/{deck.link}/edit/", {"edit": "+1 deck kai"})
    changed = asked(**known)
    assert (changed.status_code, changed["ETag"] != first["ETag"]) == (200, True)


# -- files for other programs --------------------------------------------------------------


def test_the_files_page_leads_to_the_file_in_every_format(client, deck):
    files = f"/decks/{deck.link}/files/"
    assert files in page(client, f"/decks/{deck.link}/").links
    listed = page(client, files)
    assert "/games/spycraft/lackey.zip" in listed.links and listed.has(class_="file-hash")
    for words in ("put among those of main", "The format “Agency Deck”:", "into the tool"):
        assert words in listed.text, "each tells what it leaves out"
    for name, format in FORMATS.items():
        assert f"{files}{name}/" in listed.links
        answer = client.get(f"{files}{name}/")
        filename = f'attachment; filename="spycraft-night-watch{format.suffix}"'
        assert filename in answer["Content-Disposition"]
        assert b"BANSHEE NET" in answer.content.upper(), name
        assert f"charset={format.encoding}" in answer["Content-Type"]
    page(client, f"{files}doc/", status=404)


def test_files_that_can_hold_it_say_all_that_the_author_wrote(client):
    about = {"notes": "Strong in\n\nCraft.", "tags": ["duel", "late game"], "house": "AG-4.limit=4"}
    link = named_deck(client, "Dragons", "2 Kai ^keep", **about).link
    content = Deck.objects.get().content()
    wrote = {field.name: getattr(content, field.name) for field in fields(content)}
    assert all(wrote.values()), "a new field gets a value here"
    for name in HOLD_ALL:
        data = client.get(f"/decks/{link}/files/{name}/").content
        read = read_any(game_named("spycraft"), data, "", name).reading
        assert {key: getattr(read, key) for key in wrote} == wrote, name


def test_the_secret_x_file_is_in_no_file_that_strangers_get(client):
    deck = named_deck(client, "Trust", "X-File:\n1 Duane Barry\nAgents:\n1 Agent Fox Mulder", game="xfiles")
    for file in (*(f"files/{name}/" for name in FORMATS), "cards/?to=csv"):
        own, others = (
            visitor.get(f"/decks/{deck.link}/{file}").content.upper() for visitor in (client, Client())
        )
        assert (b"BARRY" in own, b"BARRY" in others, b"MULDER" in others) == (True, False, True), file


def test_a_games_cards_can_be_downloaded_for_other_programs(client):
    archive = client.get("/games/spynet/lackey.zip")
    assert archive["Content-Disposition"] == 'attachment; filename="spynet.zip"'
    listed = client.get("/games/spynet/lackey/updatelist.txt").text
    assert "http://testserver/games/spynet/lackey/plugininfo.txt" in listed
    assert client.get("/games/spynet/lackey/nothing.txt").status_code == 404
    assert client.get("/games/spynet/cockatrice.xml").content.startswith(b"<?xml")


# -- with the visitor's own texts ------------------------------------------------------------------

# A word that stands only in Ada's text of a card.
CANARY, KAI_AND_LI = "Zeppelinade", "2 Kai\n1 Li"
FOUND = "/cards/file/?q=game%3Aspycraft+!Kai"


@pytest.fixture
def ada():
    user = User.objects.create_user("ada")
    save_text(Viewer(user.pk), SPYCRAFT, "kai", f"{CANARY}.")
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def hers(ada):
    return f"/decks/{named_deck(ada, 'Hers', KAI_AND_LI).link}/"


def test_files_have_a_visitors_own_texts_only_for_them_and_only_on_request(ada, hers):
    addresses = [
        *(f"{FOUND}&to={name}&texts=mine" for name in CARD_FILES),
        *(f"{hers}cards/?to={name}&texts=mine" for name in CARD_FILES),
        *(f"{hers}files/{name}/?texts=mine" for name in ("csv", "json", "tts")),
    ]
    for address in addresses:
        mine, theirs = ada.get(address), Client().get(address)
        assert CANARY in mine.text, address
        assert "private" in mine["Cache-Control"] and "no-store" in mine["Cache-Control"]
        assert theirs.status_code == 200 and CANARY not in theirs.text, address
        assert CANARY not in ada.get(address.replace("texts=mine", "")).text, address
    assert CANARY not in ada.get(f"{hers}files/o8d/?texts=mine").text, "that format has no place for texts"


def test_a_card_file_that_cannot_be_made_says_why(client, monkeypatch):
    page(client, f"{FOUND}&to=doc", status=404)
    nothing = "/cards/file/?to=csv&q=game%3Aspycraft+nothingofthesort"
    for address, reason in (("/cards/file/?to=csv", "of several"), (nothing, "No card is found")):
        assert reason in page(client, address, status=400).text
    monkeypatch.setattr(results, "MAX_CARDS", 3)
    page(client, "/cards/file/?to=csv&q=game%3Aspycraft", status=400)


def exported(*words) -> str:
    """The output of the command ``export_cards`` for Kai, with these arguments."""
    return run("export_cards", "!Kai", "--game", "spycraft", "--to", "json", *words).out


def test_the_export_command_has_the_texts_of_an_account_or_of_everyone_on_request(ada):
    assert CANARY not in exported() + exported("--with-texts")
    assert CANARY in exported("--with-texts", "--owner", "ada")
    box_for_everyone().owntexts.create(game="spycraft", card_code="kai", text="For all.")
    assert "For all." in exported("--with-texts")


def test_both_commands_read_texts_from_a_file_and_write_to_one(ada, tmp_path):
    table, out, list_of_two = tmp_path / "mine.csv", tmp_path / "out", tmp_path / "deck.txt"
    table.write_text("name,text\nKai,Out of a file.\n", encoding="utf-8")
    assert "Out of a file." in exported("--texts", str(table))
    exported("-o", str(out))
    assert json.loads(out.read_text(encoding="utf-8"))["game"] == "spycraft"
    list_of_two.write_text("2 Kai\n", encoding="utf-8")
    options = ("--game", "spycraft", "--to", "csv", "--texts", str(table), "-o", str(out))
    run("convert_deck", str(list_of_two), *options)
    assert "Out of a file." in out.read_text(encoding="utf-8")
