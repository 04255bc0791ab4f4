"""What the database keeps of printing. All of it is private: every look-up says who asks."""

from printing.models.private import (
    EVERYONE,
    TURNS,
    Edge,
    Everyone,
    Fit,
    PrinterCalibration,
    PrintJob,
    Private,
    Side,
    UploadedPicture,
    Use,
    owned_by,
)

__all__ = [
    "EVERYONE",
    "TURNS",
    "Edge",
    "Everyone",
    "Fit",
    "PrintJob",
    "PrinterCalibration",
    "Private",
    "Side",
    "UploadedPicture",
    "Use",
    "owned_by",
]
