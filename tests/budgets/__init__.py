"""Waiting times, measured row by row against their budgets (``make budgets``, ``docs/speed.md``)."""
