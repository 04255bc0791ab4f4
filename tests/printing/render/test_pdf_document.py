"""The inner parts of reportlab that PDF files are made with are those of the release that they were checked with."""

from __future__ import annotations

from importlib.metadata import version

from printing.render import pdf_document


def test_reportlab_is_the_release_that_its_inner_parts_were_checked_with() -> None:
    """On a new release: read ``printing/render/pdf_document.py`` beside reportlab's changes, look at a sheet, then raise ``CHECKED``."""
    assert version("reportlab") == pdf_document.CHECKED
