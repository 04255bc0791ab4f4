"""reportlab is the release with which its private parts were checked, and files take little memory."""

import weakref
from importlib.metadata import version
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from printing.render import pdf_document


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
