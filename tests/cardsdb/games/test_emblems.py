"""Emblems: the same card has the same one for ever, two cards have two, and none says what nobody has
stated.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Card
from cardsdb.games.kit.print.face import Figure, Notes
from cardsdb.games.kit.print.shapes import Emblem, Shape, Window

SIZES = [(34_000, 40_600), (55_500, 19_000), (41_500, 18_600), (20_000, 8_500)]


def emblem_of(card: Card) -> Emblem | None:
    """What fills the window of the card's type."""
    elements = games()[card.game].face_named(card.type).elements
    return next((one.emblem for one in elements if isinstance(one, Notes | Figure) and one.emblem), None)


def drawn(card: Card, size: tuple[int, int] = SIZES[0], *, light: bool = False) -> list[Shape]:
    window = Window(*size, light=light)
    if emblem := emblem_of(card):
        emblem.draw(card, window)
    return window.shapes


def pictured(slug: str) -> Iterator[Card]:
    return (card for card in games()[slug].cards if emblem_of(card))


@pytest.mark.parametrize("slug", ["spycraft", "xfiles", "spynet", "agentdecker", "steamspy"])
def test_every_game_of_ours_has_emblems(slug: str) -> None:
    assert any(drawn(card) for card in pictured(slug))


@pytest.mark.parametrize("light", [False, True], ids=["full", "light"])
@pytest.mark.parametrize("slug", games())
def test_no_emblem_reaches_out_of_its_window(slug: str, light: bool) -> None:
    for card in list(pictured(slug))[::3]:
        for width, height in SIZES:
            for steps, _, pen in drawn(card, (width, height), light=light):
                for _, numbers in steps:
                    # Half the pen of a line on the very edge lies under the frame.
                    assert all(-pen <= x <= width + pen for x in numbers[::2]), card.key
                    assert all(-pen <= y <= height + pen for y in numbers[1::2]), card.key


@pytest.mark.parametrize("slug", games())
def test_a_card_always_has_the_same_emblem(slug: str) -> None:
    for card in list(pictured(slug))[::7]:
        assert drawn(card) == drawn(card)


def test_no_two_people_of_spycraft_have_one_emblem() -> None:
    people = [
        card for card in pictured("spycraft") if card.type in ("leader", "agent") and card.words("faction")
    ]
    assert len({str(drawn(card)) for card in people}) == len(people) > 300


@pytest.mark.parametrize("slug", ["xfiles", "spynet", "agentdecker"])
def test_a_card_of_which_nothing_is_stated_has_none(slug: str) -> None:
    bare = [Card(slug, "bare", "Somebody", card_type.slug) for card_type in games()[slug].types]
    assert [card.type for card in bare if drawn(card)] == []
    unnamed = [card for card in pictured(slug) if card.fact("stand_in")]
    assert [card.code for card in unnamed if drawn(card)] == []


def test_a_character_of_steam_spy_has_its_three_traits_as_cogs_and_none_while_one_is_unknown() -> None:
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


@pytest.mark.parametrize("slug", games())
def test_a_light_emblem_stands_on_paper(slug: str) -> None:
    for card in list(pictured(slug))[::5]:
        shapes = drawn(card, light=True)
        assert not shapes or shapes[0].ink == "paper", card.key
