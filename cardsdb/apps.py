from django.apps import AppConfig


class CardsdbConfig(AppConfig):
    name = "cardsdb"
    verbose_name = "Catalogue"

    def ready(self) -> None:
        from cardsdb.catalogue import checks  # noqa: F401
