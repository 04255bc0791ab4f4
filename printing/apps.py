from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Files of pictures and of jobs go with the rows that name them; accounts take along, and away, what they have; pages show it."""
        from cardsdb.own import pictures as own_pictures
        from decks.accounts import account_data
        from printing.tasks import files  # noqa: F401
        from printing.uploads import pictures
        from printing.web.account_data import BELONGINGS

        account_data.register("printing", BELONGINGS)
        own_pictures.register(pictures.pictures_on_pages, pictures.picture_states)
