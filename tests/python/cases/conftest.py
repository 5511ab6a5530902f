import os

import pytest
import scaly
import snake
import ty
from snake.Worker_Impl import Worker_Impl

CLASSES = {"c": ty.InC, "cxx": ty.InCxx, "python": snake.Worker, "plain": scaly.Relay}


class Plain(Worker_Impl, snake.All):
    """A class of a user's, for which nothing was generated; it does what a worker does."""

    def number(self):
        return 77

    def greet(self, who):
        return f"Hello, {who}", "Python"

    def turn(self, x):
        return x, x[::-1].copy()


def relay_to(plain):
    """An object in C++ that calls it, here or on the server."""
    relay = make(scaly.Relay)
    relay.to(plain)
    return relay


def make(python_class):
    """A new object: in this process, or on the server that TY_SERVER names."""
    url = os.environ.get("TY_SERVER")
    return python_class._create(url) if url else python_class()


@pytest.fixture(params=CLASSES)
def callee(request):
    return relay_to(Plain()) if request.param == "plain" else make(CLASSES[request.param])


@pytest.fixture
def worker():
    return make(snake.Worker)


@pytest.fixture
def item():
    return make(ty.Item)


@pytest.fixture
def on_server():
    if not os.environ.get("TY_SERVER"):
        pytest.skip("the object is in this process")


@pytest.fixture
def in_process():
    if os.environ.get("TY_SERVER"):
        pytest.skip("the object is in another process")
