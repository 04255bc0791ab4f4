"""Checks of the whole code with foreign tools: ``make audit``, ``make sbom`` and ``make mutate``."""
