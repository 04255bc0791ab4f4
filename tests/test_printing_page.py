"""The print page: every option in its form and its address, the very sheet before it is printed, settings that are remembered."""

from __future__ import annotations

import gzip
import re
from html import unescape
from typing import Any

import pytest
from django.core.management import load_command_class
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from cardsdb.games import games
from decks.keeping import keep
from decks.models import Deck, new_deck
from decks.models.deck import Visibility
from decks.validation import judge_text
from printing.api import SheetsSerializer
from printing.option_table import NAMED, OPTIONS, Option
from printing.options import Options, read_options
from printing.page.form import COMMON, form_of
from printing.page.presets import PRESETS, applied
from printing.preview import shown_sides
from printing.sheets import Job, sides_of

LIST = {"game": "spycraft", "text": "2 Kai\n1 Li"}


@pytest.fixture
def deck(db: None) -> Deck:
    """A public deck of 59 cards: a starter."""
    starter = next(one for one in games()["spycraft"].starters if one.slug == "nine-tiger")
    made, _ = new_deck()
    keep(made, judge_text(games()["spycraft"], starter.text), name="Nine Tiger")
    Deck.objects.filter(pk=made.pk).update(visibility=Visibility.PUBLIC)
    return made


def shown(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer
    return unescape(answer.content.decode())


def chosen(page: str, name: str) -> str:
    """The value of a field of the form as a browser would send it."""
    select = re.search(rf'<select name="{name}".*?</select>', page, re.S)
    if select:
        found = re.search(r'<option value="([^"]*)" selected', select[0])
        return found[1] if found else ""
    box = re.search(rf'<input type="checkbox" name="{name}"[^>]*>', page)
    if box:
        return "yes" if " checked" in box[0] else "no"
    (value,) = re.findall(rf'name="{name}" id="f-{name}" value="([^"]*)"', page)
    return str(value)


def another_value(option: Option) -> str:
    """A value that is not the default."""
    match option.kind:
        case "choice" | "several" | "size":
            return next(one.value for one in option.choices if one.value not in ("", option.default))
        case "flag":
            return "no" if option.default == "yes" else "yes"
        case "length":
            return "2"
        case "number":
            return "3"
        case "places":
            return "2,5"
    return "type:agent" if option.name == "only" else "1"


# -- every option, everywhere ---------------------------------------------------------


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_in_the_form_once(option: Option) -> None:
    form = form_of({})
    names = [field.name for field in form.common] + [field.name for group in form.groups for field in group.fields]
    assert names.count(option.name) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_of_the_address_stands_in_the_form(option: Option) -> None:
    value = another_value(option)
    page = shown_list(Client(), **{option.name: value})
    if option.kind == "several":
        assert re.search(rf'value="{value}" checked', page)
    else:
        assert chosen(page, option.name) == value


def shown_list(client: Client, **options: str) -> str:
    """The page for a pasted list, whatever it says of it."""
    return unescape(client.post("/print/", LIST | options).content.decode())


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_comes_back_from_its_address(option: Option) -> None:
    options = read_options({option.name: another_value(option)})
    assert options != Options()
    assert read_options(options.query()) == options
    assert set(options.query()) == {option.name}


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_on_the_command_line_and_in_the_api(option: Option) -> None:
    parser = load_command_class("printing", "print_deck").create_parser("manage.py", "print_deck")
    flags = {flag for action in parser._actions for flag in action.option_strings}
    assert f"--{option.name.replace('_', '-')}" in flags
    assert option.name in SheetsSerializer().fields


def test_no_option_is_named_like_a_field_that_carries_the_list() -> None:
    taken = {"deck", "card", "game", "format", "text", "sheet", "preset", "name", "forget"}
    assert not taken & set(NAMED)


# -- the address ------------------------------------------------------------------------


def test_the_address_says_the_paper_and_what_is_not_as_usual(client: Client, deck: Deck) -> None:
    said = {option.name: option.default for option in OPTIONS} | {"gap": "3,0 mm"}
    answer = client.get("/print/", {"deck": deck.link, **said})
    assert (answer.status_code, answer["Location"]) == (302, f"/print/?deck={deck.link}&paper=a4&gap=3")
    assert client.get(answer["Location"]).status_code == 200


def test_a_size_of_ones_own_is_written_in_the_field_beside(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "paper": "other", "paper_other": "150 x 220"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=150x220"
    page = shown(client, answer["Location"])
    assert chosen(page, "paper") == "other" and 'name="paper_other" id="f-paper-other" value="150x220"' in page


def test_a_bad_option_is_told_at_its_field_and_nothing_is_lost(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "gap": "99", "backs": "long"})
    page = unescape(answer.content.decode())
    assert answer.status_code == 400
    assert 'href="#f-gap"' in page and 'id="e-gap"' in page
    assert (chosen(page, "gap"), chosen(page, "backs")) == ("99", "long")


@pytest.mark.django_db
def test_a_deck_that_is_not_there_is_not_found_whatever_the_options(client: Client) -> None:
    assert client.get("/print/?deck=nothing&paper=letter&gap=x").status_code == 404


def test_a_change_asks_for_the_outcome_alone_and_moves_the_address(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "backs": "short", "gap": "0"}, headers={"HX-Request": "true"})
    assert answer["HX-Replace-Url"] == f"/print/?deck={deck.link}&paper=a4&backs=short"
    assert b"<html" not in answer.content and b"14 sides" in answer.content


def test_a_change_that_cannot_be_printed_is_answered_in_place(client: Client, deck: Deck) -> None:
    answer = client.get("/print/", {"deck": deck.link, "gap": "many"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200 and b"This cannot be printed yet" in answer.content


# -- what it comes to -------------------------------------------------------------------


def test_the_summary_counts_cards_sheets_and_sides(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&backs=long")
    assert "59 cards, 7 sheets, 14 sides, 63 × 88 mm" in page
    assert "Why this size" in page and games()["spycraft"].trim_source in page


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"backs": "long"}, "turned over the long edge"),
        ({"backs": "short"}, "turned over the short edge"),
        ({"backs": "gutterfold"}, "Fold along the dashed line"),
        ({"backs": "separate"}, "from the other file"),
        ({"ink": "grey"}, "Greys or black and white"),
    ],
)
def test_the_printers_dialog_is_explained_for_what_was_chosen(client: Client, deck: Deck, options: dict[str, str], advice: str) -> None:
    assert advice in shown(client, f"/print/?deck={deck.link}&paper=a4&{'&'.join('='.join(pair) for pair in options.items())}")


def test_the_page_asks_the_database_the_same_few_things_for_any_deck(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}")
    with CaptureQueriesContext(connection) as asked:
        assert client.get(f"/print/?deck={deck.link}&paper=a4&backs=long").status_code == 200
    assert len(asked) <= 6, [one["sql"][:90] for one in asked]


def test_the_part_that_follows_a_change_is_light(client: Client, deck: Deck) -> None:
    answer = client.get(f"/print/?deck={deck.link}&paper=a4&backs=long", headers={"HX-Request": "true"})
    assert answer.status_code == 200 and len(gzip.compress(answer.content)) < 30_000


# -- the sheet --------------------------------------------------------------------------


def job_of(**options: str) -> Job:
    cards = games()["spycraft"].cards[:40]
    return Job(games()["spycraft"], tuple((card, 1 + number % 3) for number, card in enumerate(cards)), "Test", read_options(options))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"backs": "long", "copies": "2"},
        {"backs": "gutterfold"},
        {"start": "4", "skip": "2,9"},
        {"paper": "letter", "gap": "2", "orientation": "landscape"},
    ],
    ids=str,
)
def test_every_sheet_shows_the_very_cards_that_are_printed_on_it(options: dict[str, str]) -> None:
    job = job_of(**options)
    printed: dict[int, list[Any]] = {}
    for side in sides_of(job):
        printed.setdefault(side.number, []).append(side)
    assert set(printed) == set(range(1, job.sheets + 1))
    for number, sides in printed.items():
        seen = shown_sides(job, number)
        assert len(seen) == len(sides)
        for one, side in zip(seen, sides, strict=True):
            in_order = [placed.drawing.name for placed in sorted(side.placed, key=lambda placed: (placed.y, placed.x))]
            assert [name for row in one.rows for name in row if name] == in_order
            texts = [stroke.text for placed in side.placed for stroke in placed.drawing.strokes if hasattr(stroke, "text")]
            assert all(text in unescape(one.svg) for text in texts)


def test_a_card_that_lies_on_a_sheet_several_times_is_drawn_once() -> None:
    card = games()["spycraft"].cards[0]
    (side,) = shown_sides(Job(games()["spycraft"], ((card, 9),)), 1)
    assert side.svg.count(f">{card.name}<") == 1 and side.svg.count("<use ") == 8


def test_a_sheet_of_very_many_cards_shows_names_and_stays_light() -> None:
    cards = games()["spycraft"].cards[:500]
    job = Job(games()["spycraft"], tuple((card, 1) for card in cards), options=read_options({"paper": "1000x1000", "trim": "micro"}))
    (side,) = shown_sides(job, 1)
    assert len(gzip.compress(side.svg.encode())) < 40_000
    assert cards[499].name[:24] in unescape(side.svg)


def test_names_from_a_list_are_words_in_the_picture_and_never_marks() -> None:
    agents = games()["agentdecker"].cards[0]
    nasty = type(agents)(**{**{name: getattr(agents, name) for name in agents.__slots__}, "name": '<script>"&'})
    (side,) = shown_sides(Job(games()["agentdecker"], ((nasty, 1),)), 1)
    assert "<script" not in side.svg


@pytest.mark.django_db
@pytest.mark.parametrize("number", ["0", "-1", "99999999", "x", ""])
def test_a_sheet_that_is_not_there_is_the_nearest_one(client: Client, deck: Deck, number: str) -> None:
    answer = client.get(f"/print/?deck={deck.link}&paper=a4&sheet={number}", follow=True)
    assert re.search(r"Sheet [17] of 7", answer.content.decode())


def test_the_picture_has_words_and_a_table_beside_it(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4&sheet=2")
    assert 'role="img" aria-label="Sheet 2 of 7: 9 cards, A4"' in page
    assert '<th scope="row">Row 3</th>' in page


# -- presets and what is remembered -----------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.slug)
def test_a_preset_prints_and_knows_itself(preset: Any) -> None:
    now, game = read_options({"paper": "letter", "copies": "2", "back_x": "0.4"}), games()["spycraft"]
    options = applied(preset, now, {"paper": "letter"}, game.trim)
    assert applied(preset, options, {"paper": "letter"}, game.trim) == options
    assert (options.copies, options.back_x) == (2, 400)
    assert Job(game, ((game.cards[0], 3),), options=options).sheets


def test_from_one_card_a_page_back_to_sheets_of_the_usual_paper() -> None:
    by_slug = {preset.slug: preset for preset in PRESETS}
    page = applied(by_slug["service"], read_options({"paper": "letter"}), {"paper": "letter"}, (63_500, 88_900))
    assert page.paper.lengths == (69_850, 95_250)
    assert applied(by_slug["scissors"], page, {"paper": "letter"}, (63_500, 88_900)).paper.slug == "letter"


def test_the_last_settings_are_the_next_ones(client: Client, deck: Deck) -> None:
    client.get(f"/print/?deck={deck.link}&paper=letter&backs=short")
    page = shown(client, f"/print/?deck={deck.link}")
    assert (chosen(page, "paper"), chosen(page, "backs")) == ("letter", "short")
    assert chosen(shown(client, f"/print/?deck={deck.link}&paper=a4"), "backs") == "none"


@pytest.mark.django_db
def test_a_printers_calibration_is_kept_for_the_next_print(client: Client) -> None:
    client.get("/print/?paper=letter&backs=long")
    assert "kept for your next print" in shown(client, "/print/?back_x=0.4&back_y=-0.2")
    page = shown_list(client)
    assert [chosen(page, name) for name in ("paper", "backs", "back_x", "back_y")] == ["letter", "long", "0.4", "-0.2"]


@pytest.mark.parametrize(("language", "paper"), [("en-US,en;q=0.9", "letter"), ("en-GB", "a4"), ("de", "a4"), ("us", "a4"), ("", "a4")])
def test_who_was_never_here_gets_the_paper_of_their_country(client: Client, deck: Deck, language: str, paper: str) -> None:
    assert chosen(shown(client, f"/print/?deck={deck.link}", **{"Accept-Language": language}), "paper") == paper


@pytest.mark.django_db
@given(cookie=st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters='",;\\'), max_size=60))
def test_a_cookie_of_somebody_elses_making_is_none(cookie: str) -> None:
    client = Client()
    client.cookies["printing"] = cookie
    assert client.get("/print/?paper=a4").status_code == 200


def test_settings_are_kept_under_a_name_and_forgotten(client: Client, deck: Deck) -> None:
    answer = client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "gap": "2", "name": "Office <b>"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&gap=2#presets"
    raw = client.get(f"/print/?deck={deck.link}&paper=a4").content.decode()
    assert 'value="own:Office &lt;b&gt;"' in raw
    answer = client.get("/print/", {"deck": deck.link, "paper": "a4", "copies": "2", "preset": "own:Office <b>"})
    assert answer["Location"] == f"/print/?deck={deck.link}&paper=a3&copies=2&gap=2"
    client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "forget": "Office <b>"})
    assert "Office <b>" not in shown(client, f"/print/?deck={deck.link}&paper=a4")


@pytest.mark.django_db
def test_settings_of_a_pasted_list_are_kept_and_chosen_without_losing_the_list(client: Client) -> None:
    page = client.post("/print/presets/", LIST | {"paper": "a3", "gap": "2", "name": "Office"}).content.decode()
    assert "1 Li</textarea>" in page and 'value="own:Office" aria-pressed="true"' in page
    again = shown_list(client, preset="own:Office", paper="a4")
    assert (chosen(again, "paper"), chosen(again, "gap")) == ("a3", "2")
    assert chosen(shown_list(client, preset="fold", paper="letter"), "backs") == "gutterfold"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\x00b", "\u202e"])
def test_settings_need_a_name_that_can_be_read(client: Client, deck: Deck, name: str) -> None:
    answer = client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "name": name})
    assert answer.status_code == 400 and b"This cannot be printed yet" not in answer.content


def test_one_keeps_ten_settings_and_no_more(client: Client, deck: Deck) -> None:
    sent = [client.post("/print/presets/", {"deck": deck.link, "paper": "a3", "name": f"No {number}"}).status_code for number in range(11)]
    assert sent == [302] * 10 + [400]


# -- without script ---------------------------------------------------------------------


def test_the_form_says_no_for_a_box_that_is_not_ticked(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}&paper=a4")
    for option in OPTIONS:
        if option.kind == "flag":
            assert page.index(f'<input type="hidden" name="{option.name}" value="no">') < page.index(
                f'type="checkbox" name="{option.name}"'
            )


def test_what_nearly_everybody_chooses_stands_open(client: Client, deck: Deck) -> None:
    page = shown(client, f"/print/?deck={deck.link}")
    assert all(page.index(f'name="{name}"') < page.index("<details") for name in COMMON)
