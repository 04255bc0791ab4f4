from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Files of pictures and of jobs go with the rows that name them; accounts take along, and away, what they have here."""
        from decks.accounts import belongings
        from printing import job_files  # noqa: F401
        from printing.belongings import BELONGINGS
        from printing.pictures import own  # noqa: F401

        belongings.register("printing", BELONGINGS)
