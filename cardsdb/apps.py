from django.apps import AppConfig


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        from cardsdb import checks  # noqa: F401
