"""Files besides the sheets, from the request to the file: their content, who may see what, and refusals; over
HTTP and on the command line. Beside it, ``test_export.py`` tests limits, and ``test_card_pictures.py``,
``test_cut_path.py``, ``test_print_services.py`` and ``test_tabletop_sheets.py`` the content of one kind each.
"""

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from lxml import html

from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY, Viewer
from decks.models import Deck
from printing.exports.card_pictures import plain_name
from printing.exports.export import Export, read_export_options
from printing.exports.kinds import EXPORT_KINDS
from printing.exports.print_services import left_out
from printing.faces.strokes import Drawing
from printing.layout.imposition import Piece
from printing.options.values import read_options
from tests.support.accounts import after
from tests.support.exports import (
    bytes_of,
    cards_in,
    export_of,
    handed_out,
    in_two_sizes,
    piles_in,
    starter,
)
from tests.support.made_decks import named_deck
from tests.support.pages import Part, page, page_of
from tests.support.print_decks import owns
from tests.support.visitors import few_of_a_starter

# tests/house/test_permissions.py requests each address on PostgreSQL as well.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

FILES = sorted(f"/print/{output.file}" for output in EXPORT_KINDS.values())
LIST = {"game": "spycraft", "text": "2 Kai\n1 Li", "dpi": "150"}


# -- the file of each kind ------------------------------------------------------------------


def small_file(slug: str, **wanted: str) -> Export:
    """Return this kind of file for the first three cards of a starter."""
    job, deck = starter("agentdecker")
    output, options = EXPORT_KINDS[slug], read_export_options({"dpi": "150"} | wanted)
    job = replace(job, entries=job.entries[:3], options=output.options(read_options({}), options, job.game))
    return output(job, options, [(job, replace(deck, entries=deck.entries[:3]))])


@pytest.mark.parametrize("slug", sorted(EXPORT_KINDS))
def test_a_file_has_the_same_bytes_key_and_name_each_time(slug):
    first = small_file(slug)
    data = bytes_of(first)
    # No file states when it was made.
    with after(days=2):
        second = small_file(slug)
        assert bytes_of(second) == data
    assert first.key == second.key
    name = f"agentdecker-{plain_name(first.job.title)}-{first.file}"
    assert (first.filename, second.filename) == (name, name)


def test_with_other_options_a_file_has_another_key():
    assert small_file("cards", dpi="300").key != small_file("cards").key


# ``blank_cards`` (tests/support/exports.py) draws empty pictures of the right size, which is faster.
@pytest.mark.usefixtures("blank_cards")
def test_backs_of_pieces_are_counted_as_pictures():
    job, steps = starter("spycraft")[0], list[int]()
    front = Drawing("Turn", *job.game.trim, ())
    # A back that no card has, so it is a picture more.
    back = front._replace(name="Turn, 2 of 2")
    job = replace(job, entries=job.entries[:3], extra=(Piece("Turn", front, back, 1),))
    archive = EXPORT_KINDS["cards"](job, read_export_options({}))
    archive.write(io.BytesIO(), steps.append)
    assert max(steps) == archive.work.steps


def test_a_file_states_its_cards_by_size_and_what_it_leaves_out():
    both = in_two_sizes()[0]
    archive = EXPORT_KINDS["cards"](
        replace(both, end_pages=(Drawing("Notebook", 1, 1, ()),)), read_export_options({})
    )
    assert archive.remarks() == tuple(left_out(archive.job)) and "1 page besides" in archive.remarks()[0]
    sizes = zip(both.parts, ("63.5 × 88.9 mm", "63 × 88 mm"), strict=True)
    assert archive.contents() == " and ".join(f"{part.own_cards} cards of {size}" for part, size in sizes)


# -- the cards that were chosen ---------------------------------------------------------------


def on_the_table(deck: Deck, viewer: Viewer = NOBODY, **options: str) -> list[Counter[str]]:
    """Return the names of the cards in each pile of the saved object."""
    # In this kind of file the further key is the text of the saved object.
    saved = export_of("tabletop", viewer, deck=deck.link, **options).further_key()
    return [Counter(card["Nickname"] for card in cards_in([pile])) for pile in piles_in(saved)]


def test_the_saved_object_has_the_chosen_cards_and_no_copies_for_a_print(client_of, owner):
    deck = named_deck(client_of, "Small", "3 Termite\n1 Bait")
    owns(owner, termite=2, bait=1)
    chosen = on_the_table(deck, owner, missing="yes", counts="bait=2", copies="3")
    assert chosen == [Counter({"Termite": 1, "Bait": 2})]


def test_the_saved_object_may_have_a_single_section(client_of):
    name = next(card.name for card in games()["xfiles"].cards if card.type == "agent")
    deck = named_deck(
        client_of, "Twice", f"Starting Agents\n1 {name}\n\nBureau deck\n3 {name}", game="xfiles"
    )
    assert on_the_table(deck, only="bureau") == [Counter({name: 3})]


def test_paper_and_copies_do_not_limit_files_besides_the_sheets(client_of):
    deck = named_deck(client_of, "Many", "99 Termite\n51 Bait")
    # Paper on which no card fits, and 3,000 cards, more than a print may have. Neither concerns a file
    # without sheets.
    for file, options in (("cards.zip", {"paper": "60x80"}), ("tabletop.zip", {"copies": "20"})):
        query = {"deck": deck.link, **options}
        assert client_of.get("/print/sheets.pdf", query).status_code == 400
        assert client_of.get(f"/print/{file}", query)["Content-Type"] == "application/zip"


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("output", ["cards", "tabletop", "service"])
def test_no_file_for_a_stranger_names_the_secret_x_file(client_of, owner, output):
    # The first line of each section of a starter includes the secret card.
    deck = named_deck(client_of, "Truth", few_of_a_starter("xfiles"), game="xfiles")
    (secret,) = {
        entry.card.name
        for entry in deck.decklist()
        if games()["xfiles"].is_secret(entry.section, entry.card.type)
    }

    def names_in_file(viewer: Viewer) -> str:
        """Return all texts that name cards, except facts, which may mention other cards."""
        data = bytes_of(export_of(output, viewer, deck=deck.link, service="mpc", dpi="150"))
        with ZipFile(io.BytesIO(data)) as archive:
            words = [
                archive.read(name).decode() for name in archive.namelist() if name[-3:] in ("txt", "xml")
            ]
            saved = (archive.read(name) for name in archive.namelist() if name.endswith(".json"))
            cards = [card["Nickname"] for text in saved for card in cards_in(piles_in(text))]
            return " ".join([*words, *cards, *archive.namelist()])

    assert secret in names_in_file(owner)
    assert secret not in names_in_file(NOBODY)


# -- over HTTP ----------------------------------------------------------------------------


@pytest.mark.parametrize("address", FILES)
def test_a_pasted_list_needs_the_csrf_token(address):
    assert Client(enforce_csrf_checks=True).post(address, LIST).status_code == 403


@pytest.mark.parametrize("address", [*FILES, "/print/service/"])
def test_files_count_towards_the_limit_of_work(client, settings, address):
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    assert client.post(address, LIST).status_code == 429
    assert client.get(address, {"deck": "nothing"}).status_code == 429


@pytest.mark.usefixtures("blank_cards")
@pytest.mark.parametrize("slug", sorted(EXPORT_KINDS))
def test_a_pasted_list_is_sent_as_each_file(client, slug):
    output = EXPORT_KINDS[slug]
    # Gzip, which the browser accepts, must not be applied: the files are compressed already.
    answer = client.post(f"/print/{output.file}", LIST, headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Type"] == output.content_type
    assert answer["Content-Disposition"] == f'attachment; filename="spycraft-cards-{output.file}"'
    assert answer["Cache-Control"] == "private, no-cache"
    starts = {".zip": b"PK\x03\x04", ".pdf": b"%PDF", ".svg": b"<?xml", ".dxf": b"999\r\n"}
    assert handed_out(answer).lstrip().startswith(starts[Path(output.file).suffix])


def test_a_file_that_has_not_changed_is_not_sent_again(client):
    address = "/print/cut.svg"
    tag = client.post(address, LIST)["ETag"]
    # A proxy that compresses answers makes their tags weak: it puts W/ before them.
    for known in (tag, f"W/{tag}"):
        again = client.post(address, LIST, headers={"If-None-Match": known})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    other = client.post(address, LIST | {"text": "3 Kai"}, headers={"If-None-Match": tag})
    assert other.status_code == 200


def test_files_use_the_options_of_the_print(client):
    fields = LIST | {"paper": "letter", "orientation": "landscape", "marks": "registration3", "copies": "3"}
    cut = handed_out(client.post("/print/cut.svg", fields))
    assert b'viewBox="0 0 279.400 215.900"' in cut and b'id="registration"' in cut
    with ZipFile(io.BytesIO(handed_out(client.post("/print/cards.zip", fields)))) as archive:
        assert archive.namelist()[1:3] == ["06x-kai.png", "03x-li.png"]


@pytest.mark.parametrize(
    ("address", "wrong", "message"),
    [
        ("cards.zip", {"image": "<b>"}, "Kind of picture must be png or webp or jpeg, not “<b>”."),
        ("cut.dxf", {"cut_sheet": "2"}, "a sheet of this print, 1 to 1, not “2”"),
        ("cards.zip", {"text": "2 Nobody Knows This"}, "line 1"),
    ],
)
def test_the_print_page_says_why_a_file_cannot_be_made(client, address, wrong, message):
    answer = client.post(f"/print/{address}", LIST | wrong)
    assert message.casefold() in page_of(answer, status=400).text.casefold()


def test_the_page_before_ordering_has_remarks_and_keeps_the_fields(client):
    fields = LIST | {"service": "mpc", "text": "99 Kai", "copies": "7", "trim": "poker"}
    shown = page_of(client.post("/print/service/", fields)).main
    assert "693 cards: one order of MakePlayingCards, by MPC Autofill takes 612 at most" in shown.text
    assert "The cards are printed at 63.5 × 88.9 mm; the game's own size is 63 × 88 mm." in shown.text
    for name in ("text", "service"):
        assert fields[name] in {field["value"] for field in shown.all("input", name=name)}


def test_the_page_before_ordering_leads_to_the_same_files(client):
    query = {"deck": named_deck(Client(), "One", "1 Kai").link, "service": "drivethru", "paper": "letter"}
    forms = page(client, "/print/service/", query).main.all("form")
    assert forms and all(form.sent == query and form["method"] == "get" for form in forms)
    assert client.get("/print/service.zip", query).status_code == 200


def test_every_file_has_a_button_and_every_field_has_a_label():
    part = Part(html.document_fromstring(render_to_string("printing/exports/links.html")))
    buttons = {button["formaction"] for button in part.all("button", form="print-form")}
    assert buttons == {*FILES, "/print/service/"}
    fields = [field for tag in ("input", "select") for field in part.all(tag, form="print-form")]
    names = [field["name"] for field in fields]
    # All fields belong to one form, so each name must be unique.
    assert sorted(names) == sorted({field for output in EXPORT_KINDS.values() for field in output.fields})
    assert all(part.has("label", for_=field["id"]) for field in fields)


# -- the command line ---------------------------------------------------------------------


@pytest.fixture
def out(tmp_path):
    (tmp_path / "list.txt").write_text(LIST["text"])
    yield tmp_path / "out"


def command(out: Path, kind: str, **options: Any) -> str:
    """Run the command that writes this file, and return its output."""
    printed = io.StringIO()
    given = {"game": "spycraft", "output": str(out), "output_kind": kind}
    given |= {"stdout": printed, "stderr": printed}
    call_command("print_deck", str(out.with_name("list.txt")), **given, **options)
    return printed.getvalue()


@pytest.mark.parametrize("slug", ["cards", "tabletop", "service", "cut-svg"])
def test_the_command_writes_the_same_file_as_the_page(out, client, slug):
    printed = command(out, slug, dpi="150")
    assert out.read_bytes() == handed_out(client.post(f"/print/{EXPORT_KINDS[slug].file}", LIST))
    assert ("README.txt" in printed) is (slug != "cut-svg")


def test_the_command_prints_the_remarks_to_read_before_ordering(out):
    assert "The cards are printed at 63.5 × 88.9 mm" in command(out, "service", service="game-crafter")
