"""Objects of a class that renames what it inherits twice under one name: `read` is that of the
type as which an object is seen."""

import copy
import pickle

import pytest
import scaly
import snake
import ty
from conftest import make


@pytest.fixture
def meter():
    return make(scaly.Meter)


@pytest.fixture
def reader():
    return make(snake.Reader)


def test_by_their_own_names(meter):
    assert (meter.readCount(1), meter.readValue(1.0)) == (2, 1.5)
    assert (snake.Counter.read(meter, 1), snake.Gauge.read(meter, 1.0)) == (2, 1.5)
    assert meter.read(1) == 2  # of the first one


def test_after_a_cast(meter):
    """The method of the other interface was called."""
    gauge = snake.Gauge._cast(meter)
    assert gauge.read(1.0) == 1.5
    assert gauge.read_send(1.0).result() == 1.5
    counter = snake.Counter._cast(gauge)
    assert counter.read(1) == 2
    assert snake.Gauge._cast(counter).read(1.0) == 1.5
    assert type(scaly.Meter._cast(gauge)) is scaly.Meter


def test_arguments_of_an_implementation(meter, reader):
    assert reader.count(meter) == 2
    assert reader.measure(meter) == 1.5 + 2.5
    assert reader.measure(snake.Counter._cast(meter)) == 1.5 + 2.5


def test_results(meter, reader):
    assert reader.same(meter).read(1.0) == 1.5
    gauges, counter = reader.all([meter, meter])
    assert [each.read(1.0) for each in gauges] == [1.5, 1.5]
    assert counter.read(1) == 2


def test_it_is_the_same_object(meter):
    gauge = snake.Gauge._cast(meter)
    assert gauge == meter and hash(gauge) == hash(meter)
    assert isinstance(gauge, scaly.Meter) and isinstance(gauge, snake.Counter)
    assert (gauge.readCount(1), gauge.readValue(1.0)) == (2, 1.5)
    assert type(gauge) is type(snake.Gauge._cast(meter))
    assert repr(gauge) == repr(meter)


def test_only_what_differs_is_of_a_class_of_its_own(meter):
    assert type(snake.Counter._cast(meter)) is scaly.Meter
    assert type(snake.Gauge._cast(meter)) is not scaly.Meter
    worker = make(snake.Worker)
    assert type(ty.Orders._cast(worker)) is snake.Worker


def test_names_of_what_is_built_in():
    """`close` closed the object, of which the interface's method of that name was wanted."""
    hatch = make(scaly.Hatch)
    assert [hatch.createUp(1), hatch.connectUp(1), hatch.closeUp(1)] == [2, 3, 4]
    door = scaly.Door._cast(hatch)
    assert [door.create(1), door.connect(1), door.close(1)] == [2, 3, 4]
    assert scaly.Door.close(hatch, 1) == 4
    with door:
        pass
    with pytest.raises(ValueError, match="closed"):
        door.close(1)
    hatch.close()
    with pytest.raises(ValueError, match="closed"):
        hatch.closeUp(1)


def test_names_of_what_is_built_in_of_an_interface(on_server):
    hatch = make(scaly.Hatch)
    door = scaly.Door._connect(hatch._getURL())
    assert [door.create(1), door.connect(1), door.close(1)] == [2, 3, 4]


def test_copies(in_process):
    gauge = snake.Gauge._cast(scaly.Meter())
    for again in (copy.copy(gauge), pickle.loads(pickle.dumps(gauge))):
        assert type(again) is scaly.Meter and again.readValue(1.0) == 1.5


def test_new_objects_of_such_a_class(in_process):
    made = type(snake.Gauge._cast(scaly.Meter()))()
    assert made.read(1.0) == 1.5 and made.readCount(1) == 2
