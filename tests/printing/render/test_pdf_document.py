"""The private parts of reportlab that PDF files are made with are there, and are those of the release with which they were checked."""

from __future__ import annotations

from importlib.metadata import version
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from printing.render import pdf_document

OF_CANVAS = ("_doc", "_formsinuse")
OF_DOCUMENT = ("Catalog", "ID", "Outlines", "Pages", "Reference", "_pdfVersion", "addForm", "delayedFonts", "encrypt")
OF_DOCUMENT += ("getXObjectName", "idToObject", "info", "numberToId", "signature")
OF_PAGE = ("__NoDefault__",)


def test_reportlab_has_the_private_parts_that_are_used() -> None:
    canvas = Canvas(BytesIO(), invariant=1)
    canvas.showPage()
    document = pdf_document.document_of(canvas)
    used = [(canvas, OF_CANVAS), (document, OF_DOCUMENT), (document.Pages.pages[0], OF_PAGE)]
    lacking = [f"{type(owner).__name__}.{name}" for owner, names in used for name in names if not hasattr(owner, name)]
    assert not lacking, f"this reportlab lacks private parts that printing/render/pdf_document.py uses: {', '.join(lacking)}"


def test_reportlab_is_the_release_that_its_private_parts_were_checked_with() -> None:
    assert version("reportlab") == pdf_document.CHECKED, (
        "reportlab is another release: read printing/render/pdf_document.py beside its changes, look at a sheet, then raise CHECKED"
    )
