"""Write a finished document object by object, as reportlab would, which makes the whole file in memory first.

What a stream holds is read when its turn comes and let go when it is written: a file of five thousand pictures
takes no more memory than its largest one.
"""

from __future__ import annotations

from typing import IO, Any


def write_document(document: Any, canvas: Any, out: IO[bytes]) -> None:
    """Write the document of this canvas, all pages of which are shown. The same objects give the same bytes.

    Objects may make further ones while they are written, as forms do with their fonts; they come last.
    """
    for font in document.delayedFonts:
        font.addObjects(document)
    document.info.invariant = document.invariant
    document.info.digest(document.signature)
    catalog, info = document.Reference(document.Catalog), document.Reference(document.info)
    document.Outlines.prepare(document, canvas)
    if document.Outlines.ready < 0:
        document.Catalog.Outlines = None
    document.encrypt.prepare(document)
    at, places = 0, []

    def add(data: bytes) -> None:
        nonlocal at
        out.write(data)
        at += len(data)

    # The second line says by its letters that the file is no text.
    add(b"%%PDF-%d.%d\n%%\xe2\xe3\xcf\xd3\n" % document._pdfVersion)
    while (number := len(places) + 1) in document.numberToId:
        places.append(at)
        content = document.idToObject[document.numberToId[number]].format(document)
        add(b"%d 0 obj\n" % number)
        add(content)
        add(b"\nendobj\n")
    table = at
    add(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
    add(b"".join(b"%010d 00000 n \n" % place for place in places))
    names = (len(places) + 1, catalog.format(document), info.format(document), document.ID())
    add(b"trailer\n<</Size %d/Root %s/Info %s/ID %s>>\nstartxref\n" % names)
    add(b"%d\n%%%%EOF\n" % table)
