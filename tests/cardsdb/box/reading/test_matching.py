"""Matching rows of packages to cards (id, then number, then name) and picture files to cards. A name that
fits two cards fits none; own cards come after the game's.
"""

import time
from dataclasses import replace

import pytest

from cardsdb.box.reading import matching
from cardsdb.box.reading.matching import (
    Match,
    Matcher,
    card_and_side,
    card_called,
    cards_called,
    own_card_in_set,
    own_card_stated,
)
from cardsdb.box.reading.rows import Stated
from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card, NameIndex, Print

SPYCRAFT, XFILES = games()["spycraft"], games()["xfiles"]


# -- rows ------------------------------------------------------------------------------


def test_ids_come_before_numbers_and_numbers_before_names():
    first, second = [card for card in XFILES.cards if any(p.set == "PRE" and p.code for p in card.prints)][:2]
    print_, match = second.prints[0], Matcher(XFILES).match
    by_id = match(Stated(id=first.prints[0].code, set=print_.set, number=print_.number, name=second.name))
    assert (by_id.card, by_id.how, by_id.print) == (first, "id", 0)
    by_number = match(Stated(id="nothing", set=print_.set, number=print_.number, name=first.name))
    assert (by_number.card, by_number.how) == (second, "number")
    by_name = match(Stated(name=first.name.upper()))
    assert (by_name.card, by_name.how, by_name.print) == (first, "name", -1)


def test_a_card_is_found_by_its_ids_but_not_by_its_artist():
    card = next(card for card in SPYCRAFT.cards if "octgn_id" in card.facts)
    signed = replace(card, facts={**card.facts, "artist": "Ann Only"})
    match = Matcher(SPYCRAFT.with_cards([signed])).match
    assert match(Stated(id=str(card.facts["octgn_id"]))).card == signed
    assert match(Stated(id="Ann Only")).card is None


def test_a_name_of_several_cards_fits_none_until_one_is_chosen():
    twins = [card for card in SPYCRAFT.cards if card.name == "Tracer"]
    tracer = Stated(name="Tracer")
    assert Matcher(SPYCRAFT).match(tracer) == Match(candidates=tuple(twins))
    in_set = tracer._replace(set=twins[0].prints[0].set, type=twins[0].type)
    assert Matcher(SPYCRAFT).match(in_set).card == twins[0]
    chosen = Matcher(SPYCRAFT, {tracer.key: twins[1].code}).match(tracer)
    assert (chosen.card, chosen.how) == (twins[1], "choice")
    # A choice of a card that is gone does not count.
    assert Matcher(SPYCRAFT, {tracer.key: "gone"}).match(tracer) == Match(candidates=tuple(twins))
    assert Matcher(SPYCRAFT, {tracer.key: OWN_CODE}).match(tracer) == Match(), (
        "chosen to be a card of one's own"
    )


def test_a_misspelt_name_fits_no_card_but_similar_names_are_suggested_up_to_a_limit(monkeypatch):
    monkeypatch.setattr(matching, "MAX_SUGGESTED", 2)
    matcher, name = Matcher(SPYCRAFT), "Party Crafters"
    # Names that were searched before count once.
    found = [matcher.match(Stated(name=f"{name}{letter}")) for letter in "zzaazc"]
    assert [bool(match.candidates) for match in found] == [True, True, True, True, True, False]
    assert found[0].card is None and "Party Crashers" in [card.name for card in found[0].candidates]
    assert [match.is_unsure for match in found] == [False] * 5 + [True]


def test_a_name_that_is_a_long_run_of_blanks_is_matched_in_a_moment():
    matcher, start = Matcher(SPYCRAFT), time.process_time()
    assert matcher.match(Stated(name="a" + " " * 20_000 + "b")).card is None
    assert time.process_time() - start < 0.5
    assert matcher.match(Stated(name="Kai   (promo) ")) == matcher.match(Stated(name="Kai"))


# -- names of files --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "code", "side"),
    [
        ("kai.jpg", "kai", ""),
        ("012 Kai.webp", "kai", ""),
        ("kai_back.png", "kai", "back"),
        ("Kai (front).jpg", "kai", "front"),
        ("../../etc/Kai-750x1050.jpg", "kai", ""),
        ("IMG_20240101_1234.jpg", None, ""),
        ("ka.jpg", None, ""),
        # The back of all cards.
        ("back.png", None, "back"),
        ("Spycraft back.png", None, "back"),
    ],
)
def test_a_file_finds_its_card_by_its_whole_name(name, code, side):
    card, matched, for_all = card_and_side(name, SPYCRAFT)
    assert (card and card.code, matched, for_all) == (code, side, side == "back" and not code)


@pytest.mark.parametrize(
    "name",
    ["kai 11x" + "1111111x" * 25 + "11!", "kai" + " " * 50_000 + "!", "kai" + "-1x" * 20_000, "(" * 50_000],
)
def test_a_file_name_built_to_slow_down_the_patterns_is_answered_at_once(name):
    assert card_and_side(f"{name}.png", SPYCRAFT)[1:] == ("", False)


def test_every_card_is_found_by_its_code_and_by_a_place_that_is_its_own():
    assert [
        card for card in SPYCRAFT.cards if card_and_side(f"{card.code}.jpg", SPYCRAFT)[0] is not card
    ] == []
    places: dict[str, list[Card]] = {}
    for card in XFILES.cards:
        for place in {f"{print_.set}-{print_.number}.jpg" for print_ in card.prints if print_.number}:
            places.setdefault(place, []).append(card)
    sole = {place: cards[0] for place, cards in places.items() if len(cards) == 1}
    assert len(sole) > 300
    assert [place for place, card in sole.items() if card_and_side(place, XFILES)[0] is not card] == []


# -- own cards ---------------------------------------------------------------------------


def own(code: str, name: str, card_type: str = "agent", in_set: str = "Balloons") -> Card:
    prints = (Print(in_set, code, code=f"{OWN_CODE}{code}"),)
    return Card("spycraft", f"{OWN_CODE}{code}", name, card_type, prints=prints)


FALCON, OTHER, KITE = own("1", "Brass Falcon"), own("2", "Brass Falcon", "gear"), own("3", "Kite")
ELSEWHERE = own("4", "Kite", in_set="Airships")
OWN = NameIndex([FALCON, OTHER, KITE, ELSEWHERE])


@pytest.mark.parametrize(
    ("stated", "card"),
    [
        (Stated(id=f"{OWN_CODE}2"), OTHER),
        (Stated(name="Brass Falcon", type="gear"), OTHER),
        (Stated(name="Brass Falcon"), None),
        (Stated(name="Nobody"), None),
    ],
)
def test_a_row_finds_an_own_card_by_its_code_else_by_its_name_and_type(stated, card):
    assert own_card_stated(OWN, stated) is card


@pytest.mark.parametrize(
    ("words", "game", "cards"),
    [
        ("Kite", SPYCRAFT, (KITE, ELSEWHERE)),
        # Cards of the game come before own cards, even if several have the name.
        ("Smoke & Mirrors", XFILES, tuple(card for card in XFILES.cards if card.name == "Smoke & Mirrors")),
        ("Nothing", SPYCRAFT, ()),
    ],
)
def test_a_name_that_no_card_of_the_game_has_may_be_that_of_own_cards(words, game, cards):
    assert cards_called(words, game, OWN) == cards


@pytest.mark.parametrize(
    ("in_set", "words", "card"),
    [
        ("balloons", "kite", KITE),
        ("Airships", "Kite", ELSEWHERE),
        ("Balloons", "3", KITE),
        ("Balloons", "Brass Falcon", None),
        ("Trains", "Kite", None),
    ],
)
def test_a_file_in_the_folder_of_an_own_set_shows_that_card(in_set, words, card):
    assert own_card_in_set(OWN, in_set, words) is card


def test_a_blank_name_is_that_of_no_card():
    assert cards_called(" ", SPYCRAFT, OWN) == () and card_called("", SPYCRAFT, OWN) is None
