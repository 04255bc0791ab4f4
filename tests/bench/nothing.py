"""The addresses of an empty Django project: one view that says nothing."""

from django.http import HttpResponse
from django.urls import path

urlpatterns = [path("", lambda request: HttpResponse())]
