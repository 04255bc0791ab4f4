"""Letters: stored for a worker, tried again while the mail server is away, deleted once sent."""

from collections.abc import Sequence
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any
from unittest.mock import Mock

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend as Outbox
from django.core.management import call_command
from django.utils import timezone

from cardsdb.environment import mail_settings
from cardsdb.models import Letter
from cardsdb.tasks import letters
from cardsdb.tasks.letters import PAUSES, SILENT, send_letters
from tests.support.meanwhile import before_first

pytestmark = pytest.mark.django_db


# -- mail servers ----------------------------------------------------------------------


class Server(Outbox):
    """A mail server. ``opens`` and ``sends`` are called when it is reached and when it gets letters; without
    an error the letters arrive in ``mail.outbox``.
    """

    opens = sends = Mock()

    def open(self) -> bool:
        self.opens()
        return True

    def send_messages(self, messages: Sequence[Any]) -> int:
        self.sends()
        return super().send_messages(messages)


# From 500 on, a status says that the recipient is unknown for good; from 400 on, that a later try may work.
KNOWS_NOBODY = SMTPRecipientsRefused({"ada@example.org": (550, b"no")})
IS_BUSY = SMTPRecipientsRefused({"ada@example.org": (450, b"no")})
# The attempts and the next due time of a letter that another worker has taken.
TAKEN = 2, timezone.now() + SILENT


@pytest.fixture(autouse=True)
def server(settings, tmp_path, monkeypatch):
    """The site with a mail server whose letters arrive in ``mail.outbox``; call it with what happens when
    that is reached, or gets a letter.
    """
    settings.VAR_DIR = tmp_path
    environment = {"CUTOUT_EMAIL_HOST": "mail.example.org", "CUTOUT_EMAIL_FROM": "cutout@example.org"}
    settings.EMAIL_BACKEND = mail_settings(environment, tmp_path, https=True)["EMAIL_BACKEND"]
    settings.CUTOUT_MAIL_SENDER = f"{__name__}.Server"

    def use(**does: Mock) -> None:
        for name in ("opens", "sends"):
            monkeypatch.setattr(Server, name, does.get(name, Mock()))

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


def test_a_worker_with_once_sends_all_waiting_letters_and_deletes_them(capsys, monkeypatch):
    monkeypatch.setattr(letters, "BATCH", 2)
    for _ in range(3):
        write()
    assert mail.outbox == []
    call_command("worker", "--once")
    assert len(mail.outbox) == 3 and capsys.readouterr().out == "3 tasks done.\n"
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
    def looks_too() -> None:
        """Another worker looks for letters while this one sends."""
        assert Letter.objects.get().due > timezone.now()
        send_letters()

    write()
    server(opens=(away := Mock(side_effect=ConnectionRefusedError)))
    # Both workers have seen that it is due.
    with before_first('UPDATE "cardsdb_letter"', send_letters):
        send_letters()
    assert away.call_count == 1
    later(PAUSES[0])
    server(sends=Mock(side_effect=looks_too))
    send_letters()
    assert len(mail.outbox) == 1


# -- tried again -----------------------------------------------------------------------


def test_a_letter_is_given_up_after_the_last_pause(server, caplog):
    write()
    server(sends=Mock(side_effect=TimeoutError))
    for number, pause in enumerate(PAUSES, 1):
        # It is tried once, and again only after the pause.
        assert (send_letters(), send_letters(), Letter.objects.get().attempts) == (1, 0, number)
        later(pause)
    send_letters()
    assert not Letter.objects.exists()
    assert "given up after 6 tries: TimeoutError" in caplog.text and "ada@" not in caplog.text


@pytest.mark.parametrize(("error", "kept"), [(KNOWS_NOBODY, False), (IS_BUSY, True)], ids=["nobody", "busy"])
def test_a_letter_to_an_unknown_recipient_is_given_up_at_once(server, error, kept):
    write()
    server(sends=Mock(side_effect=error))
    send_letters()
    assert Letter.objects.exists() == kept


def test_a_letter_of_a_dead_worker_is_sent_later_and_given_up_if_every_worker_dies(server, caplog):
    write()
    server(sends=Mock(side_effect=SystemExit))
    with pytest.raises(SystemExit):
        send_letters()
    server()
    send_letters()
    assert mail.outbox == [], "as long as another may be sending it"
    later(SILENT)
    send_letters()
    assert len(mail.outbox) == 1
    write()
    # As many as a letter gets: one before each pause, and one after the last.
    Letter.objects.update(attempts=len(PAUSES) + 1)
    send_letters()
    assert not Letter.objects.exists() and "given up after 6 tries: its worker died" in caplog.text


@pytest.mark.parametrize("error", [KNOWS_NOBODY, IS_BUSY], ids=["nobody", "busy"])
def test_a_worker_that_was_silent_leaves_a_letter_alone_that_another_took(server, error):
    def taken_meanwhile() -> None:
        Letter.objects.update(attempts=TAKEN[0], due=TAKEN[1])
        raise error

    write()
    server(sends=Mock(side_effect=taken_meanwhile))
    send_letters()
    assert list(Letter.objects.values_list("attempts", "due")) == [TAKEN]


def test_one_due_letter_finds_out_for_all_that_the_mail_server_cannot_be_reached(server):
    for _ in range(3):
        write()
    ada, eve, kai = Letter.objects.order_by("pk").values_list("pk", flat=True)
    Letter.objects.filter(pk=eve).update(attempts=1)
    Letter.objects.filter(pk=kai).update(due=timezone.now() + timedelta(minutes=3))
    server(opens=(away := Mock(side_effect=ConnectionRefusedError)))
    send_letters()
    send_letters()
    assert away.call_count == 1 and waiting() == [(ada, 1), (kai, 0), (eve, 2)]
    server()
    later(PAUSES[1])
    send_letters()
    assert len(mail.outbox) == 3


def test_a_refused_letter_does_not_delay_others(server, monkeypatch):
    monkeypatch.setattr(letters, "PATIENCE", 0)
    write()
    write("eve@example.org")
    server(sends=Mock(side_effect=TimeoutError))
    send_letters()
    assert sorted(attempts for _, attempts in waiting()) == [0, 1]
    server()
    send_letters()
    assert [letter.to for letter in mail.outbox] == [["eve@example.org"]]


# -- not stored ------------------------------------------------------------------------


def test_too_many_letters_raise_unless_failures_are_silent(caplog, monkeypatch):
    monkeypatch.setattr(letters, "MAX_WAITING", 1)
    write()
    with pytest.raises(OSError, match="too many letters"):
        write()
    assert write(fail_silently=True) == 0 and "too many letters" in caplog.text


def test_attachments_raise_unless_failures_are_silent(caplog):
    with_files = mail.EmailMessage("Words", "Words", "a@example.org", ["b@example.org"])
    with_files.attach("one.txt", "words")
    with pytest.raises(ValueError, match="files"):
        with_files.send()
    assert mail.get_connection(fail_silently=True).send_messages([with_files]) == 0
    assert "with files" in caplog.text and not Letter.objects.exists()
