"""Letters (mails) are stored, and sent by a worker: no visitor waits for the mail server, none is lost.

``Letters`` is the site's mail backend if there is a mail server (``cardsdb/environment.py``). Every worker
calls ``send_letters`` (CUTOUT_RECOVERIES in ``cardsdb/settings.py``). A failed letter is tried again after
ever longer pauses: 1, 6, 36, 156 and 636 minutes after the first try, six tries in all. One whose worker died
while sending counts as failed too, so it may arrive twice. If the mail server cannot be reached, one letter
finds that out for all that are due.
Tests: ``tests/cardsdb/tasks/test_letters.py``.
"""

import logging
import time
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from cardsdb.models import Letter
from cardsdb.watch import metrics

log = logging.getLogger(__name__)

# The pause after the first failed try, the second, and so on. The try after the last pause is the last one.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
MAX_TRIES = len(PAUSES) + 1
# Letters that may wait.
MAX_WAITING = 10_000
# A worker sends at most so many letters, or for so many seconds, then does other work.
BATCH = 200
PATIENCE = 10.0
# A letter that a worker took is due again after this time; the worker must be dead then, because it waits for
# the mail server for ten seconds at most.
SILENT = timedelta(minutes=2)
# What is stored of every letter: attributes of a Django EmailMessage. They are also the names of its
# arguments, except for ``extra_headers``, which is set by ``headers``.
FIELDS = ("subject", "body", "from_email", "to", "cc", "bcc", "reply_to", "extra_headers")


class Letters(BaseEmailBackend):
    """The mail backend that stores letters for a worker.

    Raises OSError if too many letters wait, as a full mail server would, and ValueError for attachments; with
    ``fail_silently`` both are only logged.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(map(self._try_to_store, email_messages))

    def _try_to_store(self, message: EmailMessage) -> bool:
        """Store a letter, and return True if it is stored."""
        try:
            if Letter.objects.count() >= MAX_WAITING:
                raise OSError("too many letters wait for the mail server")
            Letter.objects.create(content=_content(message))
        except (OSError, ValueError) as error:
            if not self.fail_silently:
                raise
            log.warning("a letter is not sent: %s", error)
            return False
        return True


def _content(message: EmailMessage) -> dict[str, Any]:
    """Return the letter as JSON. Raises ValueError for attachments. A plain one becomes::

    {"subject": "Hello", "body": "Text", "from_email": "cutout@x.org", "to": ["ada@x.org"], "cc": [],
     "bcc": [], "reply_to": [], "extra_headers": {}, "content_subtype": "plain", "alternatives": []}
    """
    if message.attachments:
        raise ValueError("A letter with files cannot be stored.")
    content = {name: getattr(message, name) for name in FIELDS}
    # Both may be translations that are looked up late, which JSON cannot hold.
    content["subject"], content["body"] = str(message.subject), str(message.body)
    alternatives = [[str(text), kind] for text, kind in getattr(message, "alternatives", ())]
    return content | {"content_subtype": message.content_subtype, "alternatives": alternatives}


def _message(content: dict[str, Any]) -> EmailMessage:
    """Return the letter that ``_content`` stored."""
    named = {("headers" if name == "extra_headers" else name): content[name] for name in FIELDS}
    message = EmailMultiAlternatives(
        **named, alternatives=[tuple(alternative) for alternative in content["alternatives"]]
    )
    message.content_subtype = content["content_subtype"]
    return message


def send_letters() -> int:
    """Send the letters that are due, and return how many were tried.

    Workers share the letters: a conditional update of ``due`` decides which worker has a letter. A letter
    that is taken has a ``due`` in the future (SILENT), so it becomes due again by itself if its worker dies.
    """
    tried, is_away, until = 0, False, time.monotonic() + PATIENCE
    for letter in Letter.objects.filter(due__lte=timezone.now()).order_by("due", "pk")[:BATCH]:
        untaken = Letter.objects.filter(pk=letter.pk, due=letter.due)
        if not untaken.update(due=timezone.now() + SILENT, attempts=letter.attempts + 1):
            # Another worker was quicker.
            continue
        tried += 1
        letter.attempts += 1
        if letter.attempts > MAX_TRIES:
            # The last try was counted, but its end was never recorded.
            _failed(letter, "its worker died")
        elif is_away:
            # The mail server is not asked again. The remaining letters take no time, so all are gone through.
            _failed(letter, "the mail server is not reached")
        else:
            is_away = not _send(letter)
            if not is_away and time.monotonic() > until:
                break
    return tried


def _send(letter: Letter) -> bool:
    """Try to send a letter; return True if the mail server could be reached, whatever its answer."""
    reached = False
    try:
        with get_connection(settings.CUTOUT_MAIL_SENDER) as server:
            reached = True
            server.send_messages([_message(letter.content)])
    except Exception as error:
        # With a status of 500 or more the server says for good that it knows no such recipient.
        is_last = isinstance(error, SMTPRecipientsRefused) and all(
            code >= 500 for code, _ in error.recipients.values()
        )
        _failed(letter, type(error).__name__, is_last)
    else:
        metrics.SENT_LETTERS.inc()
        letter.delete()
    return reached


def _failed(letter: Letter, why: str, is_last: bool = False) -> None:
    """Schedule the next try of a letter, or give it up. Does nothing if another worker has taken it since."""
    mine = Letter.objects.filter(pk=letter.pk, attempts=letter.attempts)
    if is_last or letter.attempts >= MAX_TRIES:
        # ``attempts`` is one too high if the worker of the last try died.
        if mine.delete()[0]:
            log.error("a letter is given up after %d tries: %s", min(letter.attempts, MAX_TRIES), why)
    elif mine.update(due=timezone.now() + PAUSES[letter.attempts - 1]):
        log.warning("a letter could not be sent, and is tried again: %s", why)
