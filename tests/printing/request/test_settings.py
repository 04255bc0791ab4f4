"""Settings that a browser keeps (of the last print, and named ones), presets, and calibrated printers."""

from hashlib import sha256
from typing import Any

import pytest
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.faults import Refused
from cardsdb.games import games
from printing.job.job import Job
from printing.layout.calibration import NOT_MOVED
from printing.layout.imposition import layout_for
from printing.models import PrinterCalibration
from printing.options.sizes import STOCKS
from printing.options.values import read_options
from printing.request.settings import (
    COOKIE,
    MAX_NAME,
    MAX_PRESETS,
    PRESETS,
    SavedSettings,
    applied,
    options_of,
    printer_with,
    save_settings,
    saved_settings,
    words_of_printer,
)

A3 = {"paper": "a3"}


def refused(settings: SavedSettings, name: str, chosen: dict[str, str] = A3) -> str:
    """The message with which saving ``chosen`` under a name is refused."""
    with pytest.raises(Refused) as caught:
        settings.kept_as(name, chosen)
    return caught.value.faults[0].message


def sent_back(answer: HttpResponse, **headers: str) -> HttpRequest:
    """The next request of the browser that got this answer."""
    request = RequestFactory().get("/print/", headers=headers)
    request.COOKIES.update({name: morsel.value for name, morsel in answer.cookies.items()})
    return request


def settings_in(cookie: str) -> SavedSettings:
    """The settings of a browser that sends this cookie."""
    request = RequestFactory().get("/print/")
    request.COOKIES[COOKIE.name] = cookie
    return saved_settings(request)


def read_again(cookie: dict[str, Any], salt: str = COOKIE.salt) -> SavedSettings:
    """The settings of a browser whose cookie has this content, signed with this salt."""
    return settings_in(signing.dumps(cookie, salt=salt, compress=True))


def test_settings_saved_under_a_name_replace_those_of_the_same_name():
    settings = SavedSettings(A3).kept_as("Hall", A3).kept_as("Attic", A3).kept_as("HALL", {"paper": "a4"})
    assert settings.own == (("Attic", A3), ("HALL", {"paper": "a4"}))
    assert settings.without("Attic").own == (("HALL", {"paper": "a4"}),)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "Give the settings a name."),
        ("\u200b", "Give the settings a name of letters."),
        ("x" * (MAX_NAME + 1), f"A name has at most {MAX_NAME} letters."),
    ],
)
def test_a_bad_name_for_settings_is_refused(name, message):
    assert refused(SavedSettings(A3), name) == message


def test_settings_beyond_the_limit_can_only_replace_others():
    full = SavedSettings(A3, tuple((f"Hall {number}", A3) for number in range(MAX_PRESETS)))
    assert "which is the most" in refused(full, "One more") and full.kept_as("hall 1", A3)


def test_settings_that_do_not_fit_into_a_cookie_are_refused():
    long = "".join(sha256(bytes([number])).hexdigest() for number in range(200))
    assert "no longer fit" in refused(SavedSettings(A3), "Long", {"trim": long})


def test_saved_settings_are_read_back_without_options_of_one_print():
    printed = SavedSettings(A3).printed({"paper": "letter", "only": "leaders"}, (("deck", "abc"),))
    assert printed.printed({"paper": "63x88"}, ()).sheet_paper == "letter", "a page of one card is no sheet"
    answer = HttpResponse()
    save_settings(answer, printed.kept_as("Hall", A3))
    kept = SavedSettings({"paper": "letter"}, (("Hall", A3),), (("deck", "abc"),), "letter")
    assert saved_settings(sent_back(answer)) == kept


def test_settings_that_can_no_longer_be_read_are_dropped():
    gone = {"paper": "gone"}
    read = read_again({"last": gone, "own": [["Hall", gone], ["Attic", A3]], "paper": "gone"})
    assert read == SavedSettings({"paper": "a4"}, (("Attic", A3),))


def test_a_page_for_one_card_is_not_kept_as_the_paper_of_sheets():
    assert read_again({"last": {"paper": "a4"}, "own": [], "paper": "63x88"}).sheet_paper == "a4"


@pytest.mark.parametrize(
    ("language", "paper"),
    [("en-US,en;q=0.9", "letter"), ("es-MX", "letter"), ("en-GB", "a4"), ("us", "a4"), ("", "a4")],
)
def test_a_new_visitor_gets_the_paper_of_their_country(language, paper):
    new = saved_settings(sent_back(HttpResponse(), **{"Accept-Language": language}))
    assert new == SavedSettings({"paper": paper}, sheet_paper=paper)


@pytest.mark.parametrize("cookie", [{}, {"last": 3, "own": []}, {"last": A3, "own": [3]}])
def test_a_cookie_with_other_content_counts_as_none(cookie):
    assert read_again(cookie) == SavedSettings({"paper": "a4"})


@given(st.text(max_size=60))
def test_a_cookie_that_the_site_did_not_make_counts_as_none(cookie):
    assert settings_in(cookie) == SavedSettings({"paper": "a4"})


@pytest.mark.parametrize(
    ("salt", "paper"), [("printing.page.remembered", "a3"), ("printing.page.rememberedx", "a4")]
)
def test_a_cookie_that_the_site_signed_for_another_purpose_counts_as_none(salt, paper):
    """The salt must stay as it is, because browsers keep the cookie for a year. Cookies of earlier releases
    have no "paper".
    """
    assert read_again({"last": A3, "own": []}, salt).last == {"paper": paper}


# -- presets --------------------------------------------------------------------------------

SPYCRAFT = games()["spycraft"]
TRIM = SPYCRAFT.trim


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_can_be_printed_and_applying_it_twice_changes_nothing_more(preset):
    options = applied(preset, read_options({"paper": "letter", "copies": "2"}), "letter", TRIM)
    assert applied(preset, options, "letter", TRIM) == options
    assert Job(SPYCRAFT, ((SPYCRAFT.cards[0], 3),), options=options).sheets


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_a_preset_changes_only_the_options_that_it_names(preset):
    other = {"ink": "grey", "backs": "short", "margin": "8", "gap": "3", "qr": "page"}
    now = read_options({"paper": "letter", **other})
    options = applied(preset, now, "letter", TRIM)
    changed = {name for name in vars(now) if getattr(now, name) != getattr(options, name)}
    assert changed <= {*preset.settings, *(("paper",) if preset.one_card else ())}


@pytest.mark.parametrize("slug", STOCKS)
def test_perforated_paper_can_follow_and_precede_every_preset(slug):
    page = applied(PRESETS["service"], read_options({"sleeves": "yes"}), "letter", TRIM)
    stock = applied(PRESETS[slug], page, "letter", TRIM)
    layout = layout_for(stock, stock.trim.lengths)
    assert (layout.columns, layout.rows, layout.turned, stock.sleeves) == (2, 5, True, False)
    block, paper = layout.block, layout.paper
    assert (block.x, block.y) == (paper.width - block.right, paper.height - block.bottom)
    usual = applied(PRESETS["usual"], stock, "letter", TRIM)
    assert (usual.block, usual.left, usual.top, usual.trim) == (None, None, None, None)
    for after in PRESETS.values():
        options = applied(after, stock, "letter", TRIM)
        assert Job(SPYCRAFT, ((SPYCRAFT.cards[0], 3),), options=options).sheets, after.name


def test_an_unnamed_paper_that_holds_two_cards_is_no_page_of_one_card():
    now = read_options({"paper": "140x100", "margin": "0", "header": "no"})
    assert applied(PRESETS["usual"], now, "letter", TRIM).paper.slug == "140x100"


def test_a_page_of_one_card_drops_backs_beside_fronts():
    fold = applied(PRESETS["fold"], read_options({}), "a4", TRIM)
    assert applied(PRESETS["service"], fold, "a4", TRIM).backs == "none"


def test_a_preset_of_sheets_returns_from_a_page_of_one_card_to_the_paper_of_sheets():
    now = read_options({"paper": "letter"})
    page = applied(PRESETS["service"], now, "letter", TRIM)
    assert page.paper.lengths == (69_350, 94_350)
    assert applied(PRESETS["scissors"], page, "letter", TRIM) == applied(
        PRESETS["scissors"], now, "letter", TRIM
    )
    assert applied(PRESETS["saver"], page, "letter", TRIM).paper == page.paper
    assert applied(PRESETS["a4-85x54"], page, "letter", TRIM).paper.slug == "a4"


# Templates of silhouette-card-maker: game, paper, name, place of the first card, distances of the next ones
# (mm).
TEMPLATES = [
    ("spycraft", "a4", "a4_standard_v2", (20.743, 16.679), (64.262, 88.9)),
    ("spycraft", "letter", "letter_standard_v3", (11.938, 19.643), (64.234, 88.9)),
    ("spynet", "a4", "a4_poker_v1", (19.981, 15.663), (64.572, 90.001)),
    ("spynet", "letter", "letter_poker_v2", (11.176, 18.627), (64.572, 90.001)),
]


@pytest.mark.parametrize(("slug", "paper", "name", "first", "pitch"), TEMPLATES)
def test_the_silhouette_preset_places_cards_as_the_template_does(slug, paper, name, first, pitch):
    game = games()[slug]
    options = applied(PRESETS["silhouette"], read_options({"paper": paper}), paper, game.trim)
    job = Job(game, ((game.cards[0], 8),), options=options)
    layout = job.layout
    assert options.trim is None and name in job.notes().about
    assert (layout.columns, layout.rows, layout.landscape, layout.turned) == (4, 2, True, False)
    slots = [layout.slot(place) for place in range(8)]
    assert slots[0][2:] == game.trim
    assert (slots[3].x - slots[0].x) / 3_000 == pytest.approx(pitch[0], abs=0.006)
    assert (slots[4].y - slots[0].y) / 1_000 == pytest.approx(pitch[1], abs=0.006)
    # Templates are rounded to whole pixels at 300 dpi, so their first card may lie beside ours by a fraction.
    assert (slots[0].x / 1000, slots[0].y / 1000) == pytest.approx(first, abs=0.15)


def test_the_silhouette_preset_uses_its_default_gap_if_no_template_fits():
    for chosen in ({"trim": "70x110"}, {"paper": "tabloid"}):
        options = applied(PRESETS["silhouette"], read_options(chosen), chosen.get("paper", "a4"), TRIM)
        assert (options.gaps, options.marks) == ((1_250, 1_250), "registration3")


def test_other_presets_of_cutting_reset_the_numbers_of_cuts():
    guillotine = applied(PRESETS["guillotine"], read_options({}), "a4", TRIM)
    assert guillotine.cut_order
    for other in ("usual", "scissors", "silhouette"):
        assert not applied(PRESETS[other], guillotine, "a4", TRIM).cut_order


# -- printers -------------------------------------------------------------------------------


PRINTER = PrinterCalibration(pk=7, paper="a4", edge="long", landscape=False, x=300, y=-1_000, turn=5)


def test_a_printer_sets_its_paper_and_corrections():
    moves = {"back_x": "0.3", "back_y": "-1", "back_turn": "0.05", "back_read": "long"}
    assert options_of(PRINTER) == {"paper": "a4", **moves}
    assert words_of_printer([PRINTER], "7") == {**NOT_MOVED, **options_of(PRINTER)}


def test_no_printer_corrects_nothing_and_an_unknown_one_is_refused():
    assert words_of_printer([PRINTER], "") == NOT_MOVED
    with pytest.raises(Refused):
        words_of_printer([PRINTER], "0")


def test_a_printer_is_recognised_by_exactly_its_options():
    assert printer_with([PRINTER], words_of_printer([PRINTER], "7")) == "7"
    assert printer_with([PRINTER], {"paper": "a4"}) == ""
    assert printer_with([PRINTER], {**options_of(PRINTER), "back_x": "9"}) == ""
