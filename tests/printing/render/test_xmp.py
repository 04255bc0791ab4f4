"""The XMP packet of a picture. ``test_pdf.py`` and ``test_pdf_press.py`` read those of PDFs."""

from xml.etree.ElementTree import fromstring

from printing.render.xmp import packet_of_picture

DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"


def test_the_packet_of_a_picture_states_title_and_rights_in_dublin_core():
    packet = fromstring(packet_of_picture({"Title": "Kai & <Li>", "Copyright": "© AEG \x01"}))
    assert packet.tag == "{adobe:ns:meta/}xmpmeta"
    (description,) = packet.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description")
    assert [(part.tag, "".join(part.itertext())) for part in description] == [
        (f"{DUBLIN_CORE}title", "Kai & <Li>"),
        (f"{DUBLIN_CORE}rights", "© AEG \N{REPLACEMENT CHARACTER}"),
    ]
