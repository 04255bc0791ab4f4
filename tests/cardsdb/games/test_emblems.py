"""Emblems: the same card has the same one for ever, two cards have two, and none says what nobody has
stated.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardsdb.games import games
from cardsdb.games.agentdecker import emblems as agentdecker
from cardsdb.games.kit import Card
from cardsdb.games.kit.print.deeds import PICTURES, first_deed
from cardsdb.games.kit.print.face import Figure, Levels, Notes
from cardsdb.games.kit.print.shapes import Emblem, Shape, Window
from cardsdb.games.spycraft import emblems as spycraft
from cardsdb.games.spynet import emblems as spynet
from cardsdb.games.steamspy import emblems as steamspy
from cardsdb.games.xfiles import emblems as xfiles

SIZES = [(34_000, 40_600), (55_500, 19_000), (41_500, 18_600), (20_000, 8_500)]


def emblem_of(card: Card) -> Emblem | None:
    """What fills the window of the card's type."""
    elements = games()[card.game].face_named(card.type).elements
    return next(
        (one.emblem for one in elements if isinstance(one, Notes | Figure | Levels) and one.emblem), None
    )


def drawn(card: Card, size: tuple[int, int] = SIZES[0], *, light: bool = False) -> list[Shape]:
    window = Window(*size, light=light)
    if emblem := emblem_of(card):
        emblem.draw(card, window)
    return window.shapes


def pictured(slug: str) -> Iterator[Card]:
    return (card for card in games()[slug].cards if emblem_of(card))


@pytest.mark.parametrize("light", [False, True], ids=["full", "light"])
@pytest.mark.parametrize("slug", games())
def test_no_emblem_reaches_out_of_its_window(slug, light):
    """No pen does either."""
    cards = list(pictured(slug))
    for card in cards[::3] if len(cards) > 200 else cards:
        for width, height in SIZES:
            shapes = drawn(card, (width, height), light=light)
            assert not light or not shapes or shapes[0].ink == "paper", card.key
            for steps, _, pen in shapes:
                half = pen // 2 - 2
                for _, numbers in steps:
                    assert all(half <= x <= width - half for x in numbers[::2]), (card.key, width)
                    assert all(half <= y <= height - half for y in numbers[1::2]), (card.key, width)


def test_no_two_people_of_spycraft_have_one_emblem():
    people = [
        card for card in pictured("spycraft") if card.type in ("leader", "agent") and card.words("faction")
    ]
    assert len({str(drawn(card)) for card in people}) == len(people) > 300


@pytest.mark.parametrize("slug", ["xfiles", "spynet", "agentdecker"])
def test_a_card_of_which_nothing_is_stated_has_none(slug):
    bare = [Card(slug, "bare", "Somebody", card_type.slug) for card_type in games()[slug].types]
    assert [card.type for card in bare if drawn(card)] == []
    unnamed = [card for card in pictured(slug) if card.fact("stand_in")]
    assert [card.code for card in unnamed if drawn(card)] == []


def test_a_character_of_steam_spy_has_its_three_traits_as_cogs_and_none_while_one_is_unknown():
    known = {"intelligence": 1, "charisma": 3, "body": 2}
    cogs = [str(drawn(Card("steamspy", "x", "Somebody", "character", known | {trait: 4}))) for trait in known]
    assert len(set(cogs)) == 3
    for trait in known:
        card = Card(
            "steamspy",
            "x",
            "Somebody",
            "character",
            {key: value for key, value in known.items() if key != trait},
        )
        assert emblem_of(card) and drawn(card) == []


# -- what cards do -------------------------------------------------------------------

# The types whose emblem is a verb, and how many different ones they show at least.
DEEDS = [
    ("spycraft", "action", 30),
    ("xfiles", "event", 20),
    ("xfiles", "bluff", 8),
    ("xfiles", "combat", 10),
]
SHOWN = {"spycraft": spycraft.deed_shown, "xfiles": xfiles.deed_shown}
VERBS = {
    "spycraft": spycraft.DRAWN["deeds"],
    "xfiles": xfiles.DEEDS,
    "spynet": spynet.DEEDS,
    "steamspy": steamspy.DEEDS,
    "agentdecker": agentdecker.DEEDS,
}


@pytest.mark.parametrize(("slug", "card_type", "least"), DEEDS)
def test_an_emblem_shows_a_verb_of_its_card_and_a_type_of_cards_shows_many(slug, card_type, least):
    shown, without = set(), []
    for card in (card for card in games()[slug].cards if card.type == card_type):
        if deed := SHOWN[slug](card):
            assert deed[0].verb in card.words("does"), card.code
            shown.add(deed[1])
        else:
            without.append(card.code)
    assert len(shown) >= least, sorted(shown)
    # Verbs of one card have no picture.
    assert len(without) <= 5, without


@pytest.mark.parametrize("slug", ["spynet", "steamspy", "agentdecker"])
def test_each_card_that_does_something_shows_the_picture_of_its_verb(slug):
    """But the alarm card, which is a track for tokens."""
    for card in games()[slug].cards:
        if card.words("does") and card.type != "alarm":
            shown = first_deed(card, VERBS[slug])
            assert shown and shown[0].verb in card.words("does"), card.code
            assert emblem_of(card) and drawn(card) and drawn(card, light=True), card.code


@pytest.mark.parametrize("slug", VERBS)
def test_no_picture_serves_two_verbs(slug):
    pictures = [
        picture for of in VERBS[slug].values() for picture in ([of] if isinstance(of, str) else of) if picture
    ]
    assert len(set(pictures)) == len(pictures)
    assert set(pictures) <= set(PICTURES)


@pytest.mark.parametrize(
    ("slug", "code", "picture", "number"),
    [
        ("xfiles", "hard-evidence", "coins", 5),
        ("spycraft", "ambush", "burst", 2),
        ("spycraft", "drive-by", "scale", 0),
        ("spycraft", "dummy-package", "labels", 8),
    ],
)
def test_an_emblem_counts_as_its_card_counts(slug, code, picture, number):
    card = games()[slug].card(code)
    assert card and (deed := SHOWN[slug](card))
    assert (deed[1], deed[0].number) == (picture, number if picture != "labels" else deed[0].number)
