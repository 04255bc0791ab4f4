"""What the database keeps of printing. All of it is private: every look-up says who asks."""

from printing.models.private import (
    TURNS,
    Edge,
    Fit,
    JobState,
    PrinterCalibration,
    PrintJob,
    Private,
    Side,
    UploadedPicture,
)

__all__ = [
    "TURNS",
    "Edge",
    "Fit",
    "JobState",
    "PrintJob",
    "PrinterCalibration",
    "Private",
    "Side",
    "UploadedPicture",
]
