from typing import Any

from django.db import migrations

AT_ONCE = 500


def into_boxes(apps: Any, schema_editor: Any) -> None:
    """Each owner gets a box, with their texts in it."""
    old, box, new = (
        apps.get_model(*name)
        for name in (("printing", "CardText"), ("cardsdb", "OwnBox"), ("cardsdb", "OwnText"))
    )
    boxes: dict[tuple[Any, Any], Any] = {}
    rows = []
    for text in old.objects.order_by("pk").iterator(AT_ONCE):
        owner = (text.owner_id, text.browser)
        if owner not in boxes:
            boxes[owner] = box.objects.get_or_create(owner_id=text.owner_id, browser=text.browser)[0]
        rows.append(
            new(
                box=boxes[owner],
                game=text.game,
                card_code=text.card_code,
                text=text.text,
                changed=text.changed,
            )
        )
    new.objects.bulk_create(rows, batch_size=AT_ONCE)


def out_of_boxes(apps: Any, schema_editor: Any) -> None:
    """Back again; texts that are everyone's, or longer than the old column, have no place there."""
    old, new = apps.get_model("printing", "CardText"), apps.get_model("cardsdb", "OwnText")
    rows = [
        old(
            owner_id=text.box.owner_id,
            browser=text.box.browser,
            game=text.game,
            card_code=text.card_code,
            text=text.text,
            changed=text.changed,
        )
        for text in new.objects.filter(box__everyone=None).exclude(text="").select_related("box")
        if len(text.text) <= 2_000
    ]
    old.objects.bulk_create(rows, batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("printing", "0001_print_shop"), ("cardsdb", "0003_own_boxes")]

    operations = [
        migrations.RunPython(into_boxes, out_of_boxes),
        migrations.DeleteModel(name="CardText"),
    ]
