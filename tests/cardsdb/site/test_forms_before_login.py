"""A form that was loaded before a login has an old token. It is shown again with what was typed, unless it
comes from another site, holds a password or has no text (``cardsdb/site/middleware.py``).
"""

from typing import Any

import pytest
from django.test import Client

from decks.models import Deck
from tests.support.editing import cards
from tests.support.pages import page_of

pytestmark = pytest.mark.django_db

# The origin of the site's own forms.
HERE = {"Origin": "http://testserver"}


def without_token(path: str, posted: dict[str, str], headers: dict[str, str] = HERE) -> Any:
    return Client(enforce_csrf_checks=True).post(path, posted, headers=headers)


def test_a_form_from_before_a_login_is_shown_again_and_can_be_sent_again():
    visitor = Client(enforce_csrf_checks=True)
    posted = {"game": "spycraft", "name": "A <b>", "text": "2 Kai\n// </textarea>"}
    answer = visitor.post("/decks/new/", posted | {"csrfmiddlewaretoken": "x" * 64}, headers=HERE)
    assert "no-store" in answer["Cache-Control"]
    sent = page_of(answer, status=403).one("form", action="/decks/new/").sent
    assert {name: value.replace("\r\n", "\n") for name, value in sent.items() if name in posted} == posted
    assert answer.text.count("csrfmiddlewaretoken") == 1
    assert visitor.post("/decks/new/", sent, headers=HERE).status_code == 302
    assert (Deck.objects.get().name, cards()) == ("A <b>", {"deck kai": 2})


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://testserver.evil.example", ""])
def test_a_form_from_another_site_is_not_shown_again(origin):
    posted = {"name": "Sneaked in", "text": "2 Kai"}
    answer = without_token("/decks/new/", posted, {"Origin": origin} if origin else {})
    assert "Sneaked in" not in answer.text and "The form has expired" in answer.text


@pytest.mark.parametrize(
    "posted", [{"name": "x", "password": "secret"}, {"edit": "+1 deck kai"}, {"text": "x" * 300_001}]
)
def test_forms_with_passwords_or_without_text_are_not_shown_again(posted):
    answer = without_token("/accounts/login/", posted)
    assert "secret" not in answer.text and "Send it again" not in answer.text
