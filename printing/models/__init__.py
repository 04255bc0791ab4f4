"""What the database keeps of printing. All of it is private: every look-up says who asks."""

from printing.models.jobs import PrintJob
from printing.models.pictures import UploadedPicture
from printing.models.private import CardText, PrinterCalibration, Private, PrivateQuerySet

__all__ = ["CardText", "PrintJob", "PrinterCalibration", "Private", "PrivateQuerySet", "UploadedPicture"]
