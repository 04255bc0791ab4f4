"""The downloads: a page, and the files themselves."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe

from cardsdb.catalogue.edition_files import Bulk, BulkFile, current_bulk

TYPES = {".gz": "application/gzip", ".sqlite3": "application/vnd.sqlite3", ".txt": "text/plain; charset=utf-8"}


@require_safe
def bulk_page(request: HttpRequest) -> HttpResponse:
    bulk = current_bulk()
    return render(request, "cardsdb/bulk.html", {"bulk": bulk, "made": parse_datetime(bulk.date) if bulk and bulk.date else None})


@require_safe
def bulk_file(request: HttpRequest, name: str) -> HttpResponse:
    """One file of the newest edition, streamed. The tag is its checksum, so who has it is not sent it again."""
    named = _file(current_bulk(), name)
    if named is None:
        raise Http404
    bulk, file = named
    etag = f'"{file.sha256}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        # The bytes are compressed already, and the size must be known beforehand: nothing on the way may compress them again.
        request.META["HTTP_ACCEPT_ENCODING"] = "identity"
        path = bulk.folder / file.name
        try:
            opened = path.open("rb")
        except FileNotFoundError:
            raise Http404 from None  # A new edition took its place in this very moment.
        response = FileResponse(opened, as_attachment=True, filename=f"cutout-{file.name}", content_type=TYPES[path.suffix])
    response["ETag"] = etag
    response["Access-Control-Allow-Origin"] = "*"
    patch_cache_control(response, public=True, max_age=0, must_revalidate=True)
    return response


def _file(bulk: Bulk | None, name: str) -> tuple[Bulk, BulkFile] | None:
    """Only what the manifest names is served, so that a name can lead nowhere else."""
    return next(((bulk, file) for file in bulk.files if file.name == name), None) if bulk else None
