"""Words on cards and sheets: the foot of a card, the credit of a sheet, and the words for a screen reader."""

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card, Claim, Print
from cardsdb.games.kit.print.dossier import dossier
from cardsdb.games.kit.print.face import Box, Face, Text
from printing.faces import wording
from printing.faces.compose import compose
from tests.support.drawings import CREDIT, parcel, words_of

ONE = {"prints": (Print("ONE", "2"),), "sources": {"": (Claim("sheet"),)}}
OWED = f"{CREDIT.text}, CC BY-NC 4.0"
FOOT = Text(Box(4_000, 80_000, 30_000, 4_000), "credit", 60, 60)


def foot(width: int) -> Text:
    return replace(FOOT, box=Box(4_000, 80_000, width, 4_000))


# -- the foot of a card ---------------------------------------------------------------------


def test_the_foot_of_a_card_has_its_print_and_its_game(sixth_game):
    assert words_of(parcel(sixth_game, dossier(), **ONE)).endswith("ONE 2 · Dead Drop · proxy")


@pytest.mark.parametrize(("weight", "words"), [(7, "Sources differ: Weight"), (9, "Dead Drop · proxy")])
def test_the_foot_of_a_card_names_disputed_facts(sixth_game, weight, words):
    """A player should know that a number is in doubt."""
    claims = {"": (Claim("sheet"),), "weight": (Claim("sheet"), Claim("sheet", value="9"))}
    drawing = parcel(sixth_game, dossier(corner="weight"), facts={"weight": weight}, sources=claims)
    assert words_of(drawing).endswith(words)


def test_a_foot_that_is_too_long_drops_parts(sixth_game):
    feet = [words_of(parcel(sixth_game, Face((foot(width),)), **ONE)) for width in (30_000, 12_000, 8_000)]
    assert feet == ["ONE 2 · Dead Drop · proxy", "ONE 2 · proxy", "ONE 2"]


def test_the_credit_of_a_game_is_complete_on_every_face(sixth_game):
    owed = replace(sixth_game, credit=CREDIT)
    assert OWED in words_of(parcel(owed, Face((foot(12_000),)), **ONE))
    bare = Face((Text(Box(4_000, 4_000, 50_000, 8_000), "name"),))
    for face in (bare, replace(bare, landscape=True), dossier()):
        assert OWED in words_of(parcel(owed, face))


@pytest.mark.parametrize("slug", ("spycraft", "xfiles"))
def test_every_foot_has_room_for_a_note_on_the_sources(slug):
    game = games()[slug]
    disputed = [card for card in game.cards if card.disagreements()]
    assert disputed
    for card in disputed:
        assert "Sources differ" in words_of(compose(card, game)), card.code
    for kind in game.types:
        own = Card(slug, f"{OWN_CODE}falcon", "Brass Falcon", kind.slug)
        assert "player’s own card" in words_of(compose(own, game)), kind.slug


def test_a_print_shown_elsewhere_is_left_out_of_the_foot(sixth_game):
    above = Text(Box(4_000, 70_000, 50_000, 4_000), "set")
    for credit, words in ((foot(50_000), "ONE 2 Dead Drop · proxy"), (foot(9_000), "ONE 2 proxy")):
        assert words_of(parcel(sixth_game, Face((above, credit)), **ONE)) == words


def test_a_summary_is_marked_after_a_credit_and_after_a_note_on_sources():
    decker, xfiles = games()["agentdecker"], games()["xfiles"]
    guard, sentence = (decker.card(code) for code in ("patrolling-guard", "zone-line"))
    assert words_of(compose(guard, decker)).endswith(f"{decker.credit.text} · summary")
    assert "summary" not in words_of(compose(sentence, decker))
    disputed = next(card for card in xfiles.cards if card.disagreements() and card.facts.get("does"))
    assert " · summary" in wording.credit_line(disputed, xfiles)


def test_a_card_that_the_author_of_a_list_wrote_in_says_so(sixth_game):
    assert "Written in by the list’s author" in words_of(parcel(sixth_game, dossier(), written=True))


# -- the credit of a sheet ------------------------------------------------------------------


def forms_of(slug: str) -> tuple[str, ...]:
    game = games()[slug]
    return wording.sheet_credit(game), *wording.shorter_credits(game)


def test_shorter_credits_keep_author_licence_and_rights():
    _, first, last = forms_of("agentdecker")
    for words in (first, last):
        assert words.startswith("Agent Decker by Manuel Correia, CC BY-NC 4.0 · ")
        assert words.endswith(" · Changed by Cutout")
    assert "creativecommons.org/licenses/by-nc/4.0" in first
    assert forms_of("spycraft")[-1].endswith(" belong to Alderac Entertainment Group, Inc.")
    assert forms_of("spynet")[-1].endswith(" is a trademark of Z-Man Games.")
    assert forms_of("xfiles")[-1].endswith(" Fox and United States Playing Card Company.")


# -- the words for a screen reader ----------------------------------------------------------


def test_facts_that_a_face_shows_as_shapes_are_read_aloud():
    game = games()["xfiles"]
    doctor, zombie = (
        wording.read_aloud(game.card(code), game) for code in ("dr-blockhead", "pvt-mcalpin-zombie")
    )
    for words in ("Pool RP", "Activators Active, Evolutionary, Creature", "Sources differ: Activators"):
        assert words in doctor
    assert "N/A" in zombie


def test_a_card_without_traits_mentions_none_on_its_face_nor_aloud():
    game = games()["spycraft"]
    without = [card for card in game.cards if card.type == "gear" and not card.words("traits")]
    assert len(without) > 30
    for card in without:
        words = f"{words_of(compose(card, game))} {wording.read_aloud(card, game)}".casefold()
        assert "no trait" not in words and "traits" not in words, card.code
