from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Files of pictures go with the rows that name them."""
        from printing.pictures import own  # noqa: F401
