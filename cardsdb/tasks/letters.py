"""Letters are sent by a worker, so that nobody waits for the mail server, and one that is away loses none.

``Letters`` is the site's mail backend where there is a mail server: it stores each letter and lets a task send it. What fails is tried
again after ever longer pauses. A letter that was being sent when its worker died has failed so too, and perhaps arrives twice. While the
mail server is not reached, one letter finds that out for all that are due.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q
from django.utils import timezone
from django_tasks import task

from cardsdb.models import Letter
from cardsdb.tasks.alive import alive, is_dead
from cardsdb.tasks.queue import SOON, enqueue, is_queued

log = logging.getLogger(__name__)

SENDER = "django.core.mail.backends.smtp.EmailBackend"
# Pauses after the first try, the second, and so on; a letter is given up after the last.
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480))
# Letters that may wait; and the seconds after which one who has been sending is gone: the mail server is waited for ten.
MAX_WAITING = 10_000
SILENT = timedelta(minutes=2)
# What was put into the queue so long ago, and still waits, is looked for there; so many at a time.
QUEUED, AT_ONCE = timedelta(seconds=10), 100
FIELDS = ("subject", "body", "from_email", "to", "cc", "bcc", "reply_to", "extra_headers")


class Letters(BaseEmailBackend):
    """The mail backend that has a worker send. Raises OSError when too many letters wait, as a mail server that takes none, and
    ValueError for a letter with files; where the sender wants to hear of no failure the log does."""

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
        _queue(Letter.objects.create(content=content))
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


def _queue(letter: Letter) -> None:
    number = enqueue(send_letter, letter.pk)
    Letter.objects.filter(pk=letter.pk, worker="").update(task=number, queued=timezone.now() if number else None)


@task(queue_name=SOON)
def send_letter(key: int) -> None:
    """Send this letter, if it still waits and is due."""
    with alive() as worker:
        now = timezone.now()
        waiting = Letter.objects.filter(pk=key, worker="", due__lte=now)
        if waiting.update(worker=worker, taken=now, tries=F("tries") + 1):
            _send(Letter.objects.get(pk=key))


def _send(letter: Letter) -> None:
    mine, reached = Letter.objects.filter(pk=letter.pk, worker=letter.worker), False
    try:
        with get_connection(SENDER) as server:
            reached = True
            server.send_messages([_message(letter.content)])
    except Exception as error:
        _failed(letter, mine, error)
        if not reached:
            _all_failed()
    except BaseException:
        # The worker has to stop; this try does not count.
        _back(mine, timezone.now(), tries=F("tries") - 1)
        raise
    else:
        mine.delete()


def _failed(letter: Letter, mine: Any, error: Exception) -> None:
    """Try again later, or give it up: after the last pause, or if nobody of that address is there."""
    nobody = isinstance(error, SMTPRecipientsRefused) and all(code >= 500 for code, _ in error.recipients.values())
    _again(letter.tries, mine, type(error).__name__, last=nobody)


def _again(tries: int, letters: Any, why: str, last: bool = False) -> None:
    """Let these letters, which were tried so often, wait for their next try, or give them up."""
    if last or tries > len(PAUSES):
        if some := letters.delete()[0]:
            log.error("letters given up after %d tries: %s (%d)", tries, why, some)
    elif some := _back(letters, timezone.now() + PAUSES[max(tries, 1) - 1], tries=tries):
        log.warning("letters that could not be sent, and are tried again: %s (%d)", why, some)


def _all_failed() -> None:
    """The mail server is not reached: what is due has failed with the letter that found that out, instead of waiting for it in turn."""
    due = Letter.objects.filter(worker="", due__lte=timezone.now())
    for tries in range(len(PAUSES) + 1):
        _again(tries + 1, due.filter(tries=tries), "the mail server is not reached")


def _back(letters: Any, due: Any, **values: Any) -> int:
    return int(letters.update(worker="", taken=None, task="", queued=None, due=due, **values))


def look() -> None:
    """Let letters whose worker is gone wait for another, or give them up, for one may be what ends workers; and put into the queue what is
    due and not there."""
    now = timezone.now()
    for letter in Letter.objects.exclude(worker="").only("worker", "taken", "tries"):
        if is_dead(letter.worker) or letter.taken is None or letter.taken < now - SILENT:
            _again(letter.tries, Letter.objects.filter(pk=letter.pk, worker=letter.worker), "its worker died")
    late = Q(queued=None) | Q(queued__lt=now - QUEUED)
    for letter in Letter.objects.filter(late, worker="", due__lte=now).only("task")[:AT_ONCE]:
        if not is_queued(letter.task):
            _queue(letter)
