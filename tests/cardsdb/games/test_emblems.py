"""Emblems of all games: they stay in their windows, tell people apart, show the verb of a card, and draw
nothing that no source states.
"""

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

# Windows of different shapes, in micrometres.
SIZES = [(34_000, 40_600), (55_500, 19_000), (41_500, 18_600), (20_000, 8_500)]


def emblem_of(card: Card) -> Emblem | None:
    """Return the emblem on the face of the card's type; None if it has none."""
    elements = games()[card.game].face_named(card.type).elements
    emblems = (element.emblem for element in elements if isinstance(element, Notes | Figure | Levels))
    return next(filter(None, emblems), None)


def drawn(card: Card, size: tuple[int, int] = SIZES[0], *, light: bool = False) -> list[Shape]:
    window = Window(*size, light=light)
    if emblem := emblem_of(card):
        emblem.draw(card, window)
    return window.shapes


def cards_with_emblem(slug: str) -> Iterator[Card]:
    return (card for card in games()[slug].cards if emblem_of(card))


@pytest.mark.parametrize("light", [False, True], ids=["full", "light"])
@pytest.mark.parametrize("slug", games())
def test_no_emblem_and_no_pen_of_one_reaches_out_of_its_window(slug, light):
    cards = list(cards_with_emblem(slug))
    for card in cards[::5] if len(cards) > 200 else cards:
        for width, height in SIZES:
            shapes = drawn(card, (width, height), light=light)
            assert not light or not shapes or shapes[0].ink == "paper", card.key
            for steps, _, pen in shapes:
                half = pen // 2 - 2
                for _, numbers in steps:
                    assert all(half <= x <= width - half for x in numbers[::2]), (card.key, width)
                    assert all(half <= y <= height - half for y in numbers[1::2]), (card.key, width)


def test_all_leaders_and_agents_of_spycraft_have_different_emblems():
    people = [
        card
        for card in cards_with_emblem("spycraft")
        if card.type in ("leader", "agent") and card.words("faction")
    ]
    assert len({str(drawn(card)) for card in people}) == len(people) > 300


@pytest.mark.parametrize("slug", ["xfiles", "spynet", "agentdecker"])
def test_a_card_without_facts_has_no_emblem(slug):
    bare = [Card(slug, "bare", "Somebody", card_type.slug) for card_type in games()[slug].types]
    assert [card.type for card in bare if drawn(card)] == []


@pytest.mark.parametrize("slug", ["xfiles", "spynet", "agentdecker"])
def test_a_stand_in_has_no_emblem(slug):
    stand_ins = [card for card in cards_with_emblem(slug) if card.fact("stand_in")]
    assert [card.code for card in stand_ins if drawn(card)] == []


TRAITS = {"intelligence": 1, "charisma": 3, "body": 2}


def test_each_trait_of_a_steam_spy_character_changes_the_cogs():
    cogs = [
        str(drawn(Card("steamspy", "x", "Somebody", "character", TRAITS | {trait: 4}))) for trait in TRAITS
    ]
    assert len(set(cogs)) == 3


@pytest.mark.parametrize("unknown", TRAITS)
def test_a_steam_spy_character_with_an_unknown_trait_has_no_cogs(unknown):
    facts = {key: value for key, value in TRAITS.items() if key != unknown}
    card = Card("steamspy", "x", "Somebody", "character", facts)
    assert emblem_of(card) and drawn(card) == []


# -- verbs of effects ----------------------------------------------------------------

# (game, type whose emblem is a verb, least number of different pictures).
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
def test_an_emblem_shows_a_verb_of_its_card_and_a_type_has_many_pictures(slug, card_type, least):
    shown, without = set(), []
    for card in (card for card in games()[slug].cards if card.type == card_type):
        if deed := SHOWN[slug](card):
            assert deed[0].verb in card.words("does"), card.code
            shown.add(deed[1])
        else:
            without.append(card.code)
    assert len(shown) >= least, sorted(shown)
    # A verb of a single card may lack a picture.
    assert len(without) <= 5, without


@pytest.mark.parametrize("slug", ["spynet", "steamspy", "agentdecker"])
def test_each_card_that_does_something_shows_the_picture_of_its_verb(slug):
    for card in games()[slug].cards:
        # The alarm card of Agent Decker shows its track for tokens instead.
        if card.words("does") and card.type != "alarm":
            shown = first_deed(card, VERBS[slug])
            assert shown and shown[0].verb in card.words("does"), card.code
            assert emblem_of(card) and drawn(card) and drawn(card, light=True), card.code


@pytest.mark.parametrize("slug", VERBS)
def test_no_picture_serves_two_verbs(slug):
    of_verbs = [[value] if isinstance(value, str) else value for value in VERBS[slug].values()]
    pictures = [picture for of_verb in of_verbs for picture in of_verb if picture]
    assert len(set(pictures)) == len(pictures)
    assert set(pictures) <= set(PICTURES)


@pytest.mark.parametrize(
    ("slug", "code", "picture", "number"),
    [
        ("xfiles", "hard-evidence", "coins", 5),
        ("spycraft", "ambush", "burst", 2),
        ("spycraft", "drive-by", "scale", 0),
        ("spycraft", "dummy-package", "labels", 1),  # it sets a word, not a number
    ],
)
def test_an_emblem_has_the_number_of_its_card(slug, code, picture, number):
    card = games()[slug].card(code)
    assert card and (shown := SHOWN[slug](card))
    assert (shown[1], shown[0].number) == (picture, number)


@pytest.mark.parametrize(("copies", "words"), [(1, "1 copy"), (3, "3 copies")])
def test_the_face_of_a_starting_card_counts_its_copies_in_words(copies, words):
    card = Card("agentdecker", "new", "New", "starting", {"copies": copies}, written=True)
    assert words in agentdecker.kind(card)
