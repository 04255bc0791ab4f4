"""The print shop's API: make sheets and other files, and follow print jobs.

``POST /api/v1/sheets/`` answers with the file, or with 202 and a print job if that takes long. A job can be
read by the account that asked for it, or without an account with the key in the 202 answer (header
``X-Job-Key``). ``print_views.py`` makes small files at once, ``printing/tasks`` the others. A changed answer
changes the schema and its samples (CONTRIBUTING.md). Tests: ``tests/printing/web/test_api.py``.
"""

from typing import Any

from django.http import HttpResponseBase, QueryDict
from django.urls import reverse
from drf_spectacular.drainage import set_override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from cardsdb.api.catalogue_view import PrivateView
from cardsdb.api.serializers import (
    ERRORS,
    HEADER,
    Answer,
    BodySerializer,
    ErrorSerializer,
    OneOf,
    asked,
    cleaned,
    operation,
)
from cardsdb.faults import Fault, Refused
from cardsdb.games.kit.listtext.deck import MAX_BYTES
from cardsdb.identity.viewer import Viewer, api_viewer_of, hashed, new_key
from decks.api.lists import KEY
from printing.exports.export import FIELDS, SHEETS, read_export_options
from printing.exports.kinds import EXPORT_KINDS, export_for
from printing.models import PrintJob
from printing.options.values import OPTIONS, Option
from printing.request.print_request import SUBJECT, PrintFields, PrintRequest
from printing.tasks import jobs
from printing.tasks.files import file_of
from printing.web.job_views import stored_file
from printing.web.print_views import file_answer, turn


def _words(longest: int, help_text: str = "", **more: Any) -> serializers.CharField:
    """A text field with at most this many characters, which may be left out."""
    return serializers.CharField(
        max_length=longest, required=False, allow_blank=True, default="", help_text=help_text, **more
    )


class SheetsSerializer(BodySerializer):
    """The cards to print: stored decks by id, single cards, starters, evenings, or a game and a list. Options
    are those of the print page.
    """

    deck = _words(400, "A deck's id; several with commas between them.")
    card = _words(10_000, "Single cards: spycraft/kai,2.spycraft/termite")
    starter = _words(1_000, "Starters of a game: xfiles/deck-mulder")
    evening = _words(1_000, "Evenings: a game and for how many players its extras are: spynet/3")
    game = _words(40)
    format = _words(40)
    text = _words(MAX_BYTES, trim_whitespace=False)
    output = OneOf(
        choices=(SHEETS, *EXPORT_KINDS),
        required=False,
        default=SHEETS,
        help_text="Sheets, or one of the other files that cards can be had as.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """The fields above, and one for each option of a print and of an export."""
        return super().get_fields() | {option.name: _field(option) for option in (*OPTIONS, *FIELDS)}


def _field(option: Option) -> serializers.CharField:
    """An option as a text field: ``read_options`` reads it later, with the same errors as on the print page.
    The schema lists the values of a choice or flag.
    """
    longest = max(200, option.most) if option.kind == "counts" else 200
    description = f"{option.label}: {', '.join(option.allowed)}. Default: {option.default or 'the usual'}."
    field = _words(longest, f"{description} {option.help}".strip())
    if option.kind in ("choice", "flag"):
        set_override(field, "field", {"type": "string", "enum": ["", *option.allowed]})
    return field


class JobSerializer(Answer):
    """A print job. ``file`` is the file's address, empty until it is done and after it is deleted. ``key`` is
    in the 202 answer only, and only without an account.
    """

    texts = "address error file"
    state = serializers.ChoiceField(jobs.RowState.choices)
    unit = serializers.CharField(help_text="What is counted: page or picture.")
    numbers = "total done"
    times = "expires?"
    key = serializers.CharField(required=False)


# The media type that clients generated from the schema ask for.
BYTES = "application/octet-stream"


class FileRenderer(BaseRenderer):
    """Accepts any media type that a client asks for. It renders nothing: views answer with finished files."""

    media_type = "*/*"
    format = "pdf"


class FileView(PrivateView):
    """A view that answers with a file, or with JSON for errors and jobs."""

    renderer_classes = [JSONRenderer, FileRenderer]

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        """Render errors and jobs as JSON, whatever media type the client asked for."""
        if isinstance(response, Response):
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        elif request.accepted_media_type == BYTES:
            response["Content-Type"] = BYTES
        return super().finalize_response(request, response, *args, **kwargs)


def _files(*kinds: str) -> dict[Any, Any]:
    """The schema of an answer that is a file of one of these media types."""
    return {(200, kind): OpenApiTypes.BINARY for kind in (BYTES, *dict.fromkeys(kinds))}


class Sheets(FileView):
    @extend_schema(
        operation_id="sheets_create",
        parameters=[KEY],
        request=SheetsSerializer,
        responses={
            **_files("application/pdf", *(kind.content_type for kind in EXPORT_KINDS.values())),
            202: JobSerializer,
            507: ErrorSerializer(many=True),
            **ERRORS,
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Sheets of true size as one PDF, with separate backs as a zip of two, with ``part`` as a zip of
        several.

        Or another file, as ``output`` says.

        What takes longer than a moment becomes a print job: the answer is 202, with the address that tells
        how far it is.
        """
        data = cleaned(SheetsSerializer, request)
        pasted = bool(data["text"].strip())
        with turn(request):
            has_stored = any(data[name] for name in SUBJECT)
            # Either stored cards or a pasted list: both and neither are faults.
            if has_stored == pasted:
                sentence = "Send either a deck's id, cards, a starter, an evening, or a game and a text."
                raise Refused(Fault("deck_or_text", sentence, "deck"))
            fields = QueryDict(mutable=True)
            fields.update({name: value for name, value in data.items() if value})
            viewer, root = api_viewer_of(request), request.build_absolute_uri("/")
            # Read even if this kind of file does not use them, so that wrong values are always reported.
            read_export_options(data)
            print_request = PrintRequest.parse(PrintFields(fields, pasted, viewer, root))
            export = export_for(print_request, data["output"])
            if not export.big:
                return file_answer(request, export)
            key = "" if request.user.pk else new_key()
            row = jobs.ask(print_request, export.slug, _owner(request, key), jobs.network_of(request))
        answer = job_json(row) | ({"key": key} if key else {})
        headers = {"Location": answer["address"], "Cache-Control": "private, no-store"}
        return Response(answer, status=202, headers=headers)


JOB_KEY = asked("X-Job-Key", "The job's key, for a job that was asked for without an account.", place=HEADER)


def _owner(request: Request, key: str) -> Viewer:
    """The owner of a job: the request's account, or the holder of this key."""
    return Viewer(request.user.pk, browser=hashed(key) if key else "")


def job_json(row: PrintJob) -> dict[str, Any]:
    """The job as ``JobSerializer`` describes it."""
    return {
        "address": reverse("api_print_job", args=[row.link]),
        "state": row.state,
        "unit": row.request["unit"],
        "total": row.pages,
        "done": row.pages_done,
        "error": row.error,
        "file": reverse("api_print_job_file", args=[row.link]) if file_of(row) else "",
        "expires": row.expires,
    }


def _job_or_404(request: Request, link: str) -> PrintJob:
    """The job with this link, of the request's account or of the key in its header. Raises Http404."""
    return jobs.job_or_404(_owner(request, request.headers.get("X-Job-Key", "")), link)


class PrintJobDetail(PrivateView):
    @operation("print_jobs_read", JOB_KEY, gives=JobSerializer)
    def get(self, request: Request, link: str) -> Response:
        """The progress of a print job. Ask again every few seconds while it waits or runs."""
        return Response(job_json(_job_or_404(request, link)))

    @operation("print_jobs_cancel", JOB_KEY, gives=JobSerializer)
    def delete(self, request: Request, link: str) -> Response:
        """Stop a print job that waits or runs, or delete the file of one that is done."""
        jobs.cancel(_job_or_404(request, link))
        return Response(job_json(_job_or_404(request, link)))


class PrintJobFile(FileView):
    @extend_schema(
        operation_id="print_jobs_file",
        parameters=[JOB_KEY],
        responses={
            **_files("application/pdf", "application/zip"),
            **ERRORS,
        },
    )
    def get(self, request: Request, link: str) -> HttpResponseBase:
        """The file of a print job that is done."""
        return stored_file(_job_or_404(request, link))
