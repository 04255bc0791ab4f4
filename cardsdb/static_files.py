"""Static files under hashed names."""

from django.conf import settings
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedFiles(ManifestStaticFilesStorage):
    """Hashed names where ``collectstatic`` has made them; plain names before (tests, commands)."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        if not self.hashed_files and not (settings.STATIC_ROOT / "staticfiles.json").exists():
            return name
        return super().stored_name(name)
