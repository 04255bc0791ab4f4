"""What is asked of a file besides the options of the print, declared once, as those are (``printing.options.table``)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from printing.exports.print_services import SERVICES
from printing.options.sizes import MM
from printing.options.table import BadOption, Choice, Option
from printing.options.values import read_option

FIELDS: tuple[Option, ...] = (
    Option("dpi", "choice", "300", "Pixels an inch", "Files", choices=tuple(Choice(n, n) for n in ("150", "300", "600"))),
    Option(
        "image",
        "choice",
        "png",
        "Kind of picture",
        "Files",
        choices=(Choice("png", "PNG, which every program reads"), Choice("webp", "WebP, smaller"), Choice("jpeg", "JPEG, for photographs")),
    ),
    Option(
        "grid",
        "choice",
        "large",
        "Cards on a sheet",
        "Files",
        choices=(Choice("large", "As few as can be, 10 x 7 cards at most"), Choice("readable", "5 x 3 cards, to be read close up")),
    ),
    Option(
        "sheet_image",
        "choice",
        "png",
        "Kind of sheet",
        "Files",
        choices=(Choice("png", "PNG, smaller for what we draw"), Choice("jpeg", "JPEG, smaller for photographs")),
    ),
    Option("base_url", "text", "", "Address of the pictures", "Files", "Where you will put them. Empty: file names alone.", most=300),
    Option(
        "service",
        "choice",
        "generic",
        "Print service",
        "Files",
        choices=tuple(Choice(service.slug, service.name) for service in SERVICES.values()),
    ),
    Option("cut_sheet", "number", "1", "Sheet", "Files", "Which one is cut; most are alike.", least=1, most=2_000),
    Option(
        "radius",
        "length",
        "as-printed",
        "Corners",
        "Files",
        "Their radius. As printed: that of the sheet's rounded corners, 3 mm where it has none.",
        (Choice("as-printed", "As printed"),),
        most=10 * MM,
        unit="mm",
    ),
)
NAMED_FIELDS = {field.name: field for field in FIELDS}


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What was asked. ``radius`` None: that of the sheet's corners."""

    dpi: Literal["150", "300", "600"] = "300"
    image: Literal["png", "webp", "jpeg"] = "png"
    grid: Literal["large", "readable"] = "large"
    sheet_image: Literal["png", "jpeg"] = "png"
    base_url: str = ""
    service: str = "generic"
    cut_sheet: int = 1
    radius: int | None = None


def read_export_options(given: Mapping[str, Any]) -> ExportOptions:
    """The fields that are there; the others are as usual. Raises BadOption."""
    wanted = ExportOptions(**{field.name: read_option(field, given.get(field.name)) for field in FIELDS})
    if wanted.base_url and not wanted.base_url.endswith("/"):
        # File names follow it.
        wanted = replace(wanted, base_url=f"{wanted.base_url}/")
    if wanted.base_url and not is_address(wanted.base_url):
        raise BadOption(NAMED_FIELDS["base_url"], wanted.base_url, ("an address such as https://example.org/cards/",))
    return wanted


def is_address(text: str) -> bool:
    """Whether it is an address that a file name or a path can follow."""
    if not text.isprintable() or any(char.isspace() or char in "\"'<>\\" for char in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    rooted = (parts.scheme in ("http", "https") and bool(parts.netloc)) or parts.scheme == "file"
    return rooted and not parts.query and not parts.fragment
