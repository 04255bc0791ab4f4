"""The files of pictures, for their owners alone."""

from __future__ import annotations

from io import BytesIO

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from PIL import Image

from cardsdb.site.faults import Refused
from decks.core.viewer import viewer_of
from printing.models import UploadedPicture
from printing.pictures.kinds import PILLOW
from printing.uploads import storage
from printing.uploads.intake import decoding
from printing.web.busy import try_later

# A copy for pages is at most so many pixels wide or high.
SMALL = 480
HEADERS = {
    # Whatever a browser might take it for, nothing in it runs and no other site may show it.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Disposition": "inline",
    "Cache-Control": "private, max-age=3600",
}


@require_safe
def file(request: HttpRequest, sha256: str) -> HttpResponse:
    """The picture as it is stored. To all but its owners there is nothing here."""
    kind = _own_or_404(request, sha256)
    try:
        return _private(storage.path_of(sha256).read_bytes(), f"image/{kind}")
    except OSError:
        raise Http404 from None


@require_safe
def small(request: HttpRequest, sha256: str) -> HttpResponse:
    """A small copy, encoded anew, made when it is asked for the first time."""
    kind = _own_or_404(request, sha256)
    path = storage.path_of(sha256, "small")
    try:
        if not path.exists():
            # One at a time in each process, as at the upload: a decoded picture takes a hundred megabytes.
            with decoding():
                if not path.exists():
                    storage.keep(sha256, {"small": _small(sha256, kind)})
        return _private(path.read_bytes(), "image/webp")
    except Refused as refused:
        return try_later(request, refused)
    except OSError:
        raise Http404 from None


def _own_or_404(request: HttpRequest, sha256: str) -> str:
    """The kind of a picture that the visitor has."""
    if not storage.NAME.fullmatch(sha256):
        raise Http404
    row = UploadedPicture.objects.of(viewer_of(request)).filter(sha256=sha256).first()
    if row is None:
        raise Http404
    return row.kind


def _private(data: bytes, kind: str) -> HttpResponse:
    response = HttpResponse(data, content_type=kind, headers=HEADERS)
    patch_vary_headers(response, ("Cookie",))
    return response


def _small(sha256: str, kind: str) -> bytes:
    with Image.open(storage.path_of(sha256), formats=[PILLOW[kind]]) as opened:
        opened.draft("RGB", (SMALL, SMALL))
        picture = opened.convert("RGBA" if opened.has_transparency_data else "RGB")
    picture.thumbnail((SMALL, SMALL))
    out = BytesIO()
    picture.save(out, "WEBP", quality=80)
    return out.getvalue()
