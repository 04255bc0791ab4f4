"""Every test of this folder has an empty folder of stored pictures: the imported fixture is automatic."""

from tests.support.pictures import picture_folder

__all__ = ["picture_folder"]
