"""One change of a deck over HTTP: some copies of a card more, fewer or exactly, or lines of a list that are added."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from cardsdb.games.kit import Card, Game
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.games.kit.listtext.line import MAX_COUNT
from cardsdb.site.faults import Fault, Refused
from decks.core import edits
from decks.core.content import DeckContent
from decks.core.edits import Edit, EditRefused
from decks.editor.changes import card_of, format_of, known_section, parse_edit, refusing


class CopiesSerializer(serializers.Serializer[Any]):
    """So many copies of a card, by its key (``spycraft/kai``) or code; the section may be left out."""

    card = serializers.CharField(max_length=200)
    count = serializers.IntegerField(min_value=0, max_value=MAX_COUNT, required=False, default=1)
    section = serializers.CharField(max_length=40, required=False)


class ChangeSerializer(serializers.Serializer[Any]):
    """Exactly one of these. ``lines``: a piece of a list, all of it or nothing."""

    add = CopiesSerializer(required=False)
    take = CopiesSerializer(required=False)
    set = CopiesSerializer(required=False)
    lines = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 1 or len(self.initial_data) != 1:
            sentence = 'A change is one of add, take, set and lines, as in {"add": {"card": "kai", "count": 1}}.'
            raise serializers.ValidationError(sentence, code="not_one_change")
        return attrs


def change_of(data: dict[str, Any], game: Game) -> Edit:
    """What a checked body asks for. Raises Refused; so does the edit, for what cannot be done to the deck as it is."""
    if "lines" in data:
        return parse_edit({"edit": "lines", "lines": data["lines"]}, game).edit
    ((how, copies),) = data.items()
    code, count, section = copies["card"].removeprefix(f"{game.slug}/"), copies["count"], copies.get("section", "")
    if section:
        known_section(game, section)
    if not count and how != "set":
        raise Refused(Fault("bad_count", f"A count is 1 to {MAX_COUNT} here; with set it may be 0.", f"{how}.count"))

    def edit(content: DeckContent) -> DeckContent:
        card = card_of(content, game, code)
        place = section or _place_of(content, game, card)
        if how == "add":
            return edits.with_more(content, card, place, count)
        if how == "set":
            return edits.with_count(content, card, place, count)
        if edits.entry_of(content, place, card.code) is None:
            raise EditRefused("not_in_the_deck", f"The deck has no {card.name} to take out there.", "take.card")
        return edits.with_more(content, card, place, -count)

    return refusing(edit)


def _place_of(content: DeckContent, game: Game, card: Card) -> str:
    """Where a card without a section is meant: where its type goes, unless it stands elsewhere alone."""
    home = edits.home_of(game, card.type, format_of(content, game))
    held = [entry.section for entry in content.deck if entry.card.code == card.code]
    return home if home in held or not held else held[0]
