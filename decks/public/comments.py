"""Comments on a deck: who may write one, who sees which, what one may hold. The views are in ``comment_views``."""

from __future__ import annotations

import unicodedata
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet

from decks.models import Comment, Deck

MAX_TEXT = 2_000
# Comments by one author on one deck that nobody has read yet.
MAX_WAITING = 5
# Shown on the page, the newest of those there are.
MAX_SHOWN = 200
_HIDDEN = {"Cc", "Cs", "Co", "Cn", "Cf"}
# What joins letters and pictures in honest text.
_JOINING = "\u200c\u200d"


def may_comment(user: Any) -> bool:
    """Whether this account may write comments: one with a confirmed address, where the site can confirm any."""
    if not user.is_authenticated:
        return False
    if settings.CUTOUT_MAIL == "none":
        return True
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def comments_seen(deck: Deck, user: Any, moderates: bool) -> QuerySet[Comment]:
    """The comments that someone sees: those shown, and their own; all for whoever decides about them."""
    comments = Comment.objects.filter(deck=deck).select_related("author")
    if moderates:
        return comments
    own = Q(author=user.pk) if user.is_authenticated else Q(pk__in=())
    return comments.filter(own | Q(state=Comment.State.SHOWN))


class CommentForm(forms.Form):
    """One comment: plain text."""

    text = forms.CharField(
        widget=forms.Textarea,
        error_messages={"required": "Write something first."},
    )

    def clean_text(self) -> str:
        text = unicodedata.normalize("NFC", self.cleaned_data["text"]).replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > MAX_TEXT:
            raise ValidationError(f"A comment has at most {MAX_TEXT:,} characters; this one has {len(text):,}.", code="max_length")
        for number, line in enumerate(text.split("\n"), start=1):
            if any(unicodedata.category(char) in _HIDDEN and char not in _JOINING and char != "\t" for char in line):
                raise ValidationError(f"Line {number} has an invisible or control character; type it again.", code="bad_text")
        return text
