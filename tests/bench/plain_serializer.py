"""The JSON of a card as REST framework's own means make it: a view, a ModelSerializer with the prints nested
in it.
"""

from __future__ import annotations

from typing import Any

from rest_framework.generics import RetrieveAPIView
from rest_framework.serializers import ModelSerializer, SerializerMethodField

from cardsdb.catalogue.card_json import PRINT_PARTS, credit_json, effects_json, sources_json
from cardsdb.games import games
from cardsdb.models import Card, Print


class PrintSerializer(ModelSerializer[Print]):
    set = SerializerMethodField()

    class Meta:
        model = Print
        fields = PRINT_PARTS

    def get_set(self, row: Print) -> str:
        return row.set_code


class CardSerializer(ModelSerializer[Card]):
    """What columns hold comes from them; what the site says besides (sources in words, effects) from its own
    functions.
    """

    prints = PrintSerializer(many=True)

    class Meta:
        model = Card
        fields = ("game", "code", "name", "type", "text", "note", "prints")

    def to_representation(self, row: Card) -> dict[str, Any]:
        game, card = games()[row.game], row.as_card()
        sources = sources_json(game, card)
        told = [key for key in ("name", "type", "text") if key in card.sources]
        told += [fact.key for fact in game.facts if fact.key in card.facts or fact.key in card.sources]
        return super().to_representation(row) | {
            "key": card.key,
            "facts": {fact.key: card.facts[fact.key] for fact in game.facts if fact.key in card.facts},
            "effects": effects_json(game, card),
            "aliases": card.aliases,
            "sources": {key: sources.get(key) or sources.get("", []) for key in told},
            "credit": credit_json(game),
        }


class CardJSON(RetrieveAPIView[Card]):
    queryset = Card.objects.in_game("spycraft").prefetch_related("prints")
    serializer_class = CardSerializer
    lookup_field = "code"
