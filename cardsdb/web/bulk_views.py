"""The downloads: a page, the files themselves, and the same list for programs."""

from __future__ import annotations

from datetime import datetime

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.reads import CatalogueView
from cardsdb.api.shapes import READ_ERRORS, BulkSerializer
from cardsdb.catalogue.edition_files import Bulk, BulkFile, current_bulk

TYPES = {".gz": "application/gzip", ".sqlite3": "application/vnd.sqlite3", ".txt": "text/plain; charset=utf-8"}


@require_safe
def bulk_page(request: HttpRequest) -> HttpResponse:
    bulk = current_bulk()
    return render(request, "cardsdb/bulk.html", {"bulk": bulk, "made": parse_datetime(bulk.date) if bulk and bulk.date else None})


@require_safe
def bulk_file(request: HttpRequest, name: str) -> HttpResponse:
    """One file of the newest edition, streamed. The tag is its checksum, so who has it is not sent it again."""
    found = _file(current_bulk(), name)
    if found is None:
        raise Http404
    bulk, file = found
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


class BulkList(CatalogueView):
    def state(self) -> tuple[object, datetime | None]:
        """The files themselves: they are written a moment after the edition is."""
        bulk = current_bulk()
        return ([file.sha256 for file in bulk.files] if bulk else 0), None

    @extend_schema(operation_id="bulk_list", responses={200: BulkSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        """The whole catalogue as files to download, with size, date and checksum."""
        bulk = current_bulk()
        if bulk is None:
            return Response({"edition": None, "date": None, "files": []})
        files = [
            {
                "name": file.name,
                "about": file.about,
                "url": request.build_absolute_uri(reverse("bulk_file", args=[file.name])),
                "size": file.size,
                "rows": file.rows,
                "sha256": file.sha256,
            }
            for file in bulk.files
        ]
        return Response({"edition": bulk.edition, "date": bulk.date or None, "files": files})
