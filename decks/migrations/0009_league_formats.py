"""The tables of decks, of what is said about them, of collections and leagues: migrations 1 to 9 in one."""

from django.db import migrations
from django.db.models import (
    CASCADE,
    PROTECT,
    SET_NULL,
    BooleanField,
    CharField,
    CheckConstraint,
    DateTimeField,
    ForeignKey,
    Index,
    JSONField,
    OneToOneField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    Q,
    SlugField,
    TextField,
    UniqueConstraint,
)
from django.utils import timezone

from cardsdb.identity.viewer import new_key
from cardsdb.migrations._tables import ACCOUNT, account, one_owner, refuse_between, table


class Migration(migrations.Migration):
    initial = True
    dependencies = [("cardsdb", "0005_own_sets"), migrations.swappable_dependency(ACCOUNT)]
    operations = [
        refuse_between(),
        table(
            "AccountName",
            {},
            key=CharField(max_length=450, unique=True),
            user=OneToOneField(ACCOUNT, CASCADE, related_name="+"),
        ),
        table(
            "Collection",
            {"constraints": [one_owner("owned_by_account_or_browser")]},
            browser=CharField(max_length=64, unique=True, blank=True, null=True),
            revision=PositiveIntegerField(default=0),
            changed=DateTimeField(default=timezone.now),
            owner=OneToOneField(ACCOUNT, CASCADE, blank=True, null=True, related_name="collection"),
        ),
        table(
            "Deck",
            {
                "ordering": ("-changed", "-id"),
                "indexes": [
                    Index(fields=["visibility", "-changed", "-id"], name="deck_listed"),
                    Index(fields=["visibility", "-likes", "-changed", "-id"], name="deck_liked"),
                    Index(fields=["visibility", "size_shown"], name="deck_sized"),
                    Index(fields=["visibility", "verdict", "judged_by", "game"], name="deck_judged"),
                ],
            },
            link=CharField(max_length=32, unique=True, default=new_key, editable=False),
            edit_hash=CharField(max_length=64, db_index=True, editable=False),
            game=SlugField(max_length=40),
            format=SlugField(max_length=40),
            name=CharField(max_length=120),
            notes=TextField(max_length=5000, blank=True),
            details=JSONField(blank=True, default=dict),
            visibility=CharField(
                max_length=10,
                default="private",
                choices=[
                    ("private", "Private: only you, in this browser or with the edit link"),
                    ("unlisted", "Unlisted: whoever has the link"),
                    ("public", "Public: everyone, and in the list of decks"),
                ],
            ),
            revision=PositiveIntegerField(default=0, editable=False),
            created=DateTimeField(default=timezone.now, editable=False),
            changed=DateTimeField(default=timezone.now, editable=False),
            verdict=CharField(max_length=12, blank=True, default="", editable=False),
            judged_by=CharField(max_length=80, blank=True, default="", editable=False),
            comments_open=BooleanField(default=False),
            forked_revision=PositiveIntegerField(blank=True, null=True, editable=False),
            house=CharField(max_length=400, blank=True, default=""),
            likes=PositiveIntegerField(default=0, editable=False),
            revealed=BooleanField(default=False),
            tags=JSONField(blank=True, default=list),
            name_folded=TextField(default="", editable=False),
            tags_folded=TextField(blank=True, default="", editable=False),
            size=PositiveIntegerField(default=0, editable=False),
            size_shown=PositiveIntegerField(default=0, editable=False),
            forked_from=ForeignKey(
                "decks.deck", SET_NULL, blank=True, null=True, editable=False, related_name="forks"
            ),
            owner=ForeignKey(ACCOUNT, CASCADE, blank=True, null=True),
            partner=ForeignKey("decks.deck", SET_NULL, blank=True, null=True, related_name="+"),
        ),
        table(
            "Comment",
            {"ordering": ("made", "id")},
            text=TextField(max_length=2000),
            made=DateTimeField(default=timezone.now),
            state=CharField(
                max_length=8,
                default="waiting",
                choices=[
                    ("waiting", "Waiting for the deck's owner"),
                    ("shown", "Shown"),
                    ("refused", "Not shown"),
                ],
            ),
            author=account(),
            deck=ForeignKey("decks.deck", CASCADE, related_name="comments"),
        ),
        table(
            "BrowserAccess",
            {
                "db_table": "decks_heldkey",
                "constraints": [UniqueConstraint(fields=("browser", "deck"), name="held_once_by_browser")],
            },
            browser=CharField(max_length=64),
            deck=ForeignKey("decks.deck", CASCADE, related_name="browsers"),
        ),
        table(
            "DeckLine",
            {
                "ordering": ("position",),
                "constraints": [
                    UniqueConstraint(fields=("deck", "section", "card"), name="card_once_per_section"),
                    CheckConstraint(condition=Q(("count__gte", 1), ("count__lte", 99)), name="count_1_to_99"),
                    CheckConstraint(
                        condition=Q(("card__isnull", False), ("written__isnull", False), _connector="XOR"),
                        name="card_or_written",
                    ),
                ],
            },
            position=PositiveIntegerField(),
            section=SlugField(max_length=40),
            count=PositiveSmallIntegerField(),
            written=JSONField(blank=True, null=True),
            keep=BooleanField(default=False),
            note=CharField(max_length=300, blank=True, default=""),
            tags=JSONField(blank=True, default=list),
            print=CharField(max_length=80, blank=True, default=""),
            card=ForeignKey("cardsdb.card", PROTECT, blank=True, null=True, related_name="deck_lines"),
            deck=ForeignKey("decks.deck", CASCADE, related_name="lines"),
        ),
        table(
            "DeckRevision",
            {
                "ordering": ("number",),
                "constraints": [UniqueConstraint(fields=("deck", "number"), name="revision_once_a_deck")],
            },
            number=PositiveIntegerField(),
            made=DateTimeField(default=timezone.now),
            kind=SlugField(max_length=20),
            name=CharField(max_length=80, blank=True, default=""),
            content=JSONField(),
            undo_to=PositiveIntegerField(blank=True, null=True),
            redo_to=PositiveIntegerField(blank=True, null=True),
            request_id=CharField(max_length=36, blank=True, default=""),
            by=ForeignKey(ACCOUNT, SET_NULL, blank=True, null=True, related_name="+"),
            deck=ForeignKey("decks.deck", CASCADE, related_name="revisions"),
        ),
        table(
            "Favourite",
            {"constraints": [UniqueConstraint(fields=("deck", "user"), name="favourite_once")]},
            made=DateTimeField(default=timezone.now),
            deck=ForeignKey("decks.deck", CASCADE, related_name="kept_by"),
            user=account(),
        ),
        table(
            "LeagueFormat",
            {
                "ordering": ("-changed", "-pk"),
                "indexes": [Index(fields=["visibility", "-changed", "-id"], name="league_listed")],
                "constraints": [one_owner("league_of_account_or_browser")],
            },
            link=CharField(max_length=32, unique=True, default=new_key, editable=False),
            browser=CharField(max_length=64, blank=True, null=True, db_index=True),
            game=SlugField(max_length=40),
            name=CharField(max_length=80),
            declared=JSONField(default=dict),
            visibility=CharField(
                max_length=10,
                default="private",
                choices=[
                    ("private", "Private: only you; it counts in your private decks alone"),
                    ("unlisted", "Unlisted: whoever has the link"),
                    ("public", "Public: everyone, and in the list of formats"),
                ],
            ),
            made=DateTimeField(default=timezone.now, editable=False),
            changed=DateTimeField(default=timezone.now, editable=False),
            owner=account(blank=True, null=True),
        ),
        table(
            "Like",
            {"constraints": [UniqueConstraint(fields=("deck", "user"), name="liked_once")]},
            made=DateTimeField(default=timezone.now),
            deck=ForeignKey("decks.deck", CASCADE, related_name="liked_by"),
            user=account(),
        ),
        table(
            "Owned",
            {
                "constraints": [
                    UniqueConstraint(
                        fields=("collection", "card", "set", "number"), name="owned_once_a_print"
                    ),
                    CheckConstraint(
                        condition=Q(("count__gte", 1), ("count__lte", 999)), name="owned_1_to_999"
                    ),
                ]
            },
            set=CharField(max_length=40, blank=True, default=""),
            number=CharField(max_length=40, blank=True, default=""),
            count=PositiveSmallIntegerField(),
            card=ForeignKey("cardsdb.card", PROTECT, related_name="+"),
            collection=ForeignKey("decks.collection", CASCADE, related_name="owned"),
        ),
        table(
            "Review",
            {
                "ordering": ("-changed", "-id"),
                "constraints": [UniqueConstraint(fields=("card", "author"), name="reviewed_once")],
            },
            text=TextField(max_length=2000),
            made=DateTimeField(default=timezone.now),
            changed=DateTimeField(default=timezone.now),
            hidden=BooleanField(default=False),
            reported=BooleanField(default=False),
            author=account(),
            card=ForeignKey("cardsdb.card", PROTECT, related_name="reviews"),
        ),
    ]
