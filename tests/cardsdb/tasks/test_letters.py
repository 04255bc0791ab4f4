"""Letters: stored for a worker, tried again while the mail server is away, deleted once sent."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.locmem import EmailBackend as Outbox
from django.core.management import call_command
from django.utils import timezone

from cardsdb.environment import mail_settings
from cardsdb.models import Letter
from cardsdb.tasks.letters import BATCH, MAX_WAITING, PAUSES, SILENT, send_letters
from tests.support.meanwhile import before_first

pytestmark = pytest.mark.django_db


# -- mail servers ----------------------------------------------------------------------


class Refuses(BaseEmailBackend):
    """A mail server that refuses each letter."""

    error: BaseException = ConnectionRefusedError()

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        raise self.error


class TimesOut(Refuses):
    error = TimeoutError()


class KnowsNobody(Refuses):
    error = SMTPRecipientsRefused({"ada@example.org": (550, b"no")})


class IsBusy(Refuses):
    error = SMTPRecipientsRefused({"ada@example.org": (450, b"no")})


class EndsTheWorker(Refuses):
    error = SystemExit()


TAKEN = 2, timezone.now() + SILENT


class KnowsNobodyLate(KnowsNobody):
    """During the try the worker is silent, and another worker takes the letter."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        Letter.objects.update(attempts=TAKEN[0], due=TAKEN[1])
        raise self.error


class IsBusyLate(KnowsNobodyLate):
    error = IsBusy.error


class Unreached(BaseEmailBackend):
    """A mail server that cannot be reached; counts the tries."""

    tried: list[object] = []

    def open(self) -> bool:
        self.tried.append(self)
        raise ConnectionRefusedError


class Watched(Outbox):
    """A mail server during whose work another worker looks for letters."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        assert Letter.objects.get().due > timezone.now()
        send_letters()
        return super().send_messages(email_messages)


Servers = Callable[[type], None]


@pytest.fixture(autouse=True)
def server(settings, tmp_path):
    """The site with a mail server whose letters arrive in ``mail.outbox``; call it with a class to use
    another server.
    """
    settings.VAR_DIR = tmp_path
    environment = {"CUTOUT_EMAIL_HOST": "mail.example.org", "CUTOUT_EMAIL_FROM": "cutout@example.org"}
    settings.EMAIL_BACKEND = mail_settings(environment, tmp_path, https=True)["EMAIL_BACKEND"]

    def use(server: type) -> None:
        settings.CUTOUT_MAIL_SENDER = f"{server.__module__}.{server.__name__}"

    use(Outbox)
    return use


def write(to: str = "ada@example.org", **how: Any) -> int:
    return mail.send_mail("A new password", "Here it is.", "cutout@example.org", [to], **how)


def later(by: timedelta) -> None:
    """Let this much time pass for all letters."""
    for letter in Letter.objects.all():
        Letter.objects.filter(pk=letter.pk).update(due=letter.due - by)


def waiting() -> list[tuple[int, int]]:
    """Return (key, attempts) of the waiting letters, in the order in which they are due."""
    return list(Letter.objects.order_by("due").values_list("pk", "attempts"))


# -- sent ------------------------------------------------------------------------------


def test_a_worker_with_once_sends_all_waiting_letters_and_deletes_them(capsys):
    write()
    content = Letter.objects.get().content
    Letter.objects.bulk_create(Letter(content=content) for _ in range(BATCH))
    assert mail.outbox == []
    call_command("worker", "--once")
    assert len(mail.outbox) == BATCH + 1 and capsys.readouterr().out == "201 tasks done.\n"
    assert not Letter.objects.exists()


def test_every_part_of_a_letter_arrives():
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


def test_only_one_of_two_workers_sends_a_letter(server):
    write()
    server(Unreached)
    Unreached.tried.clear()
    # Both workers have seen that it is due.
    with before_first('UPDATE "cardsdb_letter"', send_letters):
        send_letters()
    assert len(Unreached.tried) == 1
    later(PAUSES[0])
    server(Watched)
    send_letters()
    assert len(mail.outbox) == 1


# -- tried again -----------------------------------------------------------------------


def test_a_letter_is_given_up_after_the_last_pause(server, caplog):
    write()
    server(TimesOut)
    for number, pause in enumerate(PAUSES, 1):
        # It is tried once, and again only after the pause.
        assert (send_letters(), send_letters(), Letter.objects.get().attempts) == (1, 0, number)
        later(pause)
    send_letters()
    assert not Letter.objects.exists()
    assert "given up after 6 tries: TimeoutError" in caplog.text and "ada@" not in caplog.text


@pytest.mark.parametrize(("kind", "kept"), [(KnowsNobody, False), (IsBusy, True)])
def test_a_letter_to_an_unknown_recipient_is_given_up_at_once(server, kind, kept):
    write()
    server(kind)
    send_letters()
    assert Letter.objects.exists() == kept


def test_a_letter_of_a_dead_worker_is_sent_later_and_given_up_if_every_worker_dies(server, caplog):
    write()
    server(EndsTheWorker)
    with pytest.raises(SystemExit):
        send_letters()
    server(Outbox)
    send_letters()
    assert mail.outbox == [], "as long as another may be sending it"
    later(SILENT)
    send_letters()
    assert len(mail.outbox) == 1
    write()
    Letter.objects.update(attempts=len(PAUSES) + 1)
    send_letters()
    assert not Letter.objects.exists() and "given up after 6 tries: its worker died" in caplog.text


@pytest.mark.parametrize("kind", [KnowsNobodyLate, IsBusyLate])
def test_a_worker_that_was_silent_leaves_a_letter_alone_that_another_took(server, kind):
    write()
    server(kind)
    send_letters()
    assert list(Letter.objects.values_list("attempts", "due")) == [TAKEN]


def test_one_due_letter_finds_out_for_all_that_the_mail_server_cannot_be_reached(server):
    for to in ("ada@example.org", "eve@example.org", "kai@example.org"):
        write(to)
    ada, eve, kai = Letter.objects.order_by("pk").values_list("pk", flat=True)
    Letter.objects.filter(pk=eve).update(attempts=1)
    Letter.objects.filter(pk=kai).update(due=timezone.now() + timedelta(minutes=3))
    server(Unreached)
    Unreached.tried.clear()
    send_letters()
    send_letters()
    assert len(Unreached.tried) == 1 and waiting() == [(ada, 1), (kai, 0), (eve, 2)]
    server(Outbox)
    later(PAUSES[1])
    send_letters()
    assert len(mail.outbox) == 3


def test_a_refused_letter_does_not_delay_others(server):
    write()
    write("eve@example.org")
    server(TimesOut)
    send_letters(patience=0)
    assert sorted(attempts for _, attempts in waiting()) == [0, 1]
    server(Outbox)
    send_letters()
    assert [letter.to for letter in mail.outbox] == [["eve@example.org"]]


# -- not stored ------------------------------------------------------------------------


def test_too_many_letters_raise_unless_failures_are_silent(caplog):
    Letter.objects.bulk_create(Letter(content={}) for _ in range(MAX_WAITING - 1))
    write()
    with pytest.raises(OSError, match="too many letters"):
        write("eve@example.org")
    assert write("eve@example.org", fail_silently=True) == 0
    assert "too many letters" in caplog.text


def test_attachments_raise_unless_failures_are_silent(caplog):
    with_files = mail.EmailMessage("Words", "Words", "a@example.org", ["b@example.org"])
    with_files.attach("one.txt", "words")
    with pytest.raises(ValueError, match="files"):
        with_files.send()
    assert mail.get_connection(fail_silently=True).send_messages([with_files]) == 0
    assert "with files" in caplog.text and not Letter.objects.exists()
