import os

import pytest
import snake
import ty

CLASSES = {"c": ty.InC, "cxx": ty.InCxx, "python": snake.Worker}


def make(python_class):
    """A new object: in this process, or on the server that TY_SERVER names."""
    url = os.environ.get("TY_SERVER")
    return python_class.create(url) if url else python_class()


@pytest.fixture(params=CLASSES)
def callee(request):
    return make(CLASSES[request.param])


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
