"""Lists and files that are not kept, over HTTP: a list judged, a list in another format, a file of another
program read; and the formats by which lists are judged that people made of a game, read only.
"""

import base64
import binascii
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView, game_parameter, only_known
from cardsdb.api.serializers import (
    GAME,
    PAGE,
    Answer,
    BodySerializer,
    ObjectPageSerializer,
    OneOf,
    cleaned,
    operation,
)
from cardsdb.catalogue.as_json import picked
from cardsdb.catalogue.current import game_named, games
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.games.kit.rules.house_rules import MAX_HOUSE_RULES, write_house_rules
from cardsdb.identity.viewer import api_viewer_of
from cardsdb.search.own_cards import own_cards_of
from decks.check.pasted import cards_of_catalogue, repair_json, repairs_of
from decks.core.judging import game_or_refuse, read_text
from decks.core.used_format import format_or_refuse
from decks.formats import CHOICES, export
from decks.importing.file_import import import_file, judge_sent
from decks.leagues.league_formats import shown_rules
from decks.models import LeagueFormat, leagues_of


class ListSerializer(BodySerializer):
    """A pasted list."""

    game = serializers.CharField(max_length=40)
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, trim_whitespace=False)


class ValidateSerializer(ListSerializer):
    """A pasted list, by which house rules it is judged, and whether repairs are looked for. Without ``game``
    it is guessed.
    """

    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    house = serializers.CharField(max_length=MAX_HOUSE_RULES, required=False, allow_blank=True, default="")
    repair = serializers.BooleanField(required=False, default=False)


class ConvertSerializer(ListSerializer):
    to = OneOf(choices=CHOICES)


class CitationSerializer(Answer):
    texts = ("code", "document", "section", "lines", "url", "certainty", "says")
    pages = serializers.ListField(child=serializers.IntegerField())


class ViolationSerializer(Answer):
    texts = ("code", "problem", "message", "house")
    lists = ("cards",)
    severity = serializers.ChoiceField(choices=["illegal", "incomplete", "unknown", "note"])
    found = serializers.JSONField(allow_null=True)
    wanted = serializers.JSONField(allow_null=True)
    citation = CitationSerializer(allow_null=True)
    repairs = serializers.ListField(child=serializers.DictField())


class LeagueSerializer(Answer):
    """The league whose format a list was judged by: what the format is called, and the document that its
    rules are cited from.

    ``lost``: there is none that you may see; ``format`` alone judged it.
    """

    texts = ("link", "name", "document", "by", "url")
    lost = serializers.BooleanField()


class NoticeSerializer(Answer):
    """What was set aside of a line. ``line`` counts in the list; ``where`` is the place in what was sent,
    which may be a file.
    """

    texts = ("where", "message")
    line = serializers.IntegerField()


class UnreadSerializer(NoticeSerializer):
    """A line that was not read, with what may be meant, and the verdict by each."""

    texts = (*NoticeSerializer.texts, "text", "code")
    lists = ("suggestions", "outcomes")


class LossSerializer(Answer):
    texts = ("code", "message", "where")


class OfFileSerializer(Answer):
    """The file of another program that a list stood in: what it was taken for, and what was lost of it."""

    texts = ("taken_for",)
    losses = LossSerializer(many=True)


class VerdictSerializer(Answer):
    """What judging a list gives: the same object as ``check_deck --json``."""

    texts = ("game", "format", "house", "readings", "legal_elsewhere", "opening")
    league = LeagueSerializer(allow_null=True)
    verdict = serializers.ChoiceField(choices=["legal", "incomplete", "illegal", "undecided"])
    violations = ViolationSerializer(many=True)
    unread = UnreadSerializer(many=True)
    notices = NoticeSerializer(many=True)
    meters = serializers.ListField(child=serializers.DictField())
    repairs = serializers.ListField(child=serializers.DictField(), required=False)
    sections = serializers.ListField(child=serializers.DictField())
    guessed = serializers.DictField(child=serializers.CharField(allow_blank=True))
    of_file = OfFileSerializer(required=False)


class Validate(PrivateView):
    @operation("decks_validate", gives=VerdictSerializer, body=ValidateSerializer)
    def post(self, request: Request) -> Response:
        """Judge a list, or the text of another program's file. Nothing is saved. ``house`` changes numbers of
        the format, ``repair`` asks for the smallest repairs.

        ``house`` may begin with ``league=`` and the last part of the address of a format that somebody made
        here, such as a league's.

        Game and format are guessed where they are left out, and ``guessed`` says why; a list that leaves its
        game open is refused.
        """
        data, viewer = cleaned(ValidateSerializer, request), api_viewer_of(request)
        asked = (data[name] for name in ("game", "format", "house"))
        text = data["text"].encode("utf-8", "replace")
        sent = judge_sent(text, *asked, leagues_of(viewer), own_cards_of(viewer))
        judged, answer = sent.judged, sent.as_json()
        if data["repair"]:
            found = repairs_of(judged, cards_of_catalogue(judged.game))
            answer["repairs"] = [repair_json(repair) for repair in found]
        return Response(answer)


class Convert(PrivateView):
    @operation("decks_convert", body=ConvertSerializer)
    def post(self, request: Request) -> Response:
        """Write a list in another format, with a report of what that format cannot hold."""
        data = cleaned(ConvertSerializer, request)
        game = game_or_refuse(data["game"], games())
        own = own_cards_of(api_viewer_of(request))(game)
        reading = read_text(game, data["text"], format_or_refuse(game, data["format"]), own)
        written = export(data["to"], game, reading)
        losses = [picked(loss, "code", "message", "where") for loss in written.losses]
        return Response(picked(written, "filename", "content_type", "text") | {"losses": losses})


class ImportSerializer(BodySerializer):
    """A file. ``encoding`` says how ``content`` holds it: as its text, or as its bytes in base64."""

    content = serializers.CharField(trim_whitespace=False)
    encoding = OneOf(choices=["text", "base64"], required=False, default="text")
    filename = serializers.CharField(max_length=255, required=False, allow_blank=True, default="")
    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    taken_for = OneOf(choices=CHOICES, required=False, allow_blank=True, default="")


class TakenForSerializer(Answer):
    texts = ("format", "title", "dialect")


class ImportedSerializer(Answer):
    """What was read of a file. ``text`` may be sent to ``/api/v1/decks/`` to keep it; ``report`` is what
    judging it gives.
    """

    texts = ("game", "name", "notes", "house", "text")
    lists = ("tags",)
    taken_for = TakenForSerializer()
    losses = LossSerializer(many=True)
    report = VerdictSerializer()


class Import(PrivateView):
    @operation("decks_import", gives=ImportedSerializer, body=ImportSerializer)
    def post(self, request: Request) -> Response:
        """Read a file of another program, and tell what it was taken for and what was lost. Nothing is
        saved.
        """
        values = cleaned(ImportSerializer, request)
        game = game_or_refuse(values["game"], games()) if values["game"] else None
        viewer = api_viewer_of(request)
        read = import_file(
            game,
            _bytes(values),
            values["filename"],
            values["taken_for"],
            values["format"],
            leagues_of(viewer),
            own_cards_of(viewer),
        )
        return Response(read.as_json())


def _bytes(values: dict[str, Any]) -> bytes:
    content: str = values["content"]
    if values["encoding"] == "text":
        return content.encode()
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError):
        raise Refused(Fault("bad_base64", "The content is not base64.", "content")) from None


# -- formats of leagues ---------------------------------------------------------------------


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
