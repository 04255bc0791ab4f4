"""Formats that people made of a game, over HTTP, read only: the public ones and one's own, and each that one
may see by its link.
"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView, game_parameter, only_known
from cardsdb.api.serializers import GAME, PAGE, Answer, ObjectPageSerializer, operation, picked
from cardsdb.catalogue.current import game_named, games
from cardsdb.games.kit.rules.house_rules import write_house_rules
from cardsdb.identity.viewer import api_viewer_of
from decks.leagues.forms import shown_rules
from decks.models import LeagueFormat


class LeagueFormatSerializer(Answer):
    """A format in a list. ``house``: what the house rules of a deck begin with that is judged by it; ``url``:
    its page.
    """

    texts = ("id", "url", "address", "game", "name", "by", "based_on", "visibility", "house")
    changed = serializers.DateTimeField()


class LeagueRuleSerializer(Answer):
    """``own``: the league says it, not the game."""

    texts = ("code", "says")
    own = serializers.BooleanField()


class FullLeagueFormatSerializer(LeagueFormatSerializer):
    """``rules`` is null where the game has changed so that the format can be read no longer; ``declared`` is
    what its file says.
    """

    rules = LeagueRuleSerializer(many=True, allow_null=True)
    declared = serializers.DictField()


class LeagueFormatPageSerializer(ObjectPageSerializer):
    results = LeagueFormatSerializer(many=True)


class LeagueFormatList(PrivateView):
    @operation("formats_list", GAME, *PAGE, gives=LeagueFormatPageSerializer)
    def get(self, request: Request) -> Response:
        """Formats that leagues made of a game: the public ones and your own, the last changed first."""
        only_known(request.query_params, self.get.takes)
        game = game_parameter(request)
        rows = LeagueFormat.objects.listed_for(api_viewer_of(request)).without_files()
        return self.paged(
            request, rows.filter(game__in=[game.slug] if game else games()), lambda row: _head(request, row)
        )


class LeagueFormatDetail(PrivateView):
    @operation("formats_read", gives=FullLeagueFormatSerializer)
    def get(self, request: Request, link: str) -> Response:
        """One of them with its rules and what its file says. A private one is there for its owner alone."""
        row = get_object_or_404(
            LeagueFormat.objects.visible_to(api_viewer_of(request)).filter(game__in=games()), link=link
        )
        game, format = game_named(row.game), row.as_format()
        rules = shown_rules(game, format) if game and format else None
        said = rules and [
            {"code": one.code, "says": one.citation.says if one.citation else "", "own": one.is_own}
            for one in rules
        ]
        return Response(_head(request, row) | {"rules": said, "declared": row.declared})


def _head(request: Request, row: LeagueFormat) -> dict[str, Any]:
    return {
        "id": row.link,
        "url": request.build_absolute_uri(reverse("league", args=[row.link])),
        "address": reverse("api_format", args=[row.link]),
        **picked(row, "game", "name", "by", "based_on", "visibility"),
        "house": write_house_rules({}, row.link),
        "changed": row.changed,
    }
