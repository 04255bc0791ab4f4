"""Templates under test: what each was given can be asked of an answer, and a method that one forgets to call
is a fault.

Django's test client learns of contexts from its own template engine alone. And in Jinja a method that is not
called is true, whatever it would answer, so that a forgotten pair of brackets would show a page for years
that says yes.
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
    """The site's, of which each template that is rendered tells the test client so, and none takes a method
    for a value.
    """
    made = templates.environment(**options)
    made.template_class, made.code_generator_class = ToldTemplate, WatchfulGenerator
    made.globals["value_of"] = partial(value_of, made)
    return made


class ToldTemplate(Template):
    def render(self, *args: Any, **kwargs: Any) -> str:
        template_rendered.send(sender=self, template=self, context=dict(*args, **kwargs))
        return super().render(*args, **kwargs)


class WatchfulGenerator(CodeGenerator):
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
    """What ``getattr`` answers. Raises AssertionError for a method."""
    value = environment.getattr(of, attribute)
    assert not isinstance(value, METHODS), f"{template}, line {line}: the method {attribute} is not called"
    return value
