"""Arrays whose elements are elsewhere, where any access to them would be a fault."""

import copy
import gc
import os
import pickle
import threading
import time

import device_space
import numpy as np
import pytest
import scaly
import shinar
import sidl
import snake
import ty
from conftest import Plain, make
from device_space import DEVICE, Old, Other, Raising, address

MAKERS = [ty.InC, ty.InCxx, snake.Worker]
DTYPES = ["S1", "i4", "i8", "f4", "f8", "c8", "c16"]
REMOTE = bool(os.environ.get("TY_SERVER"))


@pytest.fixture(autouse=True)
def nothing_stays():
    gc.collect()
    before = device_space.blocks()
    yield
    device_space.fail(0)
    until = time.monotonic() + 20  # threads of calls that are over may still let go
    while gc.collect() >= 0 and device_space.blocks() != before and time.monotonic() < until:
        time.sleep(0.01)
    assert device_space.blocks() == before


def there(array):
    return shinar.to_device(array, DEVICE)


def numbers(dtype, *lengths):
    count = int(np.prod(lengths))
    if dtype == "S1":
        return np.arange(65, 65 + count, dtype="u1").view("S1").reshape(lengths)
    return np.arange(count).astype(dtype).reshape(lengths)


def is_same(a, b):
    """The same array, wherever it went; a copy came back from a server."""
    if REMOTE:
        return isinstance(a, np.ndarray) and np.array_equal(a, b.to_host())
    return address(a) == address(b) and np.array_equal(a.to_host(), b.to_host())


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_it_goes_through_untouched(maker, dtype):
    host = numbers(dtype, 3, 4)
    array = there(host)
    before = device_space.copies()
    same = make(maker).same(array)
    if not REMOTE:
        assert device_space.copies() == before
        assert (same.dtype, same.shape, same.strides) == (host.dtype, host.shape, host.strides)
    assert is_same(same, array) and same.dtype == dtype


@pytest.mark.parametrize("rank", range(1, 8))
@pytest.mark.parametrize("order", ["C", "F"])
def test_ranks(rank, order):
    host = np.asarray(numbers("f8", *range(2, 2 + rank)), order=order)
    array = there(host)
    assert (array.ndim, array.size, len(array)) == (rank, host.size, 2)
    assert array.strides == host.strides and array.lower == (0,) * rank
    assert np.array_equal(array.to_host(), host)


def test_what_it_says():
    bounded = np.arange(6, dtype="i4").reshape(2, 3).view(shinar.Array)
    bounded.lower = (1, -1)
    array = there(bounded)
    assert (array.shape, array.dtype, array.device) == ((2, 3), np.dtype("i4"), DEVICE)
    assert array.lower == array.to_host().lower == (1, -1)
    text = "shape=(2, 3), dtype=int32, lower=(1, -1)"
    assert repr(array) == f"<shinar.DeviceArray in the test space, {text}>"
    assert there(array).device == DEVICE and address(there(array)) == address(array)
    assert shinar.to_device(array, (1, 0)).tolist() == bounded.tolist()


def test_bools_and_structs(in_process):
    flags = there(np.array([True, False, True]))
    assert flags.dtype == np.dtype(bool) and flags.to_host().tolist() == [True, False, True]
    assert snake.Worker().same(flags).to_host().tolist() == [True, False, True]
    with pytest.raises(BufferError, match="array of bools"):
        flags.__dlpack__()
    spots = np.zeros(3, snake.Spot.dtype)
    spots["id"] = [7, 8, 9]
    array = there(spots)
    assert array.dtype is snake.Spot.dtype
    assert ty.InC().same(array).to_host().tolist() == spots.tolist()
    with pytest.raises(TypeError, match="not an array of snake.Spot in the test space"):
        snake.Worker().keep(array)


def test_nobody_copies_it_unasked():
    array = there(np.arange(3.0))
    message = r"the elements are in the test space; .*to_host\(\)"
    for use in (np.asarray, np.sum, list, lambda a: a[0], lambda a: a.__setitem__(0, 1.0)):
        with pytest.raises(TypeError, match=message):
            use(array)
    with pytest.raises(TypeError, match=r"cannot be pickled; what to_host\(\) returns"):
        pickle.dumps(array)
    copied = copy.deepcopy(array)
    assert address(copied) != address(array) and copied.to_host().tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="shinar.to_device makes"):
        shinar.DeviceArray()


@pytest.mark.parametrize("maker", [Other, Old])
@pytest.mark.parametrize("dtype", DTYPES)
def test_of_another_library(maker, dtype):
    array = there(numbers(dtype, 2, 5))
    other = maker(array)
    same = make(snake.Worker).same(other)
    assert is_same(same, array)
    kind = "used_dltensor_versioned" if maker is Other else "used_dltensor"
    assert [device_space.name_of(each) for each in other.capsules] == [kind]


def test_parts_of_another_library(in_process):
    """Every second one, from the last one on; with an offset in bytes."""
    array = there(np.arange(10.0))

    def part(tensor):
        tensor.tensor.byte_offset = 72
        tensor.tensor.shape[0], tensor.tensor.strides[0] = 5, -2

    same = snake.Worker().keep(Other(array, part))
    assert (same.shape, same.strides) == ((5,), (-16,))
    assert same.to_host().tolist() == [9, 7, 5, 3, 1]
    assert address(same) == address(array) + 72


def bits(code, bits):
    def change(given):
        getattr(given, "tensor", given).type.code = code
        getattr(given, "tensor", given).type.bits = bits

    return change


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (bits(6, 8), TypeError, "DLPack tensor of bools: those have 8 bits, and SIDL's have 32"),
        (bits(2, 16), TypeError, "must be array<double,1>: no array .* type 2, 16 bits"),
        (
            bits(2, 32),
            TypeError,
            "not an array of float32 in the test space, where it cannot be conv",
        ),
        (lambda it: setattr(it, "major", 2), TypeError, "must be array<double,1>: .* DLPack 2.0"),
    ],
)
def test_what_does_not_fit(change, error, message):
    other = Other(there(np.arange(3.0)), change)
    with pytest.raises(error, match="argument 'a' of snake.Worker.keep .*" + message):
        make(snake.Worker).keep(other)
    # The last one was an array first.
    used = "used_" if "float32" in message else ""
    assert device_space.name_of(other.capsules.pop()) == used + "dltensor_versioned"


def test_other_refusals():
    array = there(np.zeros((2, 2)))
    worker = make(snake.Worker)
    with pytest.raises(TypeError, match="array<double,1>, not an array of 2 dimensions"):
        worker.keep(array)
    with pytest.raises(BufferError, match="argument 'a' of .*keep: this one is not for others"):
        worker.keep(Raising(array))
    line = there(np.arange(3.0))
    raw = "'x' of .*dot: .*elements are in the test space, but are needed in host memory"
    for given in (line, Other(line)):
        with pytest.raises(sidl.MemorySpaceException, match=raw):
            worker.dot(given, np.ones(3), 3)
        with pytest.raises(sidl.MemorySpaceException, match=raw):
            worker.dot(given, np.ones(3))
    with pytest.raises(sidl.MemorySpaceException, match="'edges'"):
        ty.InC().mesh(ty.Mesh(3, line, np.zeros((2, 6), "i4"), ""), None)
    with pytest.raises(sidl.MemorySpaceException, match="copied to device 12:77"):
        shinar.to_device(np.ones(2), (12, 77))


@pytest.mark.parametrize(
    "owning", [np.array(["a", "b"]), ["a"], [None], [ty.Inner("a", None)]], ids=repr
)
def test_only_plain_elements_go_to_a_device(owning):
    with pytest.raises(TypeError, match="must have numbers, bools, characters or structs of these"):
        there(owning)


@pytest.mark.parametrize("device", [2, None, "ab", (2,), (2, 0, 0), (2.0, 0), "cuda:0"], ids=repr)
def test_what_is_no_device(device):
    with pytest.raises(TypeError, match="the device must be DLPack's type and number of it, as in"):
        shinar.to_device(np.ones(2), device)


def test_numbers_that_no_device_has():
    with pytest.raises(ValueError, match=r"no device can be \(2, 4294967296\)"):
        shinar.to_device(np.ones(2), (2, 2**32))


def read_only(tensor):
    tensor.flags |= 1


def test_read_only_ones():
    other = Other(there(np.arange(4.0)), read_only)
    worker = make(snake.Worker)
    same = worker.keep(other)
    assert (same if REMOTE else same.to_host()).tolist() == [0, 1, 2, 3]
    assert REMOTE or address(same) != address(other.array)
    with pytest.raises(TypeError, match="because it is read-only, which strict"):
        worker.keep(other, strict=True)
    assert is_same(worker.keep(other.array, strict=True), other.array)
    device_space.fail(1)
    with pytest.raises(sidl.MemorySpaceException, match="read-only DLPack tensor"):
        worker.keep(other)


@pytest.mark.parametrize("wrapped", [lambda a: a, Other, Old])
def test_inout_is_changed_where_it_is(wrapped):
    """By a callee that gives back another array, or a copy from a server."""
    array = there(np.arange(4.0))
    trader = make(scaly.Trader)
    first = wrapped(array)
    assert trader.trade(first) is first
    given = wrapped(there(np.full(4, 7.0)))
    assert trader.trade(given) is given
    data = given if isinstance(given, shinar.DeviceArray) else given.array
    assert data.to_host().tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="is inout, and the array is read-only"):
        trader.trade(Other(array, read_only))


def test_inout_of_other_lengths():
    trader = make(scaly.Trader)
    trader.trade(there(np.arange(3.0)))
    other = there(np.ones(5))
    back = trader.trade(other)
    assert isinstance(back, shinar.DeviceArray) and back.to_host().tolist() == [0, 1, 2]
    assert other.to_host().tolist() == [1] * 5


def test_a_host_array_becomes_what_is_there(in_process):
    trader = scaly.Trader()
    trader.trade(there(np.arange(3.0)))
    given = np.ones(3)
    assert trader.trade(given) is given and given.tolist() == [0, 1, 2]


class Passing(Plain):
    """Gives back what it gets."""

    def turn(self, x):
        self.seen = x
        return x, x

    def anyKind(self, a, io):
        return a.ndim, a, io


@pytest.mark.parametrize("wrapped", [lambda a: a, Other])
def test_an_implementation_in_python(wrapped, in_process):
    passing, relay = Passing(), scaly.Relay()
    relay.to(passing)
    array = there(np.arange(4.0))
    copies = device_space.copies()
    given = wrapped(array)
    before, x = relay.turn(given)
    assert x is given and address(before) == address(array)
    assert isinstance(passing.seen, shinar.DeviceArray)
    number, o, io = relay.anyKind(given, there(np.ones((2, 2), "i4")))
    assert (number, o.dtype, io.shape) == (1, np.dtype("f8"), (2, 2))
    assert device_space.copies() == copies + 1
    relay.to(None)


def test_inout_comes_back_from_a_server():
    array = there(np.ones((2, 2), order="F"))
    io = there(np.zeros((2, 2), order="F"))
    if not REMOTE:
        with pytest.raises(sidl.BaseException, match="elements are in the test space"):
            ty.InCxx().columns(array, io)
        with pytest.raises(AttributeError):  # it takes it for NumPy's
            snake.Worker().columns(array, io)
        return
    ok, o, back = make(ty.InC).columns(array, io)
    assert ok and back is io and o.tolist() == array.to_host().tolist()
    assert io.to_host().tolist() == [[1, 1], [1, 1]]
    other = Other(io)
    assert make(ty.InCxx).columns(array, other)[2] is other
    assert io.to_host().tolist() == [[2, 2], [2, 2]]
    for worker in (make(snake.Worker), make(ty.InC)):
        for call in (worker.anyKind, lambda *all, of=worker: of.anyKind_send(*all).result()):
            kind, _, longs = call(np.ones(2), io)
            assert kind == 104 and longs.device == DEVICE and longs.dtype == np.dtype("i8")
            assert longs.shape == (3,)


def test_members_of_structs(in_process):
    spots = there(np.arange(6.0).reshape(2, 3))
    full = ty.Full(False, 0j, None, "", ty.Color.red, None, None, spots, *[None] * 5)
    stall = scaly.Stall(there(np.arange(3.0)))
    back, a = scaly.Trader().swap(stall, there(np.ones(2)))
    assert back.goods.to_host().tolist() == [1, 1] and a.to_host().tolist() == [0, 1, 2]
    assert stall.goods.to_host().tolist() == [0, 1, 2]
    assert stall == stall and scaly.Stall(stall.goods) == stall
    assert full.matrix is spots


def test_out_to_other_libraries():
    array = there(np.arange(6, dtype="i4").reshape(2, 3))
    plain, versioned = array.__dlpack__(), array.__dlpack__(max_version=(1, 0))
    assert device_space.name_of(plain) == "dltensor"
    assert device_space.name_of(versioned) == "dltensor_versioned"
    assert array.__dlpack_device__() == DEVICE
    for tensor in map(device_space.tensor_of, (plain, versioned)):
        assert (tensor.device.type, tensor.device.id) == DEVICE
        assert (tensor.type.code, tensor.type.bits, tensor.shape[1], tensor.strides[0]) == (
            0,
            32,
            3,
            3,
        )
    assert device_space.contents(versioned).flags == 0
    copied = array.__dlpack__(max_version=(1, 2), copy=True, stream=1)
    assert device_space.contents(copied).flags == 2
    assert device_space.tensor_of(copied).data != device_space.tensor_of(plain).data
    assert array.__dlpack__(copy=False) is not None
    with pytest.raises(BufferError, match="only as a copy"):
        array.__dlpack__(dl_device=(1, 0), copy=False)
    for device in ((12, 5), (3, 0)):
        with pytest.raises(BufferError):
            array.__dlpack__(dl_device=device)
    address = device_space.tensor_of(plain).data
    del array, versioned, copied
    gc.collect()
    assert device_space.tensor_of(plain).data == address and device_space.blocks() >= 1


def test_numpy_gets_only_copies():
    array = there(np.arange(3.0))
    with pytest.raises((BufferError, RuntimeError)):
        np.from_dlpack(array)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        assert np.from_dlpack(array, device="cpu").tolist() == [0, 1, 2]


class Tensor:
    """Nothing but DLPack, in host memory."""

    def __init__(self, array):
        self.array = array
        self.requests = 0

    def __dlpack__(self, **options):
        self.requests += 1
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_a_library_is_asked_for_its_array_once():
    """A request may copy, and may have it wait for what computes the elements."""
    worker, trader = make(snake.Worker), make(scaly.Trader)
    for call in (worker.keep, worker.same, trader.trade, trader.trade):
        given = Tensor(np.arange(3.0))
        call(given)
        assert given.requests == 1
    for in_place in (True, False):
        for call in (trader.rotate, lambda *all: trader.rotate_send(*all).result(60)):
            given = [Tensor(np.arange(3.0) + i) for i in range(3)]
            back = call(*given, in_place)
            assert all(one is other for one, other in zip(back, given))
            assert [each.array.tolist() for each in given] == [[1, 2, 3], [2, 3, 4], [0, 1, 2]]
            assert [each.requests for each in given] == [1, 1, 1]
            if in_place:
                continue
            given = [Other(there(np.arange(3.0) + i)) for i in range(3)]
            back = call(*given, in_place)
            assert all(one is other for one, other in zip(back, given))
            assert [each.array.to_host().tolist()[0] for each in given] == [1, 2, 0]
            assert [len(each.capsules) for each in given] == [1, 1, 1]
    with pytest.raises(TypeError, match="'a' of snake.Worker.same must be array"):
        worker.same(Tensor(np.ma.masked_array([1.0]).astype("m8[s]")))


def test_dlpack_in_host_memory():
    a = np.arange(4.0)
    worker = make(snake.Worker)
    same = worker.keep(Tensor(a))
    assert np.from_dlpack(same).tolist() == a.tolist()
    assert REMOTE or np.shares_memory(same, a) or np.lib.NumpyVersion(np.__version__) < "2.1.0"
    assert worker.same(Tensor(a)).tolist() == a.tolist()
    assert worker.keep(Tensor(np.arange(3, dtype="f4"))).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="'a' of snake.Worker.keep must be array<double,1>, not"):
        worker.keep(Tensor(np.zeros(3, bool)))


def test_copies_that_fail():
    array = there(np.arange(3.0))
    device_space.fail(1)
    with pytest.raises(sidl.MemorySpaceException, match="cannot be copied to host memory"):
        array.to_host()
    with pytest.raises(BufferError, match="cannot be copied"):
        array.__dlpack__(dl_device=(1, 0))
    with pytest.raises(sidl.MemorySpaceException, match="cannot be copied to the test space"):
        there(np.ones(3))
    if REMOTE:
        with pytest.raises(sidl.MemorySpaceException, match="the test space"):
            make(snake.Worker).keep(array)


def test_threads():
    worker = make(snake.Worker)
    errors = []

    def work():
        try:
            for i in range(30):
                array = there(np.full(100, float(i)))
                assert is_same(worker.same(Other(array)), array)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not errors
