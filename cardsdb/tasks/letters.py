"""Letters are sent by a worker, so that no visitor waits for the mail server, and one that is away loses
none.

``Letters`` is the site's mail backend where there is a mail server: it stores each letter, and every worker
looks for those that are due. What fails is tried again after ever longer pauses. A letter that was being sent
when its worker died has failed so too, and perhaps arrives twice. While the mail server is not reached, one
letter finds that out for all that are due.
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

# Pauses after the first try, the second, and so on; a letter is given up after the last.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
# Letters that may wait. So many are sent, and for so many seconds, before the worker looks after other
# things.
MAX_WAITING, BATCH, PATIENCE = 10_000, 200, 10.0
# After so long a letter that was taken is due again: its worker is gone, for the mail server is waited for
# ten seconds.
SILENT = timedelta(minutes=2)
FIELDS = ("subject", "body", "from_email", "to", "cc", "bcc", "reply_to", "extra_headers")


class Letters(BaseEmailBackend):
    """The mail backend that has a worker send. Raises OSError when too many letters wait, as a mail server
    that takes none, and ValueError for a letter with files; where the sender wants to hear of no failure the
    log does.
    """

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        return sum(map(self._stored, email_messages))

    def _stored(self, message: EmailMessage) -> bool:
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
    if message.attachments:
        raise ValueError("A letter with files cannot be stored.")
    content = {name: getattr(message, name) for name in FIELDS}
    content["subject"], content["body"] = str(message.subject), str(message.body)
    alternatives = [[str(text), kind] for text, kind in getattr(message, "alternatives", ())]
    return content | {"content_subtype": message.content_subtype, "alternatives": alternatives}


def _message(content: dict[str, Any]) -> EmailMessage:
    named = {("headers" if name == "extra_headers" else name): content[name] for name in FIELDS}
    message = EmailMultiAlternatives(**named, alternatives=[tuple(one) for one in content["alternatives"]])
    message.content_subtype = content["content_subtype"]
    return message


def send_letters(patience: float = PATIENCE) -> int:
    """Send the letters that are due; return how many were tried. Of several workers each letter has one: who
    moves its hour has it.
    """
    tried, is_away, until = 0, False, time.monotonic() + patience
    for letter in Letter.objects.filter(due__lte=timezone.now()).order_by("due", "pk")[:BATCH]:
        mine = Letter.objects.filter(pk=letter.pk, due=letter.due)
        if not mine.update(due=timezone.now() + SILENT, attempts=letter.attempts + 1):
            continue
        tried += 1
        letter.attempts += 1
        if letter.attempts > len(PAUSES) + 1:
            _failed(letter, "its worker died")
        elif is_away:
            _failed(letter, "the mail server is not reached")
        else:
            is_away = not _is_reached(letter)
            if not is_away and time.monotonic() > until:
                break
    return tried


def _is_reached(letter: Letter) -> bool:
    """Send a letter; return whether the mail server was reached, whatever it said."""
    reached = False
    try:
        with get_connection(settings.CUTOUT_MAIL_SENDER) as server:
            reached = True
            server.send_messages([_message(letter.content)])
    except Exception as error:
        # Where there is no such address, no other try helps.
        is_last = isinstance(error, SMTPRecipientsRefused) and all(
            code >= 500 for code, _ in error.recipients.values()
        )
        _failed(letter, type(error).__name__, is_last)
    else:
        metrics.SENT_LETTERS.inc()
        letter.delete()
    return reached


def _failed(letter: Letter, why: str, is_last: bool = False) -> None:
    """Let a letter wait for its next try, or give it up; unless another worker took it after a silence."""
    mine = Letter.objects.filter(pk=letter.pk, attempts=letter.attempts)
    if is_last or letter.attempts > len(PAUSES):
        if mine.delete()[0]:
            log.error("a letter is given up after %d tries: %s", min(letter.attempts, len(PAUSES) + 1), why)
    elif mine.update(due=timezone.now() + PAUSES[letter.attempts - 1]):
        log.warning("a letter could not be sent, and is tried again: %s", why)
