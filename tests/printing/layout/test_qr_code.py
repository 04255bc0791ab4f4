"""What a sheet says of itself, and the code in its margin that leads back to the list."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pypdfium2
import pytest
import segno
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.identity.viewer import Viewer
from decks.models import Deck
from printing.faces.strokes import Rect, TextRun
from printing.job.job import Job
from printing.layout import marks
from printing.layout.geometry import Area, DoesNotFit
from printing.layout.imposition import layout_for
from printing.layout.margins import Margins, Notes
from printing.layout.qr_code import (
    MIN_EDGE,
    MIN_MODULE,
    QUIET,
    code_of,
    code_strokes,
    square,
    white_of,
)
from printing.options.sizes import PAPERS, TRIMS
from printing.options.values import USUAL, BadOption, Options, read_options
from printing.render.files import sides_of
from printing.request.lists import pasted_list, single_cards, stored_decks
from tests.support.print_lists import job_for
from tests.support.public_decks import make_deck, starter
from tests.support.sheets import make_sheets

ROOT = "https://cutout.example"
PAGE = f"{ROOT}/decks/gLAnIOVT4KE00NbFCRzZHQ/"
CODE = code_of(PAGE)
OPTIONS = st.builds(
    partial(replace, USUAL),
    paper=st.sampled_from(list(PAPERS.values())),
    trim=st.sampled_from([TRIMS[slug] for slug in ("poker", "standard", "mini", "tarot", "micro", "jumbo")]),
    gap=st.sampled_from([0, 2_000, 5_000]),
    margin=st.sampled_from([(3_000,) * 4, (5_000,) * 4, (3_000, 3_000, 12_500, 3_000)]),
    left=st.sampled_from([None, 8_000]),
    top=st.sampled_from([None, 12_000]),
    marks=st.sampled_from(["corners", "edges", "none", "registration3"]),
    orientation=st.sampled_from(["auto", "portrait", "landscape"]),
    backs=st.sampled_from(["none", "long", "gutterfold"]),
)


@pytest.fixture
def deck(db: None) -> Deck:
    return make_deck(Client(), "Nine Tiger", starter("spycraft", "nine-tiger"))


def job_of(deck: Deck, **options: str) -> Job:
    return job_for(stored_decks([deck.link], Viewer()), options, Viewer(), ROOT)


def area_of(rect: Rect) -> Area:
    return Area(rect.x, rect.y, rect.width, rect.height)


# -- the words ----------------------------------------------------------------------


def test_every_sheet_says_deck_version_settings_and_paper(deck: Deck) -> None:
    job = job_of(deck, paper="letter", style="saver")
    for side in sides_of(job):
        printed = " ".join(one.text for one in (*side.over, *side.notes) if isinstance(one, TextRun))
        for words in (
            "Nine Tiger",
            "Spycraft",
            "63 × 88 mm",
            "US Letter",
            "ink saver",
            f"Sheet {side.number} of {job.sheets}",
        ):
            assert words in printed


def test_the_same_deck_gives_the_same_bytes_and_another_version_another_key(deck: Deck) -> None:
    first, second = (
        job_of(deck, qr="page", extras="register,labels"),
        job_of(deck, qr="page", extras="register,labels"),
    )
    assert first.key == second.key and make_sheets(first).data == make_sheets(second).data
    Deck.objects.filter(pk=deck.pk).update(revision=1)
    assert job_of(deck, qr="page", extras="register,labels").key != first.key


def test_the_name_of_a_version_is_told_to_its_author_alone(deck: Deck) -> None:
    deck.revisions.update(name="Friday")
    assert job_of(deck).notes().title == "Nine Tiger"


# -- the code -----------------------------------------------------------------------


def test_the_rectangles_are_the_modules_of_the_code() -> None:
    assert CODE
    strokes = code_strokes(CODE, Area(1_000, 2_000, CODE.side * 400, CODE.side * 400))
    dark = set()
    for one in strokes:
        for x in range((one.x - 1_000) // 400, (one.x - 1_000 + one.width) // 400):
            for y in range((one.y - 2_000) // 400, (one.y - 2_000 + one.height) // 400):
                assert (x, y) not in dark  # no module is drawn twice
                dark.add((x, y))
    wanted = segno.make_qr(PAGE, error="l").matrix
    assert dark == {(x, y) for y, row in enumerate(wanted) for x, module in enumerate(row) if module}


def test_the_printed_page_shows_the_code(deck: Deck) -> None:
    """Read off the rendered page at the middle of each module, as a phone would."""
    job = job_of(deck, qr="page")
    place = job.margins.code
    assert place and place[0].address == f"{ROOT}/decks/{deck.link}/"
    code, area = place
    scale = 300 / 25_400
    page = pypdfium2.PdfDocument(make_sheets(job).data)[0].render(scale=300 / 72).to_pil().convert("L")
    module = area.width // code.side
    for row in range(-QUIET + 1, code.side + QUIET - 1):
        for column in range(-QUIET + 1, code.side + QUIET - 1):
            x, y = area.x + column * module + module // 2, area.y + row * module + module // 2
            inside = 0 <= row < code.side and 0 <= column < code.side
            dark = inside and code.rows[row][column] == "1"
            assert (page.getpixel((int(x * scale), int(y * scale))) < 128) == dark, (row, column)


@settings(deadline=None)
@given(OPTIONS)
def test_a_code_touches_no_card_no_mark_no_rule_and_no_word(options: Options) -> None:
    assert CODE and options.trim
    try:
        layout = layout_for(options, options.trim.lengths)
    except (BadOption, DoesNotFit):
        return
    around = Margins(layout, options, Notes("", "", "", (CODE,)))
    place = around.code
    if place is None:
        return
    code, area = place
    white, bands_bars = white_of(code, area), around.furnished
    assert area.width // code.side >= MIN_MODULE and area.width == area.height
    assert area.inside(layout.sheet.grown(*[-MIN_EDGE] * 4))
    for place in range(layout.per_sheet):
        assert not white.overlaps(layout.bled(place))
        assert not (layout.fold and white.overlaps(layout.folded(layout.bled(place))))
    bands, bars = bands_bars
    lines = [*marks.crop_marks(layout)] if options.marks != "none" else []
    lines += marks.cut_lines(layout) if options.marks == "edges" else ()
    for other in (
        *map(marks.area_of, lines),
        *(bar.area for bar in bars),
        *bands.above,
        *bands.below,
        *filter(None, [bands.foot]),
    ):
        assert not white.overlaps(other)


@pytest.mark.parametrize(
    ("paper", "trim"), [("a4", "poker"), ("a4", "standard"), ("a3", "poker"), ("legal", "standard")]
)
def test_usual_sheets_have_room_for_a_code(paper: str, trim: str) -> None:
    options = read_options({"paper": paper, "trim": trim})
    assert CODE and options.trim
    assert Margins(layout_for(options, options.trim.lengths), options, Notes("", "", "", (CODE,))).code


def test_where_there_is_no_room_the_page_says_so_and_the_register_has_it(deck: Deck) -> None:
    job = job_of(deck, paper="letter", trim="poker", qr="page")
    assert job.margins.code is None
    assert (
        "The margins have no room for the QR code: print the register, or choose other paper."
        in job.remarks()
    )
    registered = job_of(deck, paper="letter", trim="poker", qr="page", extras="register")
    assert (
        "The margins have no room for the QR code: it stands on the register alone." in registered.remarks()
    )
    assert sum(isinstance(one, Rect) for one in registered.end_pages[0].strokes) > 100


def test_the_whole_list_is_too_much_for_a_margin_so_the_page_is_there_instead(deck: Deck) -> None:
    job = job_of(deck, qr="list")
    assert "/d/#cutout1/spycraft/agency/" in job.codes[0].address
    place = job.margins.code
    assert place and place[0].address == f"{ROOT}/decks/{deck.link}/"


def test_the_whole_list_of_a_secret_leaves_the_secret_out(db: None) -> None:
    client = Client()
    deck = make_deck(client, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    secret = [
        entry.card.code
        for entry in deck.decklist()
        if games()["xfiles"].is_secret(entry.section, entry.card.type)
    ]
    addresses = [code.address for code in job_of(deck, qr="list").codes]
    assert secret and not any(code in address for code in secret for address in addresses)


def test_a_private_deck_is_printed_with_a_warning_about_its_page(db: None) -> None:
    from django.contrib.auth.models import User

    anna = User.objects.create_user("anna")
    client = Client()
    client.force_login(anna)
    deck = make_deck(client, "Mine", "2 Kai", visibility="private")
    visitor = Viewer(anna.pk)
    job = job_for(stored_decks([deck.link], visitor), {"qr": "page"}, visitor, ROOT)
    assert (
        "“Mine” is private: its page opens for you alone, and not for others who read the code."
        in job.remarks()
    )


@pytest.mark.django_db
def test_without_an_address_there_is_no_code_and_a_sentence_instead() -> None:
    job = job_for(pasted_list("spycraft", "2 Kai"), {"qr": "list"})
    assert job.codes == () and "Without the site's address there is no QR code." in job.remarks()


@pytest.mark.django_db
def test_a_single_card_leads_back_to_its_page() -> None:
    job = job_for(single_cards(["spycraft/kai"]), {"qr": "page"}, None, ROOT)
    assert job.codes[0].address == f"{ROOT}/cards/spycraft/kai/"


def test_no_code_holds_what_is_longer_than_any() -> None:
    assert code_of("x" * 4_000) is None


def test_a_code_too_large_for_its_square_is_left_out() -> None:
    assert CODE
    least = (CODE.side + 2 * QUIET) * MIN_MODULE
    assert square(CODE, 0, 0, least - 1) is None
    placed = square(CODE, 0, 0, least)
    assert placed and placed.width == CODE.side * MIN_MODULE


def test_a_job_without_a_code_looks_as_it_did(deck: Deck) -> None:
    job = job_of(deck)
    assert (
        Margins(job.layout, job.options).furnished == Margins(job.layout, job.options, job.notes()).furnished
    )
    assert make_sheets(replace(job, codes=())).pages == make_sheets(job).pages
