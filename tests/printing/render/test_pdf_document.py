"""The private parts of reportlab that are used exist, and reportlab is the release with which they were
checked.
"""

import weakref
from importlib.metadata import version
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from printing.render import pdf_document

OF_CANVAS = ("_doc", "_formsinuse")
OF_DOCUMENT = (
    "Catalog",
    "ID",
    "Outlines",
    "Pages",
    "Reference",
    "_pdfVersion",
    "addForm",
    "delayedFonts",
    "encrypt",
)
OF_DOCUMENT += ("getXObjectName", "idToObject", "info", "numberToId", "signature")
OF_PAGE = ("__NoDefault__",)


def test_reportlab_has_the_private_parts_that_are_used():
    canvas = Canvas(BytesIO(), invariant=1)
    canvas.showPage()
    document = pdf_document.document_of(canvas)
    pages = (document.Pages.pages[0], document.Catalog)
    used = [(canvas, OF_CANVAS), (document, OF_DOCUMENT), *((page, OF_PAGE) for page in pages)]
    lacking = [
        f"{type(owner).__name__}.{name}"
        for owner, names in used
        for name in names
        if not hasattr(owner, name)
    ]
    assert not lacking, (
        f"this reportlab lacks private parts that printing/render/pdf_document.py uses: {', '.join(lacking)}"
    )


def test_reportlab_is_the_release_that_was_checked():
    assert version("reportlab") == pdf_document.CHECKED, (
        "reportlab is another release: read printing/render/pdf_document.py beside its changes, look at a"
        " sheet, then raise CHECKED"
    )


def test_a_form_is_released_when_it_is_written():
    canvas = Canvas(BytesIO(), invariant=1)
    canvas.beginForm("card", 0, 0, 1, 1)
    canvas.endForm()
    canvas.doForm("card")
    canvas.showPage()
    document = pdf_document.document_of(canvas)
    form = weakref.ref(document.idToObject[document.getXObjectName("card")])
    is_kept: list[bool] = []
    pdf_document.write_document(canvas, BytesIO(), lambda share: is_kept.append(form() is not None))
    assert is_kept[0] and not is_kept[-1]
