"""The audit log: who did what with accounts, and who changed who sees what. Entries are added, and deleted
after some months; none is ever changed.

Write entries with ``cardsdb.site.audit.note``. Tests: tests/cardsdb/site/test_audit.py.
"""

from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from cardsdb.models.owned import AccountQuerySet, account_key, moment, some_text


class Event(models.TextChoices):
    """Kinds of events, with the words that the account's owner reads. A new kind about a shared thing belongs
    into ``AuditQuerySet.moderation`` too.
    """

    SIGNED_UP = "signed_up", "Account made"
    LOGIN = "login", "Logged in"
    FAILED_LOGIN = "failed_login", "A wrong password, passkey or code was tried"
    LOGOUT = "logout", "Logged out"
    PASSWORD = "password", "Password set or changed"
    MAIL = "mail", "Email addresses changed"
    PASSKEY = "passkey", "Passkeys or recovery codes changed"
    EXPORT = "export", "Everything exported"
    ACCOUNT_DELETED = "account_deleted", "Account deleted"
    VISIBILITY = "visibility", "Who sees it was changed"
    LINK = "link", "Links to it were renewed"
    DELETED = "deleted", "Deleted"
    TAKEN_ALONG = "taken_along", "Taken from a browser into the account"
    KEPT_PRIVATE = "kept_private", "Made private by staff"
    LET_SHARE = "let_share", "Staff let it be shared again"
    HIDDEN = "hidden", "Hidden by staff"
    SHOWN = "shown", "Shown again by staff"
    REPORTED = "reported", "Reported"
    LEFT = "left", "Looked at by staff, who left it as it is"


class AuditQuerySet(AccountQuerySet["AuditEntry"]):
    """Entries by the account they are about."""

    account = "account"

    def moderation(self) -> Self:
        """All reports and decisions about shared things, newest first, for moderating staff."""
        kinds = (Event.REPORTED, Event.KEPT_PRIVATE, Event.LET_SHARE, Event.HIDDEN, Event.SHOWN, Event.LEFT)
        return self.filter(what__in=kinds, number__isnull=False)

    def reports(self, thing: str, number: int) -> Self:
        """The reports about one thing, for the staff who answer them."""
        return self.filter(what=Event.REPORTED, thing=thing, number=number)

    def update(self, **values: Any) -> int:
        raise TypeError("Entries of the audit log are not changed.")


class AuditEntry(models.Model):
    """One event.

    ``account``: the account it is about, with which it is deleted. ``by``: the account that did it, perhaps
    another. ``browser_tag`` and ``network``: keyed hashes of the browser and of its network address; equal
    values mean the same browser or network, and nothing more can be learned without the site's key.
    ``thing``, ``number``: kind and key of the row concerned. ``name``: its owner's name for it, which staff
    are not shown. ``detail``: further words.
    """

    made = moment(editable=True, db_index=True)
    what = models.CharField(max_length=20, choices=Event)
    account = account_key(null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    browser_tag = some_text(24)
    network = some_text(24)
    thing = some_text(20)
    number = models.BigIntegerField(null=True, blank=True)
    name = some_text(200)
    detail = some_text(100)

    objects = AuditQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ("-made", "-pk")
        indexes = [
            models.Index(
                fields=("account", "-made"), name="audit_of_account", condition=Q(account__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.what} at {self.made:%Y-%m-%d %H:%M %Z}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("Entries of the audit log are not changed.")
        super().save(*args, **kwargs)
