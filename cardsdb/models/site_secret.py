"""Know the site's secret, without telling it."""

from __future__ import annotations

from django.db import models
from django.utils.crypto import salted_hmac


def fingerprint() -> str:
    """Of SECRET_KEY: the same on every machine that has it, and nothing to guess it by."""
    return salted_hmac("cardsdb.models.site_secret", "fingerprint", algorithm="sha256").hexdigest()[:32]


class SiteSecretManager(models.Manager["SiteSecret"]):
    def note(self) -> None:
        """Let this machine's secret be the site's."""
        self.update_or_create(pk=1, defaults={"fingerprint": fingerprint()})

    def note_first(self) -> None:
        """The same where none was noted. Of machines that start at once one is first."""
        self.bulk_create([SiteSecret(pk=1, fingerprint=fingerprint())], ignore_conflicts=True)

    def is_another(self) -> bool:
        """Return whether the site's secret is another than this machine's, so that sessions and links of the
        one are unknown to the other.
        """
        return self.exclude(fingerprint=fingerprint()).exists()


class SiteSecret(models.Model):
    """The fingerprint of the SECRET_KEY that all machines of the site have: one row, written when the site is
    prepared first.
    """

    fingerprint = models.CharField(max_length=32)

    objects = SiteSecretManager()

    def __str__(self) -> str:
        return self.fingerprint
