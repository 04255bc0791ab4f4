"""The tables of pictures, printers and print jobs: migrations 1 to 3 in one."""

from django.db import migrations
from django.db.models import (
    BooleanField,
    CharField,
    DateTimeField,
    Index,
    IntegerField,
    JSONField,
    PositiveBigIntegerField,
    PositiveIntegerField,
    PositiveSmallIntegerField,
    Q,
    SlugField,
    UniqueConstraint,
)
from django.utils import timezone

from cardsdb.identity.viewer import new_key
from cardsdb.migrations._tables import ACCOUNT, account, one_of_three_owners, one_owner, refuse_between, table


class Migration(migrations.Migration):
    initial = True
    dependencies = [migrations.swappable_dependency(ACCOUNT)]
    operations = [
        refuse_between(),
        table(
            "PrinterCalibration",
            {
                "ordering": ("name", "pk"),
                "constraints": [one_owner("printercalibration_has_one_owner")],
            },
            browser=CharField(max_length=64, blank=True, null=True, db_index=True, editable=False),
            name=CharField(max_length=60),
            paper=CharField(max_length=40),
            x=IntegerField(default=0),
            y=IntegerField(default=0),
            turn=IntegerField(default=0),
            edge=CharField(max_length=5, default="long"),
            landscape=BooleanField(default=False),
            made=DateTimeField(default=timezone.now, editable=False),
            owner=account(blank=True, null=True, editable=False),
        ),
        table(
            "PrintJob",
            {
                "ordering": ("made", "pk"),
                "indexes": [Index(fields=["state", "made"], name="job_waiting")],
                "constraints": [one_owner("printjob_has_one_owner")],
            },
            browser=CharField(max_length=64, blank=True, null=True, db_index=True, editable=False),
            link=CharField(max_length=22, unique=True, default=new_key, editable=False),
            request=JSONField(default=dict),
            state=CharField(
                max_length=10,
                default="waiting",
                choices=[
                    ("waiting", "Waiting"),
                    ("running", "Running"),
                    ("done", "Done"),
                    ("failed", "Failed"),
                    ("cancelled", "Cancelled"),
                ],
            ),
            pages_done=PositiveIntegerField(default=0),
            pages=PositiveIntegerField(default=0),
            made=DateTimeField(default=timezone.now, editable=False),
            started=DateTimeField(blank=True, null=True),
            heartbeat=DateTimeField(blank=True, null=True),
            worker=CharField(max_length=80, blank=True, default=""),
            attempts=PositiveSmallIntegerField(default=0),
            file=CharField(max_length=120, blank=True, default=""),
            size=PositiveBigIntegerField(default=0),
            sender=CharField(max_length=64, blank=True, default="", editable=False),
            error=CharField(max_length=400, blank=True, default=""),
            expires=DateTimeField(blank=True, null=True),
            owner=account(blank=True, null=True, editable=False),
        ),
        table(
            "UploadedPicture",
            {
                "ordering": ("game", "card_code", "side", "made", "pk"),
                "constraints": [
                    UniqueConstraint(
                        condition=Q(("side", ""), _negated=True),
                        fields=("owner", "game", "card_code", "side"),
                        name="account_picture_once_a_side",
                    ),
                    UniqueConstraint(
                        condition=Q(("side", ""), _negated=True),
                        fields=("browser", "game", "card_code", "side"),
                        name="browser_picture_once_a_side",
                    ),
                    one_of_three_owners("picture_has_one_owner"),
                    UniqueConstraint(
                        condition=Q(("side", ""), _negated=True),
                        fields=("everyone", "game", "card_code", "side"),
                        name="everyones_picture_once_a_side",
                    ),
                ],
            },
            browser=CharField(max_length=64, blank=True, null=True, db_index=True, editable=False),
            game=SlugField(max_length=40, blank=True, default=""),
            card_code=CharField(max_length=120, blank=True, default=""),
            side=CharField(
                max_length=5,
                blank=True,
                default="",
                choices=[("", "Not used yet"), ("front", "Front"), ("back", "Back")],
            ),
            label=CharField(max_length=120, blank=True, default=""),
            sha256=CharField(max_length=64, db_index=True, editable=False),
            kind=CharField(max_length=4, editable=False),
            width=PositiveIntegerField(editable=False),
            height=PositiveIntegerField(editable=False),
            bytes=PositiveIntegerField(editable=False),
            crop=JSONField(blank=True, default=list),
            turn=PositiveSmallIntegerField(default=0),
            mirrored=BooleanField(default=False),
            fit=CharField(
                max_length=5,
                default="fill",
                choices=[
                    ("fill", "Fill the card, cut off what is too much"),
                    ("whole", "Show all of it, leave a white edge"),
                ],
            ),
            edge=CharField(
                max_length=8,
                default="mirrored",
                choices=[
                    ("mirrored", "Mirror the edge of the picture"),
                    ("included", "The picture has its own bleed"),
                    ("none", "Nothing: the paper stays white"),
                ],
            ),
            bleed=PositiveIntegerField(default=0),
            made=DateTimeField(default=timezone.now, editable=False),
            everyone=BooleanField(blank=True, null=True, editable=False),
            use=CharField(
                max_length=4,
                default="card",
                choices=[
                    ("card", "It is the whole card"),
                    ("art", "It stands in the face’s window, with our facts around it"),
                ],
            ),
            owner=account(blank=True, null=True, editable=False),
        ),
    ]
