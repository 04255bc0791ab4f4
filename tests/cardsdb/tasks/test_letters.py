"""Letters are sent by a worker: none is waited for, none is lost while the mail server is away, and none is
kept once it is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.core.management import call_command
from django.utils import timezone

from cardsdb.environment import mail_settings
from cardsdb.models import Letter
from cardsdb.tasks import letters, worker
from cardsdb.tasks.letters import send_letters

pytestmark = pytest.mark.django_db


class Away(BaseEmailBackend):
    """A mail server that does not take a letter."""

    error: BaseException = ConnectionRefusedError()

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise self.error


class Unreached(Away):
    """A mail server that is not there; how often it was looked for."""

    tried = 0

    def open(self) -> bool:
        type(self).tried += 1
        raise ConnectionRefusedError


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
    worker.recover_all()
    assert [(letter.subject, letter.to) for letter in mail.outbox] == [
        ("A new password", ["ada@example.org"])
    ]
    assert not Letter.objects.exists()


def test_a_worker_that_works_once_sends_all_letters_that_wait(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(letters, "BATCH", 2)
    for _ in range(5):
        write()
    call_command("worker", "--once")
    assert len(mail.outbox) == 5 and capsys.readouterr().out == "5 tasks done.\n"


def test_all_of_a_letter_arrives() -> None:
    written = mail.EmailMultiAlternatives(
        "Grüße",
        "Words",
        "a@example.org",
        ["b@example.org"],
        ["c@example.org"],
        headers={"X-One": "1"},
        cc=["d@example.org"],
    )
    written.attach_alternative("<p>Words</p>", "text/html")
    written.send()
    send_letters()
    (sent,) = mail.outbox
    assert sent.recipients() == written.recipients() and sent.message()["X-One"] == "1"
    assert [part.get_payload() for part in sent.message().walk()][1:] == [
        part.get_payload() for part in written.message().walk()
    ][1:]


def test_a_letter_that_fails_is_tried_again_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    with monkeypatch.context() as broken:
        away(broken, ConnectionRefusedError())
        send_letters()
    send_letters()
    assert mail.outbox == []
    later(letters.PAUSES[0])
    send_letters()
    assert len(mail.outbox) == 1 and not Letter.objects.exists()


def test_a_letter_is_given_up_after_the_last_pause(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    write()
    away(monkeypatch, TimeoutError())
    for pause in letters.PAUSES:
        send_letters()
        assert Letter.objects.exists()
        later(pause)
    send_letters()
    assert not Letter.objects.exists()
    assert "given up after 6 tries: TimeoutError" in caplog.text and "ada@" not in caplog.text


@pytest.mark.parametrize(("code", "kept"), [(550, False), (450, True)])
def test_a_letter_to_nobody_is_given_up_at_once(
    monkeypatch: pytest.MonkeyPatch, code: int, kept: bool
) -> None:
    write()
    away(monkeypatch, SMTPRecipientsRefused({"ada@example.org": (code, b"no")}))
    send_letters()
    assert Letter.objects.exists() == kept


def test_a_letter_whose_worker_was_ended_is_taken_up_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    with monkeypatch.context() as ending:
        away(ending, SystemExit())
        with pytest.raises(SystemExit):
            send_letters()
    send_letters()
    assert mail.outbox == [], "as long as another may be sending it"
    later(letters.SILENT)
    send_letters()
    assert len(mail.outbox) == 1


def test_a_letter_that_ends_its_workers_is_given_up_after_the_last_pause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    write()
    Letter.objects.update(attempts=len(letters.PAUSES) + 1)
    send_letters()
    assert not Letter.objects.exists() and "given up after 6 tries: its worker died" in caplog.text


def test_of_two_workers_one_has_a_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    write()

    def sends(letter: Letter) -> bool:
        """Meanwhile another worker looks."""
        assert Letter.objects.get().due > timezone.now()
        send_letters()
        return sent(letter)

    sent = letters._is_reached
    monkeypatch.setattr(letters, "_is_reached", sends)
    send_letters()
    assert len(mail.outbox) == 1


@pytest.mark.parametrize("code", [550, 450])
def test_a_worker_that_was_silent_changes_nothing_of_a_letter_that_another_took(
    monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    write()
    due = timezone.now() + letters.SILENT
    away(monkeypatch, SMTPRecipientsRefused({"ada@example.org": (code, b"no")}))

    def sends(server: Away, messages: Sequence[Any]) -> int:
        Letter.objects.update(attempts=2, due=due)
        raise server.error

    monkeypatch.setattr(Away, "send_messages", sends)
    send_letters()
    assert list(Letter.objects.values_list("attempts", "due")) == [(2, due)]


def test_of_letters_that_are_due_one_finds_out_that_the_mail_server_is_not_reached(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for to in ("ada@example.org", "eve@example.org", "kai@example.org"):
        write(to)
    ada, eve, kai = Letter.objects.order_by("pk").values_list("pk", flat=True)
    Letter.objects.filter(pk=eve).update(attempts=1)
    Letter.objects.filter(pk=kai).update(due=timezone.now() + timedelta(minutes=3))
    with monkeypatch.context() as broken:
        broken.setattr(letters, "SENDER", f"{__name__}.Unreached")
        send_letters()
        send_letters()
        assert Unreached.tried == 1
    assert list(Letter.objects.values_list("pk", "attempts")) == [(ada, 1), (kai, 0), (eve, 2)], (
        "in the order in which they are due"
    )
    later(letters.PAUSES[1])
    send_letters()
    assert len(mail.outbox) == 3


def test_a_letter_that_a_mail_server_does_not_take_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    write()
    write("eve@example.org")
    away(monkeypatch, TimeoutError())
    monkeypatch.setattr(letters, "PATIENCE", 0.0)
    send_letters()
    assert list(Letter.objects.order_by("pk").values_list("attempts", flat=True)) == [1, 0]
    monkeypatch.setattr(letters, "SENDER", "django.core.mail.backends.locmem.EmailBackend")
    send_letters()
    assert [letter.to for letter in mail.outbox] == [["eve@example.org"]]


def test_no_more_letters_wait_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "MAX_WAITING", 1)
    write()
    with pytest.raises(OSError, match="too many letters"):
        write("eve@example.org")
    assert Letter.objects.count() == 1


def test_a_sender_that_wants_to_hear_of_no_failure_hears_of_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    written = mail.EmailMessage("Words", "Words", "a@example.org", ["b@example.org"])
    written.attach("one.txt", "words")
    with pytest.raises(ValueError, match="files"):
        written.send()
    assert mail.get_connection(fail_silently=True).send_messages([written]) == 0
    monkeypatch.setattr(letters, "MAX_WAITING", 0)
    assert mail.send_mail("Words", "Words", "a@example.org", ["b@example.org"], fail_silently=True) == 0
    assert not Letter.objects.exists() and "with files" in caplog.text and "too many letters" in caplog.text
