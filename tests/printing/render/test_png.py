"""Pictures of cards: curves in low resolution, and the description of the file as XMP."""

from math import cos, radians, sin
from statistics import fmean, pstdev
from typing import cast
from xml.etree.ElementTree import fromstring

from printing.faces.strokes import Drawing, Path
from printing.render.png import card_image
from printing.render.xmp import packet_of_picture

# The standard deviation of the ring's thickness, as a share of it. From 0.05 on a ring looks like beads.
MAX_UNEVEN = 0.04
# A circle of radius 10 mm as four curves, whose handles have this length.
_K = 5_523
RING = (
    ("M", (20_000, 10_000)),
    ("C", (20_000 + _K, 10_000, 30_000, 20_000 - _K, 30_000, 20_000)),
    ("C", (30_000, 20_000 + _K, 20_000 + _K, 30_000, 20_000, 30_000)),
    ("C", (20_000 - _K, 30_000, 10_000, 20_000 + _K, 10_000, 20_000)),
    ("C", (10_000, 20_000 - _K, 20_000 - _K, 10_000, 20_000, 10_000)),
    ("Z", ()),
)


def test_a_ring_has_about_the_same_thickness_all_around():
    picture = card_image(Drawing("Ring", 40_000, 40_000, (Path(RING, "#000000", 1_000),)), 150).convert("L")
    pixel = 150 / 25_400
    # The thickness in each direction: the dark pixels along a ray from the middle.
    sums = []
    for angle in range(0, 360, 2):
        across, down = cos(radians(angle)), sin(radians(angle))
        places = [(20_000 + r * across, 20_000 + r * down) for r in range(8_000, 12_000, 20)]
        sums.append(
            sum(255 - cast("int", picture.getpixel((int(x * pixel), int(y * pixel)))) for x, y in places)
            / 255
            * 20
        )
    mean = fmean(sums)
    assert pstdev(sums) < MAX_UNEVEN * mean


DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"


def test_the_packet_of_a_picture_states_title_and_rights_in_dublin_core():
    packet = fromstring(packet_of_picture({"Title": "Kai & <Li>", "Copyright": "© AEG \x01"}))
    assert packet.tag == "{adobe:ns:meta/}xmpmeta"
    (description,) = packet.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description")
    assert [(part.tag, "".join(part.itertext())) for part in description] == [
        (f"{DUBLIN_CORE}title", "Kai & <Li>"),
        (f"{DUBLIN_CORE}rights", "© AEG \N{REPLACEMENT CHARACTER}"),
    ]
