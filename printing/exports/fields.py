"""The options of an export besides those of the print, declared once, as those are
(``printing.options.table``).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from printing.exports.print_services import SERVICES
from printing.options.sizes import MM
from printing.options.table import BadOption, Option
from printing.options.values import read_option

FIELDS: tuple[Option, ...] = (
    Option(
        "dpi",
        "choice",
        "300",
        "Pixels an inch",
        choices={n: n for n in ("150", "300", "600")},
    ),
    Option(
        "image",
        "choice",
        "png",
        "Kind of picture",
        choices={
            "png": "PNG, which every program reads",
            "webp": "WebP, smaller",
            "jpeg": "JPEG, for photographs",
        },
    ),
    Option(
        "grid",
        "choice",
        "large",
        "Cards on a sheet",
        choices={
            "large": "As few as can be, 10 x 7 cards at most",
            "readable": "5 x 3 cards, to be read close up",
        },
    ),
    Option(
        "sheet_image",
        "choice",
        "png",
        "Kind of sheet",
        choices={
            "png": "PNG, smaller for what we draw",
            "jpeg": "JPEG, smaller for photographs",
        },
    ),
    Option(
        "base_url",
        "text",
        "",
        "Address of the pictures",
        "Where you will put them. Empty: file names alone.",
        most=300,
    ),
    Option(
        "service",
        "choice",
        "generic",
        "Print service",
        choices={service.slug: service.name for service in SERVICES.values()},
    ),
    Option("cut_sheet", "number", "1", "Sheet", "Which one is cut; most are alike.", least=1, most=2_000),
    Option(
        "radius",
        "length",
        "as-printed",
        "Corners",
        "Their radius. As printed: that of the sheet's rounded corners, 3 mm where it has none.",
        {"as-printed": "As printed"},
        most=10 * MM,
        unit="mm",
    ),
)
NAMED_FIELDS = {field.name: field for field in FIELDS}


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """The options of an export, read. ``radius`` None is that of the sheet's corners."""

    dpi: Literal["150", "300", "600"] = "300"
    image: Literal["png", "webp", "jpeg"] = "png"
    grid: Literal["large", "readable"] = "large"
    sheet_image: Literal["png", "jpeg"] = "png"
    base_url: str = ""
    service: str = "generic"
    cut_sheet: int = 1
    radius: int | None = None


def read_export_options(request: Mapping[str, Any]) -> ExportOptions:
    """The options of an export from the words of a request; absent ones have their defaults. Raises
    BadOption.
    """
    options = ExportOptions(**{field.name: read_option(field, request.get(field.name)) for field in FIELDS})
    if options.base_url and not options.base_url.endswith("/"):
        # File names are put behind it.
        options = replace(options, base_url=f"{options.base_url}/")
    if options.base_url and not is_address(options.base_url):
        raise BadOption(
            NAMED_FIELDS["base_url"], options.base_url, ("an address such as https://example.org/cards/",)
        )
    return options


def is_address(text: str) -> bool:
    """Say whether the text is an address to which a file name or a path can be added."""
    if not text.isprintable() or any(char.isspace() or char in "\"'<>\\" for char in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    rooted = (parts.scheme in ("http", "https") and bool(parts.netloc)) or parts.scheme == "file"
    return rooted and not parts.query and not parts.fragment
