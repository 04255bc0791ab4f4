"""Letters are sent by a worker, so that nobody waits for the mail server, and one that is away loses none.

``Letters`` is the site's mail backend where there is a mail server: it stores each letter and lets a task
send it. What fails is tried again after ever longer pauses. A letter that was being sent when its worker died
has failed so too, and perhaps arrives twice. While the mail server is not reached, one letter finds that out
for all that are due.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks import task

from cardsdb.models import Letter
from cardsdb.tasks.queue import SHORT, QueuedRows
from cardsdb.watch import counting

log = logging.getLogger(__name__)

SENDER = "django.core.mail.backends.smtp.EmailBackend"
# Pauses after the first try, the second, and so on; a letter is given up after the last.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
# Letters that may wait; and the seconds after which one who has been sending is gone: the mail server is
# waited for ten.
MAX_WAITING = 10_000
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
            content = _content(message)
        except (OSError, ValueError) as error:
            if not self.fail_silently:
                raise
            log.warning("a letter is not sent: %s", error)
            return False
        LETTERS.enqueue(Letter.objects.create(content=content))
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


@task(queue_name=SHORT)
def send_letter(key: int) -> None:
    """Send this letter, if it still waits and is due."""
    with LETTERS.claimed(key) as letter:
        if letter:
            _send(letter)


def _send(letter: Letter) -> None:
    held, reached = LETTERS.held(letter), False
    try:
        with get_connection(SENDER) as server:
            reached = True
            server.send_messages([_message(letter.content)])
    except Exception as error:
        # Where nobody of that address is there, no other try helps.
        nobody = isinstance(error, SMTPRecipientsRefused) and all(
            code >= 500 for code, _ in error.recipients.values()
        )
        _again(held, letter.attempts, type(error).__name__, last=nobody)
        if not reached:
            _all_failed()
    else:
        counting.happened("sent_letters")
        held.delete()


def _again(
    letters: QuerySet[Letter], attempts: int, why: str = "its worker died", last: bool = False
) -> None:
    """Let these letters, which were tried so often, wait for their next try, or give them up."""
    if last or attempts > len(PAUSES):
        if some := letters.delete()[0]:
            log.error("letters given up after %d tries: %s (%d)", attempts, why, some)
    elif some := LETTERS.put_back(
        letters, due=timezone.now() + PAUSES[max(attempts, 1) - 1], attempts=attempts
    ):
        log.warning("letters that could not be sent, and are tried again: %s (%d)", why, some)


def _all_failed() -> None:
    """The mail server is not reached: what is due has failed with the letter that found that out, instead of
    waiting for it in turn.
    """
    for attempts in range(len(PAUSES) + 1):
        _again(LETTERS.waiting().filter(attempts=attempts), attempts + 1, "the mail server is not reached")


# One whose worker died counts as tried: it may be what ends workers.
LETTERS = QueuedRows(Letter, send_letter, SILENT, abandoned=_again, ready=lambda: Q(due__lte=timezone.now()))
recover = LETTERS.recover
