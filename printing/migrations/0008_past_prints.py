"""A print that was made is remembered for who made it."""

from django.db import migrations
from django.db.models import CharField, JSONField, TextField

from cardsdb.migrations._tables import ACCOUNT, account, one_owner, table
from cardsdb.models.owned import moment, some_text


class Migration(migrations.Migration):
    dependencies = [("printing", "0007_true_size_of_printers"), migrations.swappable_dependency(ACCOUNT)]
    operations = [
        table(
            "PastPrint",
            {"ordering": ("-made", "-pk"), "constraints": [one_owner("pastprint_has_one_owner")]},
            browser=CharField(max_length=64, blank=True, null=True, db_index=True, editable=False),
            address=TextField(),
            title=CharField(max_length=200),
            extent=some_text(200),
            cards=JSONField(default=dict),
            made=moment(),
            owner=account(blank=True, null=True, editable=False),
        ),
    ]
