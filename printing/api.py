"""Sheets over HTTP."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.addresses import ERRORS
from cardsdb.errors import Fault, Refused
from cardsdb.games.kit.decktext import MAX_BYTES
from decks.api import KEY, cleaned
from decks.visitors import api_visitor_of
from printing.jobs import asked_of, job_for
from printing.options import OPTIONS, Option
from printing.views import pdf_answer


class SheetsSerializer(serializers.Serializer[Any]):
    """What to print: stored decks by id, single cards, or a game and a list. Options as on the print page."""

    deck = serializers.CharField(
        max_length=400, required=False, allow_blank=True, default="", help_text="A deck's id; several with commas between them."
    )
    card = serializers.CharField(
        max_length=10_000, required=False, allow_blank=True, default="", help_text="Single cards: spycraft/kai,2.spycraft/termite"
    )
    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, required=False, allow_blank=True, default="", trim_whitespace=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields, and one for each option of printing."""
        return super().get_fields() | {option.name: _field(option) for option in OPTIONS}


def _field(option: Option) -> serializers.CharField:
    """An option as a field of a request: words, which ``read_options`` reads and refuses as it does those of the print page."""
    said = f"{option.label}: {', '.join(option.allowed)}. Default: {option.default or 'the usual'}."
    return serializers.CharField(max_length=200, required=False, allow_blank=True, default="", help_text=f"{said} {option.help}".strip())


class PDFRenderer(BaseRenderer):
    """Lets a client ask for the PDF by its type; the bytes come ready made."""

    media_type = "application/pdf"
    format = "pdf"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return JSONRenderer().render(data)


class Sheets(APIView):
    renderer_classes = [JSONRenderer, PDFRenderer]

    def handle_exception(self, exc: Exception) -> Response:
        """An error is JSON, whatever the client hoped for."""
        response = super().handle_exception(exc)
        self.request.accepted_renderer, self.request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return response

    @extend_schema(
        operation_id="sheets_create",
        parameters=[KEY],
        request=SheetsSerializer,
        responses={(200, "application/pdf"): OpenApiTypes.BINARY, (200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def post(self, request: Request) -> HttpResponse:
        """Sheets of true size as one PDF, or with separate backs as a zip of two."""
        data = cleaned(SheetsSerializer(data=request.data))
        if bool(data["deck"] or data["card"]) == bool(data["text"].strip()):
            raise Refused(Fault("deck_or_text", "Send either a deck's id, or cards, or a game and a text.", "deck"))
        visitor, options = api_visitor_of(request), {option.name: data[option.name] for option in OPTIONS}
        return pdf_answer(request, job_for(asked_of(data, visitor), options, visitor, request.build_absolute_uri("/")))
