"""The Jinja environment of the tests (``tests/settings.py``): it reports contexts, and fails if a template
forgets to call a method.

Django's test client learns contexts only from Django's own engine, so ``ToldTemplate`` sends the signal
itself. In Jinja a bound method is truthy, so ``{% if deck.is_legal %}`` without brackets would always hold;
``value_of`` raises AssertionError there.
"""

from __future__ import annotations

from functools import partial
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

from django.test.signals import template_rendered
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import Environment, Template

from cardsdb.site import templates

METHODS = (MethodType, BuiltinMethodType, FunctionType, partial)


def environment(**options: Any) -> Environment:
    """Return the site's environment with both checks."""
    made = templates.environment(**options)
    made.template_class, made.code_generator_class = ToldTemplate, WatchfulGenerator
    made.globals["value_of"] = partial(value_of, made)
    return made


class ToldTemplate(Template):
    """A template that sends Django's ``template_rendered`` signal, from which the test client takes
    ``response.context``.
    """

    def render(self, *args: Any, **kwargs: Any) -> str:
        template_rendered.send(sender=self, template=self, context=dict(*args, **kwargs))
        return super().render(*args, **kwargs)


class WatchfulGenerator(CodeGenerator):
    """A code generator that reads attributes through ``value_of``, except those that are called at once."""

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        if isinstance(node.node, nodes.Getattr):
            node.node.attributes = (*node.node.attributes, "is_called")
            node.node.is_called = True
        super().visit_Call(node, frame, forward_caller=forward_caller)

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        if getattr(node, "is_called", False):
            super().visit_Getattr(node, frame)
            return
        self.write("environment.globals['value_of'](")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, {self.name!r}, {node.lineno})")


def value_of(environment: Environment, owner: Any, attribute: str, template: str, line: int) -> Any:
    """Return the attribute. Raises AssertionError if it is a method."""
    value = environment.getattr(owner, attribute)
    assert not isinstance(value, METHODS), f"{template}, line {line}: the method {attribute} is not called"
    return value
