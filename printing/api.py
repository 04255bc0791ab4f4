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
from printing.jobs import job_for, pasted_list, stored_deck
from printing.sheets import DEFAULTS
from printing.views import pdf_answer


class SheetsSerializer(serializers.Serializer[Any]):
    """What to print: a stored deck by its id, or a game and a list. Options as on the print page."""

    deck = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    game = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    format = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")
    text = serializers.CharField(max_length=MAX_BYTES, required=False, allow_blank=True, default="", trim_whitespace=False)
    paper = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    trim = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    gap = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")
    marks = serializers.CharField(max_length=20, required=False, allow_blank=True, default="")


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
        responses={(200, "application/pdf"): OpenApiTypes.BINARY, **ERRORS},
    )
    def post(self, request: Request) -> HttpResponse:
        """Sheets of true size as one PDF."""
        data = cleaned(SheetsSerializer(data=request.data))
        if bool(data["deck"]) == bool(data["text"].strip()):
            raise Refused(Fault("deck_or_text", "Send either a deck's id or a game and a text.", "deck"))
        if data["deck"]:
            asked = stored_deck(data["deck"], api_visitor_of(request))
        else:
            asked = pasted_list(data["game"], data["text"], data["format"])
        return pdf_answer(request, job_for(asked, {name: data[name] for name in DEFAULTS}))
