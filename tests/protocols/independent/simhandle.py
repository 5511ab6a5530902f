"""A client for simhandle, written from docs/simhandle-protocol.md alone.

It shares no code with Shinar and needs nothing but Python's standard library: what it can do,
a stranger can. Methods are named by their declarations in SIDL:

    server = Connection("127.0.0.1", 4711)
    box = server.create("wire.Box")
    total = box.call("int add(in int a, in int b)", 2, 40)

Objects of its own are functions by their declarations; the server calls them while the client waits
for an answer:

    mine = Local("wire.Named", {"string getName()": lambda: "mine"})
    name = box.call("string nameOf(in wire.Named other)", mine)
"""

import dataclasses
import hmac
import itertools
import math
import os
import re
import socket
import struct

MAGIC = b"SHINAR\r\n"
HELLO = struct.Struct("<8sHHI16sIIQIIQ")
WELCOME = struct.Struct("<8sHHI16sIIQIIHH4x")
HEADER = struct.Struct("<BBHIQQHHI")

METHOD, CREATE, ATTACH, REQUEST, ONE_WAY, CANCEL = 1, 2, 3, 4, 5, 6
REPLY, EXCEPTION, ERROR = 7, 8, 9
SETTLE, RELEASE, PING, PONG, GOODBYE = 10, 11, 12, 13, 14
COUNTED = (CREATE, ATTACH, REQUEST, ONE_WAY, REPLY, EXCEPTION, ERROR, SETTLE, RELEASE)

BULK_STRING = 16384  # bytes from which a string travels as a segment
BULK_ARRAY = 4096
NESTED, REFERENCES = 2, 4  # flags of requests, and of calls and answers
NO_STRING, SEGMENT_STRING = 0xFFFFFFFF, 0xFFFFFFFE

# format, alignment; complex numbers are two of their parts
BASIC = {
    "bool": "?", "char": "c", "int": "i", "float": "f", "long": "q", "double": "d",
    "fcomplex": "ff", "dcomplex": "dd",
}  # fmt: skip
KINDS = ["", "bool", "char", "int", "long", "float", "double", "fcomplex", "dcomplex", "string"]


class Broken(Exception):
    """The connection has ended."""


class Refused(Exception):
    """The server does not want to speak with us."""


class Failed(Exception):
    """An error frame: what failed, and what became of the request."""

    def __init__(self, number, fate, text):
        super().__init__(text)
        self.number, self.fate = number, fate


class Thrown(Exception):
    """A SIDL exception: the names of its classes, and a reader of its state."""

    def __init__(self, classes, state):
        self.classes, self.state = classes, state
        self.note, self.trace = state.get("string"), state.get("string")
        super().__init__(f"{classes[0]}: {self.note}")


@dataclasses.dataclass
class Array:
    """Elements in the given order; bounds are inclusive."""

    lower: tuple
    upper: tuple
    elements: list
    order: str = "row"


def alignment(name):
    """The alignment of a basic type."""
    return struct.calcsize(BASIC[name][0])


def to_parts(name, value):
    """What struct wants for a value."""
    return (value.real, value.imag) if name.endswith("complex") else (value,)


def from_parts(name, parts):
    """The value of what struct gave."""
    return complex(*parts) if name.endswith("complex") else parts[0]


def array_element(name):
    """ "double" of "array<double,2>", or nothing."""
    found = re.fullmatch(r"array<(.*?)(,\d)?(,(row|column)-major)?>", name)
    return found and found[1]


class Writer:
    """A body and its segments."""

    def __init__(self, types=None, bulk=BULK_ARRAY):
        self.body, self.segments, self.lent, self.places = bytearray(), [], [], []
        self.types, self.bulk = types or {}, bulk

    def align(self, to):
        """Zeros up to a multiple."""
        self.body += bytes(-len(self.body) % to)

    def pack(self, form, *values):
        """Numbers at the alignment of the first of them."""
        self.align(struct.calcsize(form[0]))
        self.body += struct.pack("<" + form, *values)

    def put(self, name, value):
        """A value of the type called `name`."""
        if name in BASIC:
            self.pack(BASIC[name], *to_parts(name, value))
        elif name == "string":
            self.put_string(value)
        elif array_element(name):
            self.put_array(array_element(name), value)
        elif is_enum(self.types.get(name)):
            self.pack("q", value)
        elif name.startswith("copy "):
            value(self)  # which writes what packObj would
        elif name in self.types:
            for member, each in zip(self.types[name].values(), value, strict=True):
                self.put(member, each)
        else:
            self.put_reference(value)

    def put_string(self, value):
        """UTF-8 text, bytes, or None."""
        data = value.encode() if isinstance(value, str) else value
        if data is None:
            self.pack("I", NO_STRING)
        elif len(data) >= BULK_STRING:
            self.pack("II", SEGMENT_STRING, len(self.segments))
            self.segments.append(data)
        else:
            self.pack("I", len(data))
            self.body += data

    def put_array(self, element, array):
        """An Array, or None. Enums are longs."""
        self.align(8)
        if is_enum(self.types.get(element)):
            element = "long"
        if array is None:
            self.body += bytes(8)
            return
        data = b""
        if element != "string":
            parts = itertools.chain.from_iterable(to_parts(element, e) for e in array.elements)
            data = struct.pack("<" + BASIC[element] * len(array.elements), *parts)
        is_bulk = len(data) >= max(self.bulk, 1)
        order = 1 if array.order == "column" else 2
        segment = len(self.segments) if is_bulk else 0
        self.pack("BBBBI", KINDS.index(element), len(array.lower), order, is_bulk, segment)
        for bounds in zip(array.lower, array.upper, strict=True):
            self.pack("qq", *bounds)
        if is_bulk:
            self.segments.append(data)
            return
        self.align(8)
        self.body += data
        if element == "string":
            for each in array.elements:
                self.put_string(each)

    def put_by_value(self, classes, *state):
        """An object of the first of the classes; the state is strings."""
        self.pack("I", len(classes))
        for name in classes:
            self.put_string(name)
        self.align(8)
        size_at = len(self.body)
        self.pack("Q", 0)
        for text in state:
            self.put_string(text)
        struct.pack_into("<Q", self.body, size_at, len(self.body) - size_at - 8)

    def put_reference(self, target):
        """None, an object of the receiver or of ours, or a URL with the class there."""
        if target is None:
            self.pack("B", 0)
        elif isinstance(target, Local):
            self.places.append(len(self.body))
            target.count += 1
            self.lent.append(target)
            self.pack("B", 2)
            self.put_string(target.id)
            self.put_string(target.type)
        elif isinstance(target, Object):
            self.places.append(len(self.body))
            self.pack("B", 1)
            self.put_string(target.id)
        else:
            self.pack("B", 3)
            for text in target:
                self.put_string(text)

    def end(self):
        """Lists the places of the references, if there are any; the flag that says so."""
        if not self.places:
            return 0
        self.pack("Q" * (len(self.places) + 1), *self.places, len(self.places))
        self.places = []
        return REFERENCES


class Reader:
    """Takes values from a body and its segments."""

    def __init__(self, body, segments=(), connection=None):
        self.body, self.segments, self.connection, self.at = body, segments, connection, 0
        self.types = connection.types if connection else {}

    def align(self, to):
        """Skips the bytes up to a multiple."""
        self.at += -self.at % to

    def unpack(self, form):
        """Numbers at the alignment of the first of them."""
        self.align(struct.calcsize(form[0]))
        values = struct.unpack_from("<" + form, self.body, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def take(self, count):
        """So many bytes."""
        data = bytes(self.body[self.at : self.at + count])
        assert len(data) == count, "the body ends too soon"
        self.at += count
        return data

    def get(self, name):
        """A value of the type called `name`."""
        if name in BASIC:
            return from_parts(name, self.unpack(BASIC[name]))
        if name == "string":
            return self.get_string().decode(errors="surrogateescape")
        if array_element(name):
            return self.get_array()
        if is_enum(self.types.get(name)):
            return self.unpack("q")[0]
        if name.startswith("copy "):
            return self.get_by_value()
        if name in self.types:
            return tuple(self.get(member) for member in self.types[name].values())
        return self.get_reference()

    def get_string(self):
        """Bytes; those of no string are none."""
        (length,) = self.unpack("I")
        if length == NO_STRING:
            return b""
        return self.segments[self.unpack("I")[0]] if length == SEGMENT_STRING else self.take(length)

    def get_array(self):
        """An Array, or None."""
        self.align(8)
        kind, dimensions, order, is_bulk, segment = self.unpack("BBBBI")
        if kind == 0:
            return None
        bounds = [self.unpack("qq") for _ in range(dimensions)]
        count = math.prod(upper - lower + 1 for lower, upper in bounds)
        self.align(8)
        name = KINDS[kind]
        if name == "string":
            elements = [self.get_string() for _ in range(count)]
        else:
            size = struct.calcsize("<" + BASIC[name])
            data = self.segments[segment] if is_bulk else self.take(count * size)
            elements = [from_parts(name, p) for p in struct.iter_unpack("<" + BASIC[name], data)]
        assert len(elements) == count
        lower, upper = zip(*bounds, strict=True)
        return Array(lower, upper, elements, "column" if order == 1 else "row")

    def get_reference(self):
        """None, a Local that came home, an Object of the sender, or a URL and a class."""
        (where,) = self.unpack("B")
        if where == 0:
            return None
        if where == 1:
            return self.connection.locals[self.get("string")]
        assert where in (2, 3)
        place, name = self.get("string"), self.get("string")
        return Object(self.connection, place, name) if where == 2 else (place, name)

    def get_by_value(self):
        """The names of an object's classes, and a reader of its state."""
        names = [self.get("string") for _ in range(self.unpack("I")[0])]
        size = self.unpack("Q")[0] & ~(1 << 63)
        state = Reader(self.body[: self.at + size], self.segments, self.connection)
        state.at = self.at
        self.at += size
        return names, state


def is_enum(description):
    """Enums are described by their values, structs by the types of their members."""
    return description is not None and all(isinstance(v, int) for v in description.values())


def fnv1a(text):
    """The hash of a text."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def in_digests(name, types):
    """A type's name as digests have it: those of enums and structs say what is in them."""
    element = array_element(name)
    if element in types:
        return name.replace(element, in_digests(element, types))
    if name not in types:
        return name
    if is_enum(types[name]):
        values = sorted((value, each) for each, value in types[name].items())
        text = "enum " + name + "{" + "".join(f"{each}={value};" for value, each in values) + "}"
    else:
        members = types[name].items()
        parts = [f"{in_digests(normal_type(type_), types)} {each};" for each, type_ in members]
        text = "struct " + name + "{" + "".join(parts) + "}"
    return f"{name}#{fnv1a(text):016x}"


def normal_type(name):
    """As digests have it: arrays with their number of dimensions."""
    found = re.fullmatch(r"array<([\w.]+)((?:,(?:row|column)-major)?)>", name)
    return f"array<{found[1]},1{found[2]}>" if found else name


@dataclasses.dataclass(frozen=True)
class Method:
    """A declaration in SIDL, with absolute names of types, taken apart."""

    name: str
    result: str
    arguments: tuple  # of (mode, type)
    oneway: bool = False

    @classmethod
    def parse(cls, declaration):
        """From "int add(in int a, in int b)"."""
        pattern = r"(oneway )?(\S+) (\w+)\((.*)\)"
        oneway, result, name, rest = re.fullmatch(pattern, declaration).groups()
        found = re.findall(r"(in|out|inout) (\S+) \w+(?:, |$)", rest)
        arguments = tuple((mode, normal_type(type_)) for mode, type_ in found)
        return cls(name, normal_type(result), arguments, bool(oneway))

    def digest(self, types):
        """FNV-1a of the signature."""
        arguments = ",".join(
            f"copy {mode} {name.removeprefix('copy ')}"
            if name.startswith("copy ")
            else f"{mode} {in_digests(name, types)}"
            for mode, name in self.arguments
        )
        result = in_digests(self.result, types)
        oneway = "oneway " if self.oneway else ""
        return fnv1a(f"{oneway}{result} {self.name}({arguments})")

    def inputs(self):
        """Types of what goes there."""
        return [name for mode, name in self.arguments if mode != "out"]

    def outputs(self):
        """Types of what comes back."""
        result = [] if self.result == "void" else [self.result]
        return result + [name for mode, name in self.arguments if mode != "in"]


def proof(secret, role, common):
    """Of what both ends of a connection have said, by one that has the secret."""
    label = f"simhandle/2/secret/{role}\0".encode()
    return hmac.digest(secret, label + common, "sha256")


class Local:
    """An object of ours: functions by their declarations."""

    def __init__(self, type_name, functions):
        self.id, self.type, self.count = os.urandom(16).hex(), type_name, 0
        self.methods = {Method.parse(text): function for text, function in functions.items()}

    def find(self, name, digest, types):
        """The method and its function; LookupError if there is none with this signature."""
        for method, function in self.methods.items():
            if (method.name, method.digest(types)) == (name, digest):
                return method, function
        raise LookupError(f"no such method: {name}")


class Object:
    """A reference to an object of a server."""

    def __init__(self, connection, object_id, type_name):
        self.connection, self.id, self.type = connection, object_id, type_name

    def call(self, declaration, *arguments, **options):
        """The result and out arguments: one value as it is, several as a tuple."""
        return self.connection.call(self, Method.parse(declaration), arguments, **options)

    def send(self, declaration, *arguments, strand=0):
        """A one-way call: nothing comes back."""
        self.connection.post(ONE_WAY, self, Method.parse(declaration), arguments, strand=strand)

    def begin(self, declaration, *arguments, strand=0):
        """A call that goes on by itself: what Connection.finish() takes."""
        method = Method.parse(declaration)
        connection = self.connection
        return connection.post(REQUEST, self, method, arguments, strand=strand), method

    def release(self, count=1, after=()):
        """Gives references back, when so many counted frames of other connections were read."""
        body = Writer()
        body.put("string", self.id)
        body.pack("I", count)
        for connection, sent in after:
            body.pack("QQ", connection.number, sent)
        self.connection.send(RELEASE, body)


@dataclasses.dataclass(frozen=True)
class Frame:
    """A frame as it came."""

    kind: int
    flags: int
    call: int
    method: int
    body: Reader


class Connection:
    """A connection to a server; `types` has the members of structs with their types, and the
    enumerators of enums with their values."""

    def __init__(
        self, host, port, types=None, session=None, versions=(2, 2), magic=MAGIC, lease=0, number=0,
        secure=lambda plain: plain, secret=None,
    ):  # fmt: skip
        self.number, self.sent, self.got = number, 0, 0  # counted frames that went and came
        self.types, self.methods, self.calls, self.answers = types or {}, {}, 0, {}
        self.locals, self.named = {}, []  # our objects by id; methods that the server has named
        self.running = []  # calls of the server that we are in, the innermost last
        self.session = session or os.urandom(16)
        self.socket = socket.create_connection((host, port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = secure(self.socket)  # over TLS, all the rest is as without
        nonce = os.urandom(32)
        offer = b"" if secret is None else nonce + b"secret"
        features = 2 if offer else 0
        limits = (1 << 24, 0, 1 << 33, lease, len(offer), number)
        hello = HELLO.pack(magic, *versions, features, self.session, *limits)
        self.socket.sendall(hello + offer)
        welcome = bytes(self.receive(WELCOME.size))
        self.welcome = WELCOME.unpack(welcome)
        extension = bytes(self.receive(self.welcome[9]))
        if self.welcome[0] != MAGIC or self.welcome[1] == 0:
            raise Refused(self.welcome[2], extension.decode())
        if offer:
            self.authenticate(secret, nonce, hello, welcome, extension)

    def authenticate(self, secret, nonce, hello, welcome, extension):
        """Both ends prove that they have the secret."""
        if not self.welcome[3] & 2:
            raise Refused(0, "the server does not prove that it has the secret")
        common = nonce + extension[:32] + hello + welcome + bytes(4)
        if not hmac.compare_digest(extension[32:64], proof(secret, "server", common)):
            self.socket.sendall(bytes(32))
            raise Refused(0, "the server does not have the secret")
        self.socket.sendall(proof(secret, "client", common))
        refusal, _, size = struct.unpack("<HHI", self.receive(8))
        if refusal:
            raise Refused(refusal, self.receive(size).decode())

    def receive(self, count):
        """So many bytes."""
        data = bytearray()
        while len(data) < count:
            more = self.socket.recv(min(count - len(data), 1 << 20))
            if not more:
                raise Broken
            data += more
        return data

    def send(self, frame_type, body=None, call=0, method=0, flags=0, strand=0):
        """One frame."""
        body = body or Writer()
        for each in body.lent:
            self.locals[each.id] = each
        if frame_type in COUNTED:
            self.sent += 1
            if not flags & NESTED:  # else they are followed by the parent
                flags |= body.end()
        sizes = [len(segment) for segment in body.segments]
        head = HEADER.pack(
            frame_type, flags, len(sizes), len(body.body), call, sum(sizes), method, strand, 0
        )
        table = struct.pack(f"<{len(sizes)}Q", *sizes)
        self.socket.sendall(b"".join([head, table, body.body, *body.segments]))

    def read_frame(self):
        """The next frame."""
        head = HEADER.unpack(self.receive(HEADER.size))
        kind, flags, segments, size, call, _, method, _, _ = head
        sizes = struct.unpack(f"<{segments}Q", self.receive(8 * segments))
        body = self.receive(size)
        segments = [self.receive(each) for each in sizes]
        self.got += kind in COUNTED
        reader = Reader(body, segments, self)
        return Frame(kind, flags, call, method, reader)

    def answer(self, call):
        """The body of the reply to a call. Whatever else comes meanwhile is seen to."""
        while call not in self.answers:
            self.take(self.read_frame())
        frame = self.answers.pop(call)
        if frame.kind == EXCEPTION:
            raise Thrown(*frame.body.get_by_value())
        if frame.kind == ERROR:
            raise Failed(*frame.body.unpack("II"), frame.body.get("string"))
        assert frame.kind in (REPLY, PONG)
        return frame.body

    def take(self, frame):
        """Does what a frame asks for."""
        body = frame.body
        if frame.kind == PING:
            self.send(PONG, call=frame.call)
        elif frame.kind == GOODBYE:
            raise Broken(body.get("int"), body.get("string"))
        elif frame.kind == METHOD:
            assert frame.method == len(self.named) + 1
            (digest,) = body.unpack("Q")
            self.named.append((body.get("string"), digest))
        elif frame.kind == RELEASE:
            self.locals[body.get("string")].count -= body.get("int")
        elif frame.kind == REQUEST:
            self.run(frame)
        else:
            self.answers[frame.call] = frame

    def run(self, frame):
        """Runs a method of an object of ours and answers."""
        target = self.locals[frame.body.get("string")]
        answer = Writer(self.types)
        self.running.append(frame.call)
        try:
            method, function = target.find(*self.named[frame.method - 1], self.types)
            results = function(*(frame.body.get(name) for name in method.inputs()))
            outputs = method.outputs()
            results = results if len(outputs) > 1 else [results] * len(outputs)
            for name, value in zip(outputs, results, strict=True):
                answer.put(name, value)
            self.send(REPLY, answer, call=frame.call)
        except LookupError as error:
            answer.pack("II", 1, 0)
            answer.put_string(str(error))
            self.send(ERROR, answer, call=frame.call)
        except ValueError as error:
            answer = Writer()
            answer.put_by_value(["sidl.SIDLException"], str(error), "in a client in Python\n")
            self.send(EXCEPTION, answer, call=frame.call)
        finally:
            self.running.pop()

    def ask(self, frame_type, body=None, **header):
        """Sends a frame that has an answer."""
        self.calls += 1
        self.send(frame_type, body, call=self.calls, **header)
        return self.answer(self.calls)

    def create(self, type_name):
        """A new object of a class that the server exports."""
        body = Writer()
        body.put("string", type_name)
        return self.ask(CREATE, body).get_reference()

    def attach(self, name, add_reference=True):
        """A living object, by id or public name."""
        body = Writer()
        body.put("string", name)
        return self.ask(ATTACH, body, flags=int(add_reference)).get_reference()

    def number_of(self, method):
        """The method's number on this connection; named the first time."""
        if method not in self.methods:
            self.methods[method] = len(self.methods) + 1
            body = Writer()
            body.pack("Q", method.digest(self.types))
            body.put("string", method.name)
            self.send(METHOD, body, method=self.methods[method])
        return self.methods[method]

    def post(self, kind, target, method, arguments, bulk=BULK_ARRAY, strand=0):
        """Sends a request or a one-way call; gives the number of the call."""
        body = Writer(self.types, bulk)
        body.put("string", target.id)
        for name, value in zip(method.inputs(), arguments, strict=True):
            body.put(name, value)
        number = self.number_of(method)
        if kind == ONE_WAY:
            self.send(kind, body, method=number, strand=strand)
            return 0
        flags = 0
        if self.running:
            flags = NESTED | body.end()
            body.pack("Q", self.running[-1])
        self.calls += 1
        self.send(kind, body, call=self.calls, method=number, flags=flags, strand=strand)
        return self.calls

    def finish(self, begun):
        """What call() would have given, of a call that was begun."""
        number, method = begun
        reply = self.answer(number)
        values = tuple(reply.get(name) for name in method.outputs())
        return values[0] if len(values) == 1 else values or None

    def cancel(self, begun):
        """Gives a call up."""
        self.send(CANCEL, call=begun[0])

    def call(self, target, method, arguments, bulk=BULK_ARRAY):
        """Calls a method. Arrays of `bulk` bytes and more travel as segments."""
        return self.finish((self.post(REQUEST, target, method, arguments, bulk), method))

    def settle(self, number, got):
        """Says of another connection how far it was read, and that no more will be."""
        body = Writer()
        body.pack("QQ", number, got)
        self.send(SETTLE, body)

    def ping(self):
        """Waits for the pong."""
        self.ask(PING)

    def goodbye(self):
        """Ends the session in order: its references are given back at once."""
        body = Writer()
        body.pack("I", 0)
        body.put("string", "done")
        self.send(GOODBYE, body)
        assert self.socket.recv(1) == b""
