import os

import pytest
import rec

CLASSES = {"c": rec.InC, "cxx": rec.InCxx, "python": rec.InPython}


def make(python_class):
    """A new object: in this process, or on the server that REC_SERVER names."""
    url = os.environ.get("REC_SERVER")
    return python_class.create(url) if url else python_class()


@pytest.fixture(params=CLASSES)
def store(request):
    return make(CLASSES[request.param])


@pytest.fixture
def in_process():
    if os.environ.get("REC_SERVER"):
        pytest.skip("the object is in another process")
