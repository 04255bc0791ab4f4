"""Addresses of printing."""

from __future__ import annotations

from django.urls import path

from printing import face_views, views

urlpatterns = [
    path("print/", views.print_page, name="print"),
    path("print/sheets.pdf", views.sheets, name="sheets"),
    *(
        path(f"cards/<slug:game_slug>/<slug:code>/face.{kind}", face_views.face, {"kind": kind}, name=f"face_{kind}")
        for kind in face_views.CONTENT_TYPES
    ),
]
