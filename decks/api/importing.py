"""Files of other programs over HTTP."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.serializers import ERRORS
from cardsdb.site.faults import Fault, Refused
from decks.core.judging import game_or_refuse
from decks.formats import CHOICES
from decks.importing.file_import import import_file


class ImportSerializer(serializers.Serializer[Any]):
    """A file. ``encoding`` says how ``content`` holds it: as its text, or as its bytes in base64."""

    content = serializers.CharField(trim_whitespace=False)
    encoding = serializers.ChoiceField(choices=["text", "base64"], required=False, default="text")
    filename = serializers.CharField(max_length=255, required=False, allow_blank=True, default="")
    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    taken_for = serializers.ChoiceField(choices=CHOICES, required=False, allow_blank=True, default="")


class LossSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    where = serializers.CharField(allow_blank=True)


class TakenForSerializer(serializers.Serializer[Any]):
    format = serializers.CharField()
    title = serializers.CharField()
    dialect = serializers.CharField(allow_blank=True)


class ImportedSerializer(serializers.Serializer[Any]):
    """What was read of a file. ``text`` may be sent to ``/api/v1/decks/`` to keep it; ``report`` is what judging it gives."""

    taken_for = TakenForSerializer()
    game = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    notes = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())
    house = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    losses = LossSerializer(many=True)
    report = serializers.JSONField()


class Import(APIView):
    @extend_schema(
        operation_id="decks_import", request=ImportSerializer, responses={200: ImportedSerializer, **ERRORS, 413: OpenApiTypes.OBJECT}
    )
    def post(self, request: Request) -> Response:
        """Read a file of another program, and tell what it was taken for and what was lost. Nothing is saved."""
        serializer = ImportSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        values = serializer.validated_data
        game = game_or_refuse(values["game"]) if values["game"] else None
        read = import_file(game, _bytes(values), values["filename"], values["taken_for"], values["format"])
        return Response(read.as_json())


def _bytes(values: dict[str, Any]) -> bytes:
    content: str = values["content"]
    if values["encoding"] == "text":
        return content.encode()
    try:
        return base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError):
        raise Refused(Fault("bad_base64", "The content is not base64.", "content")) from None
