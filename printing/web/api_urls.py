"""API addresses of printing."""

from __future__ import annotations

from django.urls import path

from printing.web import api, job_api

urlpatterns = [
    path("sheets/", api.Sheets.as_view()),
    path("sheets/jobs/<slug:link>/", job_api.PrintJobDetail.as_view(), name="api_print_job"),
    path("sheets/jobs/<slug:link>/file/", job_api.PrintJobFile.as_view(), name="api_print_job_file"),
]
