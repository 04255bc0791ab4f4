"""Words, inks, fills and drawings of a card: what its foot says, what can be read on what, which letters
there are.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card, Claim, Credit, Print
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import Box, Face, Fill, Symbol, Text
from cardsdb.games.kit.print.shapes import read_path
from printing.faces import colours, fonts, wording
from printing.faces.compose import compose
from printing.faces.strokes import Path
from printing.options.sizes import TRIMS
from tests.support.drawings import parcel, rules, runs, words_of


def test_the_foot_names_print_and_game(sixth_game):
    drawn = parcel(sixth_game, dossier(), prints=(Print("ONE", "2"),), sources={"": (Claim("sheet"),)})
    assert words_of(drawn).endswith("ONE 2 · Dead Drop · proxy")


def test_the_foot_names_the_facts_on_which_sources_differ(sixth_game):
    """Those in hand should know that a number is in doubt."""
    claims = {"": (Claim("sheet"),), "weight": (Claim("sheet"), Claim("sheet", value="9"))}
    disputed = parcel(sixth_game, dossier(corner="weight"), facts={"weight": 7}, sources=claims)
    assert words_of(disputed).endswith("Sources differ: Weight")
    agreed = parcel(sixth_game, dossier(corner="weight"), facts={"weight": 9}, sources=claims)
    assert words_of(agreed).endswith("Dead Drop · proxy")


def test_a_foot_too_long_for_its_line_says_less_rather_than_smaller(sixth_game):
    place = Text(Box(4_000, 80_000, 30_000, 4_000), "credit", 60, 60)
    given = {"prints": (Print("ONE", "2"),), "sources": {"": (Claim("sheet"),)}}
    short = parcel(sixth_game, Face((replace(place, box=Box(4_000, 80_000, 12_000, 4_000)),)), **given)
    shortest = parcel(sixth_game, Face((replace(place, box=Box(4_000, 80_000, 8_000, 4_000)),)), **given)
    feet = [words_of(drawing) for drawing in (parcel(sixth_game, Face((place,)), **given), short, shortest)]
    assert feet == ["ONE 2 · Dead Drop · proxy", "ONE 2 · proxy", "ONE 2"]
    credit = Credit(
        "Dead Drop by N. N.",
        "CC BY-NC 4.0",
        "https://example.org/by-nc",
        "https://example.org/dd",
        "Redrawn.",
    )
    owed = replace(sixth_game, credit=credit)
    assert "Dead Drop by N. N., CC BY-NC 4.0" in words_of(
        parcel(owed, Face((replace(place, box=Box(4_000, 80_000, 12_000, 4_000)),)), **given)
    )


@pytest.mark.parametrize("slug", ("spycraft", "xfiles"))
def test_no_foot_is_too_short_to_say_that_sources_differ_or_that_a_player_made_the_card(slug):
    game = games()[slug]
    disputed = [card for card in game.cards if card.disagreements()]
    assert disputed
    for card in disputed:
        assert "Sources differ" in words_of(compose(card, game)), card.code
    for kind in game.types:
        own = Card(slug, f"{OWN_CODE}falcon", "Brass Falcon", kind.slug)
        assert "player’s own card" in words_of(compose(own, game)), kind.slug


def test_a_print_shown_elsewhere_is_not_said_twice(sixth_game):
    face = Face(
        (Text(Box(4_000, 70_000, 50_000, 4_000), "set"), Text(Box(4_000, 80_000, 50_000, 4_000), "credit"))
    )
    claim = {"": (Claim("sheet"),)}
    assert (
        words_of(parcel(sixth_game, face, prints=(Print("ONE", "2"),), sources=claim))
        == "ONE 2 Dead Drop · proxy"
    )
    narrow = Face(
        (
            Text(Box(4_000, 70_000, 50_000, 4_000), "set"),
            Text(Box(4_000, 80_000, 9_000, 4_000), "credit", 60, 60),
        )
    )
    assert words_of(parcel(sixth_game, narrow, prints=(Print("ONE", "2"),), sources=claim)) == "ONE 2 proxy"


@pytest.mark.parametrize("trim", ["micro", "mini", "standard"])
def test_no_spycraft_card_says_its_set_twice(trim):
    """Neither a text nor an emblem bears on it: the cards are drawn without."""
    game = games()["spycraft"]
    for card in game.cards:
        for large in (False, True):
            texts = [
                run.text
                for run in runs(
                    compose(
                        replace(card, text="", sentences=()),
                        game,
                        TRIMS[trim].lengths,
                        large=large,
                        ruled=True,
                    )
                )
            ]
            assert texts.count(wording.print_line(card)) <= 1, card.code


def test_a_formula_for_victory_points_stands_in_the_place_of_their_number():
    game = games()["spycraft"]
    drawing = compose(game.card("auction-night"), game)
    name = next(run for run in runs(drawing) if run.text == "Points")
    bid = next(run for run in runs(drawing) if run.text == "bid" and run.x > name.x - 3_000)
    assert bid.y < name.y and abs(bid.x + bid.width // 2 - name.x - name.width // 2) < 300
    assert "Victory points formula" not in words_of(drawing)
    assert not rules(drawing)


def test_a_credit_that_is_asked_for_stands_on_every_face(sixth_game):
    credit = Credit(
        "Dead Drop by N. N.",
        "CC BY-NC 4.0",
        "https://example.org/by-nc",
        "https://example.org/dd",
        "Redrawn.",
    )
    bare = Face((Text(Box(4_000, 4_000, 50_000, 8_000), "name"),))
    for face in (bare, replace(bare, landscape=True), dossier()):
        assert "Dead Drop by N. N., CC BY-NC 4.0" in words_of(
            parcel(replace(sixth_game, credit=credit), face)
        )


def test_our_summary_is_marked_beside_a_credit_and_beside_what_sources_differ_on():
    decker, xfiles = games()["agentdecker"], games()["xfiles"]
    guard = next(card for card in decker.cards if card.code == "patrolling-guard")
    assert words_of(compose(guard, decker)).endswith(f"{decker.credit.text} · summary")
    disputed = next(card for card in xfiles.cards if card.disagreements() and card.facts.get("does"))
    assert " · summary" in wording.credit_line(disputed, xfiles)
    sentence = next(card for card in decker.cards if card.code == "zone-line")
    assert "summary" not in words_of(compose(sentence, decker))


def test_a_written_in_card_says_so(sixth_game):
    assert "Written in by the list’s author" in words_of(parcel(sixth_game, dossier(), written=True))


def test_words_that_could_not_be_read_on_their_ground_change_ink(sixth_game):
    game = replace(sixth_game, colours={"Trieste": "#fff2b0"})
    band = Box(0, 0, 63_000, 13_500)
    face = Face((Fill(band, "by:city"), Text(band, "name", colour="paper")))
    assert runs(parcel(game, face, facts={"city": "trieste"}))[0].colour == colours.INK
    assert runs(parcel(game, face, facts={"city": "nowhere"}))[0].colour == colours.PAPER


@pytest.mark.parametrize("role", ["ink", "soft", "line"])
def test_the_familys_inks_can_be_read_on_its_paper(role):
    assert colours.contrast(colours.ROLES[role], colours.PAPER) >= (3.0 if role == "line" else 4.5)


def test_fills_at_the_trim_run_on_into_the_bleed(sixth_game):
    face = Face((Fill(Box(0, 0, 63_000, 13_500), "hue"), Fill(Box(9_000, 20_000, 5_000, 5_000), "ink")))
    band, inner = compose(
        sixth_game.card("zorka"), replace(sixth_game, faces={"courier": face}), (63_000, 88_000), bleed=1_000
    ).strokes
    assert band[:4] == (-1_000, -1_000, 65_000, 14_500)
    assert inner[:4] == (9_000, 20_000, 5_000, 5_000)


def test_a_landscape_face_lies_across_its_slot(sixth_game):
    drawing = parcel(sixth_game, dossier(landscape=True))
    assert (drawing.width, drawing.height, drawing.turned) == (88_900, 63_500, True)
    assert not parcel(sixth_game, dossier()).turned


def test_a_symbol_is_drawn_from_its_path(sixth_game):
    box = Box(0, 0, 24_000, 24_000)
    game = replace(
        sixth_game,
        faces={"courier": Face((Symbol(box, "M4 4 H20 V20 Z", "hue"),))},
    )
    (outline,) = compose(sixth_game.card("zorka"), game, (63_000, 88_000)).strokes
    assert isinstance(outline, Path)
    assert outline.steps == (
        ("M", (4_000, 4_000)),
        ("L", (20_000, 4_000)),
        ("L", (20_000, 20_000)),
        ("Z", ()),
    )
    assert outline.pen == 2_000


@pytest.mark.parametrize("path", ["M 1 2 a 3 3", "M 1 2 3", "L"])
def test_a_path_that_cannot_be_drawn_is_refused(path):
    with pytest.raises(ValueError, match="symbol's path"):
        read_path(path)


def test_a_letter_the_serif_lacks_comes_from_the_sans():
    assert fonts.split("serif-bold", "AŧB") == (("serif-bold", "A"), ("sans-bold", "ŧ"), ("serif-bold", "B"))
    assert fonts.missing("AŧB") == ()


def test_what_no_font_has_is_seen_to_be_missing_and_what_is_never_seen_is_left_out():
    assert fonts.with_stand_ins("Agent \N{SLEUTH OR SPY}\ufe0f\u200d ス\npa\u0308 ") == "Agent ☐ ☐ pä"
    assert fonts.lacking("Agent \N{SLEUTH OR SPY}\ufe0f\u200d ス") == ("\N{SLEUTH OR SPY}", "ス")
    assert all(
        not fonts.missing(fonts.STAND_IN) and fonts.split(font, fonts.STAND_IN) == ((font, fonts.STAND_IN),)
        for font in ("sans", "serif-bold")
    )


def test_accents_are_joined_to_their_letters_and_what_no_font_has_is_named():
    assert fonts.plain("e\u0301  x\r\ny ") == "é x\ny"
    assert fonts.missing("Agent \N{SLEUTH OR SPY} スパ \u200b") == ("\N{SLEUTH OR SPY}", "ス", "パ", "\u200b")
    assert fonts.missing("Агент Ørsted ŁÓDŹ ﬁ “…” −5 ½ ×") == ()
