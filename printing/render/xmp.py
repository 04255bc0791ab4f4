"""The description of a file as XMP, in which other programs look for its title, maker and rights. Pure.

`pdf_document` puts a packet into PDFs, `png` into WebP pictures, and `svg` the description alone into SVG.
Tests: ``test_png.py`` reads the packet of a picture, ``test_pdf.py`` and ``test_pdf_inks.py`` that of a PDF.
"""

import hashlib
import re
from collections.abc import Mapping
from html import escape


def described(elements: str) -> str:
    """Return elements of Dublin Core as the RDF description of a file. ``elements``: XML, already escaped."""
    return (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<rdf:Description rdf:about="">{elements}</rdf:Description></rdf:RDF>'
    )


def escaped(text: str) -> str:
    """Return the text as XML, with � for each character that XML forbids even in escaped form."""
    return escape(re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text))


def packet_of_picture(about: Mapping[str, str]) -> bytes:
    """Return the packet of a picture with these texts: Title and Copyright."""
    words = "".join(
        f"<dc:{name}><rdf:Alt><rdf:li"
        f' xml:lang="x-default">{escaped(about[key])}</rdf:li></rdf:Alt></dc:{name}>'
        for name, key in (("title", "Title"), ("rights", "Copyright"))
    )
    return f'<x:xmpmeta xmlns:x="adobe:ns:meta/">{described(words)}</x:xmpmeta>'.encode()


# PDF/X asks for dates. They are always the same, so that the same print has the same bytes.
_DATE = "2000-01-01T00:00:00Z"


def _press(document_id: str) -> str:
    """Return the description that declares PDF/X-4."""
    return f"""
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/">
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion><pdf:Trapped>False</pdf:Trapped>
<xmp:CreateDate>{_DATE}</xmp:CreateDate><xmp:ModifyDate>{_DATE}</xmp:ModifyDate>
<xmp:MetadataDate>{_DATE}</xmp:MetadataDate><xmpMM:DocumentID>urn:sha256:{document_id}</xmpMM:DocumentID>
<xmpMM:VersionID>1</xmpMM:VersionID><xmpMM:RenditionClass>default</xmpMM:RenditionClass>
</rdf:Description>"""


def packet_of_pdf(about: Mapping[str, str], read_aloud: bool, for_press: bool) -> str:
    """Return the packet of a PDF, which declares PDF/UA if ``read_aloud``, and PDF/X if ``for_press``.

    ``about`` has the texts Title, Subject, Author, Creator and Producer.
    """
    words = {name: escaped(text) for name, text in about.items()}
    document_id = hashlib.sha256(repr(words).encode()).hexdigest()
    # ``W5M0...`` is the id that the XMP standard prescribes for every packet.
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
{"<pdfuaid:part>1</pdfuaid:part>" if read_aloud else ""}
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{words["Title"]}</rdf:li></rdf:Alt></dc:title>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{words["Subject"]}</rdf:li></rdf:Alt></dc:description>
<dc:creator><rdf:Seq><rdf:li>{words["Author"]}</rdf:li></rdf:Seq></dc:creator>
<dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
<xmp:CreatorTool>{words["Creator"]}</xmp:CreatorTool>
<pdf:Producer>{words["Producer"]}</pdf:Producer>
</rdf:Description>{_press(document_id) if for_press else ""}
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>"""
