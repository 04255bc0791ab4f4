"""Stored print jobs over HTTP: how far one is, its file, and stopping it. Whoever asked has an account, or the key that the answer held."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cardsdb.api.addresses import ERRORS
from decks.core.viewer import Viewer, hashed, new_key
from printing.models import PrintJob
from printing.request.print_request import Asking
from printing.tasks import jobs
from printing.tasks.files import file_of
from printing.tasks.worker import wake, wake_for
from printing.web.download import stored_file

KEY = OpenApiParameter("X-Job-Key", str, OpenApiParameter.HEADER, description="The job's key, for whoever asked without an account.")


class JobSerializer(serializers.Serializer[Any]):
    """A print job. ``file`` is empty until it is done, and once it is no longer kept; ``key`` is told once, to who has no account."""

    address = serializers.CharField()
    state = serializers.ChoiceField(jobs.JobState.choices)
    unit = serializers.CharField(help_text="What is counted: page or picture.")
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    file = serializers.CharField(allow_blank=True)
    expires = serializers.DateTimeField(allow_null=True)
    key = serializers.CharField(required=False)


def asked_for(request: Request, asking: Asking, output: str) -> Response:
    """202 with the job. Raises Refused."""
    key = "" if request.user.pk else new_key()
    owner = Viewer(request.user.pk, browser=hashed(key) if key else "")
    row = jobs.ask(asking, output, owner, jobs.network_of(request))
    wake()
    answer = Response(job_json(row) | ({"key": key} if key else {}), status=202)
    answer["Location"], answer["Cache-Control"] = reverse("api_print_job", args=[row.link]), "private, no-store"
    return answer


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


def _own_or_404(request: Request, link: str) -> PrintJob:
    key = request.headers.get("X-Job-Key", "")
    viewer = Viewer(request.user.pk, browser=hashed(key) if key else "")
    row = PrintJob.objects.of(viewer).filter(link=link).first()
    if row is None:
        raise Http404
    return row


@method_decorator(never_cache, name="dispatch")
class PrintJobDetail(APIView):
    @extend_schema(operation_id="print_jobs_read", parameters=[KEY], responses={200: JobSerializer, **ERRORS})
    def get(self, request: Request, link: str) -> Response:
        """How far a print job is. Ask again every few seconds while it waits or runs."""
        row = _own_or_404(request, link)
        if row.state in jobs.OPEN:
            jobs.settle()
            row = _own_or_404(request, link)
            wake_for(row)
        return Response(job_json(row))

    @extend_schema(operation_id="print_jobs_cancel", parameters=[KEY], responses={200: JobSerializer, **ERRORS})
    def delete(self, request: Request, link: str) -> Response:
        """Stop a print job that waits or runs, or delete the file of one that is done."""
        jobs.cancel(_own_or_404(request, link))
        return Response(job_json(_own_or_404(request, link)))


class PrintJobFile(APIView):
    @extend_schema(
        operation_id="print_jobs_file",
        parameters=[KEY],
        responses={(200, "application/pdf"): OpenApiTypes.BINARY, (200, "application/zip"): OpenApiTypes.BINARY, **ERRORS},
    )
    def get(self, request: Request, link: str) -> HttpResponseBase:
        """The file of a print job that is done."""
        return stored_file(_own_or_404(request, link))
