"""oEmbed (https://oembed.com): how another site shows a deck when somebody pastes its address there."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.serializers import ERRORS, ErrorSerializer
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.model.text import whole_number
from cardsdb.identity.viewer import Viewer
from cardsdb.site.sharing import private
from decks.models import Deck
from decks.sharing.views import EMBEDDED_SIZE

PICTURE_SIZE = (1200, 630)
# In a smaller frame a list cannot be read.
MIN_SIDE = 200
MAX_ADDRESS = 500


class OEmbedSerializer(serializers.Serializer[Any]):
    version = serializers.CharField()
    type = serializers.CharField()
    title = serializers.CharField()
    provider_name = serializers.CharField()
    provider_url = serializers.CharField()
    html = serializers.CharField()
    width = serializers.IntegerField()
    height = serializers.IntegerField()
    thumbnail_url = serializers.CharField()
    thumbnail_width = serializers.IntegerField()
    thumbnail_height = serializers.IntegerField()


_PIXELS = {"type": "integer", "minimum": MIN_SIDE}


@method_decorator(private, name="dispatch")
class OEmbed(APIView):
    @extend_schema(
        operation_id="oembed",
        parameters=[
            OpenApiParameter("url", str, required=True, description="The address of a deck's page."),
            OpenApiParameter("format", str, enum=["json"], description="json, the only one there is."),
            OpenApiParameter("maxwidth", _PIXELS, description="The most pixels the frame may be wide."),
            OpenApiParameter("maxheight", _PIXELS, description="The most pixels the frame may be high."),
        ],
        responses={200: OEmbedSerializer, 501: ErrorSerializer(many=True), **ERRORS},
    )
    def get(self, request: Request) -> Response:
        """A deck as a frame for other sites. 404 for a private one, 501 for another format than JSON."""
        if request.query_params.get("format") not in (None, "", "json"):
            raise Refused(
                Fault("no_such_format", "oEmbed answers in JSON here: format=json.", "format"), status=501
            )
        deck = _deck_at(request, request.query_params.get("url", ""))
        width, height = (
            min(most, _bound(request, name, most))
            for name, most in zip(("maxwidth", "maxheight"), EMBEDDED_SIZE, strict=True)
        )
        frame = (
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"'
            ' sandbox="allow-popups"></iframe>'
        )
        return Response(
            {
                "version": "1.0",
                "type": "rich",
                "title": deck.name,
                "provider_name": "Cutout",
                "provider_url": request.build_absolute_uri("/"),
                "html": format_html(
                    frame,
                    request.build_absolute_uri(reverse("deck_embed", args=[deck.link])),
                    width,
                    height,
                    deck.name,
                ),
                "width": width,
                "height": height,
                "thumbnail_url": request.build_absolute_uri(f"/decks/{deck.link}/picture.png"),
                "thumbnail_width": PICTURE_SIZE[0],
                "thumbnail_height": PICTURE_SIZE[1],
            }
        )


def _deck_at(request: Request, address: str) -> Deck:
    """The deck whose page has this address on this site. Raises Refused for no address, Http404 for any
    other.
    """
    if not address or len(address) > MAX_ADDRESS or "\x00" in address:
        raise Refused(Fault("required", "Give the address of a deck's page: url=https://…/decks/…/.", "url"))
    try:
        parts = urlsplit(address)
        match = resolve(parts.path)
    except (ValueError, Resolver404):
        raise Http404 from None
    if parts.netloc.lower() != request.get_host().lower() or match.url_name != "deck":
        raise Http404
    return get_object_or_404(Deck.objects.visible_to(Viewer()), link=match.kwargs["link"])


def _bound(request: Request, name: str, otherwise: int) -> int:
    text = request.query_params.get(name, "")
    if not text:
        return otherwise
    number = whole_number(text, least=MIN_SIDE)
    if number is None:
        raise Refused(Fault("bad_number", f"{name} is a whole number of pixels, {MIN_SIDE} or more.", name))
    return number
