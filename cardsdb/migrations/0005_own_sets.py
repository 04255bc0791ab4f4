"""The tables of the catalogue, of own texts and sets, and of saved searches: migrations 1 to 5 in one."""

from django.db import migrations
from django.db.models import (
    CASCADE,
    BigAutoField,
    BooleanField,
    CharField,
    DateTimeField,
    ForeignKey,
    Index,
    JSONField,
    OneToOneField,
    PositiveBigIntegerField,
    PositiveIntegerField,
    Q,
    SlugField,
    TextField,
    UniqueConstraint,
)
from django.utils import timezone

from cardsdb.identity.viewer import new_key
from cardsdb.migrations._tables import ACCOUNT, account, one_of_three_owners, refuse_between, table
from cardsdb.models.box import new_code

SORTED = {"sort_name": 200, "name_folded": 200, "game": 40, "code": 120}


def sort_by_code_point(apps, schema_editor):
    """PostgreSQL sorts by the database's language unless told; SQLite never does."""
    if schema_editor.connection.vendor == "postgresql":
        changes = ", ".join(
            f'ALTER COLUMN {name} TYPE varchar({length}) COLLATE "C"' for name, length in SORTED.items()
        )
        schema_editor.execute(f"ALTER TABLE cardsdb_card {changes}")


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(ACCOUNT)]
    operations = [
        refuse_between(),
        table(
            "Edition",
            {"ordering": ("-number",)},
            number=BigAutoField(primary_key=True, serialize=False),
            made=DateTimeField(default=timezone.now),
            changes=JSONField(default=list),
        ),
        table("Holding", {}, game=SlugField(max_length=40, unique=True), summary=JSONField(default=dict)),
        table(
            "Card",
            {
                "ordering": ("sort_name", "game", "code"),
                "indexes": [
                    Index(fields=["sort_name", "game", "code"], name="card_by_name"),
                    Index(fields=["game", "type", "sort_name", "code"], name="card_by_type"),
                ],
                "constraints": [UniqueConstraint(fields=("game", "code"), name="card_once_per_game")],
            },
            game=SlugField(max_length=40),
            code=CharField(max_length=120),
            name=CharField(max_length=200),
            name_folded=CharField(max_length=200, db_index=True),
            sort_name=CharField(max_length=200),
            type=SlugField(max_length=40),
            facts=JSONField(default=dict),
            text=TextField(blank=True),
            sources=JSONField(default=dict),
            aliases=JSONField(default=list),
            note=TextField(blank=True),
            search_text=TextField(blank=True),
            terms=TextField(blank=True),
            retired=BooleanField(default=False),
            print_count=PositiveIntegerField(default=0),
            digest=CharField(max_length=40, blank=True),
        ),
        table(
            "OwnBox",
            {"constraints": [one_of_three_owners("box_has_one_owner")]},
            browser=CharField(max_length=64, unique=True, blank=True, null=True),
            everyone=BooleanField(unique=True, blank=True, null=True),
            state=PositiveBigIntegerField(default=0),
            owner=OneToOneField(ACCOUNT, CASCADE, blank=True, null=True, related_name="+"),
        ),
        table(
            "OwnChoice",
            {
                "constraints": [
                    UniqueConstraint(fields=("box", "game", "entry"), name="own_choice_once_an_entry")
                ],
            },
            game=SlugField(max_length=40),
            card_code=CharField(max_length=120),
            changed=DateTimeField(default=timezone.now, editable=False),
            entry=CharField(max_length=300),
            box=ForeignKey("cardsdb.ownbox", CASCADE, related_name="%(class)ss"),
        ),
        table(
            "OwnSet",
            {
                "ordering": ("game", "name", "pk"),
                "indexes": [Index(fields=["visibility", "game", "name"], name="own_set_by_visibility")],
            },
            game=SlugField(max_length=40),
            link=CharField(max_length=32, unique=True, default=new_key, editable=False),
            name=CharField(max_length=80),
            visibility=CharField(
                max_length=8,
                default="private",
                choices=[
                    ("private", "Private: only you"),
                    ("unlisted", "Unlisted: whoever has the link"),
                    ("public", "Public: everyone, and in the list of sets"),
                ],
            ),
            licence=CharField(max_length=120, blank=True, default=""),
            credit=CharField(max_length=300, blank=True, default=""),
            note=CharField(max_length=1000, blank=True, default=""),
            changed=DateTimeField(default=timezone.now, editable=False),
            box=ForeignKey("cardsdb.ownbox", CASCADE, related_name="sets"),
        ),
        table(
            "OwnCard",
            {
                "ordering": ("name", "pk"),
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("place", ""), _negated=True),
                        fields=("in_set", "place"),
                        name="own_card_once_a_place",
                    )
                ],
            },
            code=CharField(max_length=40, unique=True, default=new_code, editable=False),
            name=CharField(max_length=200),
            type=SlugField(max_length=40),
            facts=JSONField(default=dict),
            text=TextField(max_length=5000, blank=True),
            note=CharField(max_length=300, blank=True, default=""),
            place=CharField(max_length=60, blank=True, default=""),
            changed=DateTimeField(default=timezone.now, editable=False),
            in_set=ForeignKey("cardsdb.ownset", CASCADE, related_name="cards"),
        ),
        table(
            "OwnText",
            {
                "ordering": ("game", "card_code", "pk"),
                "constraints": [
                    UniqueConstraint(fields=("box", "game", "card_code"), name="own_text_once_a_card")
                ],
            },
            game=SlugField(max_length=40),
            card_code=CharField(max_length=120),
            changed=DateTimeField(default=timezone.now, editable=False),
            text=TextField(max_length=5000, blank=True),
            facts=JSONField(default=dict),
            source=CharField(max_length=120, blank=True, default=""),
            box=ForeignKey("cardsdb.ownbox", CASCADE, related_name="%(class)ss"),
        ),
        table(
            "Print",
            {"ordering": ("id",)},
            set_code=CharField(max_length=20, db_index=True),
            number=CharField(max_length=20, blank=True),
            rarity=CharField(max_length=40, blank=True),
            code=CharField(max_length=60, blank=True),
            note=CharField(max_length=300, blank=True),
            card=ForeignKey("cardsdb.card", CASCADE, related_name="prints"),
        ),
        table(
            "AccountSearch",
            {
                "ordering": ("-made", "-pk"),
                "constraints": [UniqueConstraint(fields=("owner", "key"), name="search_once_a_name")],
            },
            name=CharField(max_length=40),
            key=CharField(max_length=120),
            query=CharField(max_length=300),
            made=DateTimeField(default=timezone.now, editable=False),
            owner=account(),
        ),
        migrations.RunPython(sort_by_code_point, migrations.RunPython.noop),
    ]
