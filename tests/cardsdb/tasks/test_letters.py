"""Letters are sent by a worker: none is waited for, none is lost while the mail server is away, and none is kept once it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

from cardsdb.models import Letter
from cardsdb.site.mail import mail_settings
from cardsdb.tasks import letters, worker
from cardsdb.tasks.alive import alive

pytestmark = pytest.mark.django_db


class Away(BaseEmailBackend):
    """A mail server that does not take a letter."""

    error: BaseException = ConnectionRefusedError()

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise self.error


@pytest.fixture(autouse=True)
def mail_server(settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """The site as with a mail server; what reaches that is in ``mail.outbox``."""
    settings.VAR_DIR = tmp_path
    environment = {"CUTOUT_EMAIL_HOST": "mail.example.org", "CUTOUT_EMAIL_FROM": "cutout@example.org"}
    settings.EMAIL_BACKEND = mail_settings(environment, tmp_path, https=True)["EMAIL_BACKEND"]
    monkeypatch.setattr(letters, "SENDER", "django.core.mail.backends.locmem.EmailBackend")


def away(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    monkeypatch.setattr(letters, "SENDER", f"{__name__}.Away")
    monkeypatch.setattr(Away, "error", error)


def write(to: str = "ada@example.org") -> None:
    mail.send_mail("A new password", "Here it is.", "cutout@example.org", [to])


def later(by: timedelta) -> None:
    """As if so much time had passed for all letters."""
    for letter in Letter.objects.all():
        Letter.objects.filter(pk=letter.pk).update(due=letter.due - by)


def test_a_letter_is_sent_by_a_worker_and_not_kept() -> None:
    write()
    assert mail.outbox == [] and Letter.objects.count() == 1
    assert worker.work_off() == 1
    assert [(letter.subject, letter.to) for letter in mail.outbox] == [("A new password", ["ada@example.org"])]
    assert not Letter.objects.exists()


def test_all_of_a_letter_arrives() -> None:
    written = mail.EmailMultiAlternatives(
        "Grüße", "Words", "a@example.org", ["b@example.org"], ["c@example.org"], headers={"X-One": "1"}, cc=["d@example.org"]
    )
    written.attach_alternative("<p>Words</p>", "text/html")
    written.send()
    worker.work_off()
    (sent,) = mail.outbox
    assert sent.recipients() == written.recipients() and sent.message()["X-One"] == "1"
    assert [part.get_payload() for part in sent.message().walk()][1:] == [part.get_payload() for part in written.message().walk()][1:]


def test_a_letter_that_fails_is_tried_again_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    with monkeypatch.context() as broken:
        away(broken, ConnectionRefusedError())
        worker.work_off()
    worker.look()
    assert (worker.work_off(), mail.outbox) == (0, [])
    later(letters.PAUSES[0])
    worker.look()
    assert worker.work_off() == 1 and len(mail.outbox) == 1 and not Letter.objects.exists()


def test_a_letter_is_given_up_after_the_last_pause(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    write()
    away(monkeypatch, TimeoutError())
    for pause in letters.PAUSES:
        worker.work_off()
        assert Letter.objects.exists()
        later(pause)
        worker.look()
    worker.work_off()
    assert not Letter.objects.exists()
    assert "given up after 6 tries: TimeoutError" in caplog.text and "ada@" not in caplog.text


@pytest.mark.parametrize(("code", "kept"), [(550, False), (450, True)])
def test_a_letter_to_nobody_is_given_up_at_once(monkeypatch: pytest.MonkeyPatch, code: int, kept: bool) -> None:
    write()
    away(monkeypatch, SMTPRecipientsRefused({"ada@example.org": (code, b"no")}))
    worker.work_off()
    assert Letter.objects.exists() == kept


def test_a_worker_that_is_told_to_end_puts_its_letter_back(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    with monkeypatch.context() as ending:
        away(ending, SystemExit())
        with pytest.raises(SystemExit):
            worker.work_off()
    assert (Letter.objects.get().worker, Letter.objects.get().tries) == ("", 0)
    worker.look()
    assert worker.work_off() == 1 and len(mail.outbox) == 1


def test_a_letter_whose_worker_died_is_taken_up_and_no_other() -> None:
    write()
    with alive() as name:
        Letter.objects.update(worker=name, taken=timezone.now())
        worker.look()
        assert worker.work_off() == 1 and mail.outbox == [], "somebody is sending it"
    Letter.objects.update(taken=timezone.now() - 2 * letters.SILENT)
    worker.look()
    assert worker.work_off() == 1 and len(mail.outbox) == 1


def test_no_more_letters_wait_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MAX_WAITING", 1)
    write()
    with pytest.raises(OSError, match="too many letters"):
        write("eve@example.org")
    assert Letter.objects.count() == 1
