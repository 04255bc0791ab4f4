"""The Jinja environment of tests, which differs from the site's in two ways:

- Django's test client learns the context of each template (``answer.context``), as it does of Django's own
  engine.
- A method that a template forgets to call is an error. In Jinja such a method is simply true, so that a
  forgotten pair of brackets could stay unnoticed for years.
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
    """The site's environment with both changes. Tests name this function in the settings."""
    made = templates.environment(**options)
    made.template_class, made.code_generator_class = ToldTemplate, WatchfulGenerator
    made.globals["value_of"] = partial(value_of, made)
    return made


class ToldTemplate(Template):
    """A template that sends Django's signal ``template_rendered``."""

    def render(self, *args: Any, **kwargs: Any) -> str:
        template_rendered.send(sender=self, template=self, context=dict(*args, **kwargs))
        return super().render(*args, **kwargs)


class WatchfulGenerator(CodeGenerator):
    """Compiles ``a.b`` that is not called into ``value_of(a, "b", ...)``."""

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


def value_of(environment: Environment, of: Any, attribute: str, template: str, line: int) -> Any:
    """The attribute as Jinja finds it. AssertionError if it is a method."""
    value = environment.getattr(of, attribute)
    assert not isinstance(value, METHODS), f"{template}, line {line}: the method {attribute} is not called"
    return value
