from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "printing"

    def ready(self) -> None:
        """Connect the signals. Models may be imported from here on."""
        from printing import signals  # noqa: F401
