"""Addresses of printing."""

from __future__ import annotations

from django.urls import path

from printing import views

urlpatterns = [
    path("print/", views.print_page, name="print"),
    path("print/sheets.pdf", views.sheets, name="sheets"),
]
