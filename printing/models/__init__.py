"""What the database keeps of printing. All of it is private: every look-up says who asks."""

from printing.models.calibration import PrinterCalibration
from printing.models.jobs import PrintJob
from printing.models.pictures import UploadedPicture
from printing.models.private import Private, PrivateQuerySet
from printing.models.texts import CardText

__all__ = ["CardText", "PrintJob", "PrinterCalibration", "Private", "PrivateQuerySet", "UploadedPicture"]
