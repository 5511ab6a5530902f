"""URLs, sockets, frames.

A frame is two lengths, of 4 bytes each, the highest first; then so many bytes of JSON, and so many
bytes that the JSON refers to: the elements of arrays.
"""

import json
import re
import socket
import struct

from shinar.protocol import Fate, fail
from sidl.rmi import (
    BindException,
    ConnectException,
    MalformedURLException,
    ProtocolException,
    UnexpectedCloseException,
)

HEAD = struct.Struct("!II")
LONGEST = 1 << 30
CHUNK = 1 << 18


def split_url(url):
    """Host, port and object of a URL."""
    parts = re.fullmatch(r"pysock://([^/:]+):(\d{1,5})(?:/(.*))?", url)
    if not parts:
        fail(MalformedURLException, f"malformed URL '{url}': pysock://host:port/object")
    return parts[1], int(parts[2]), parts[3] or ""


def make_url(address, name=""):
    """The URL of a server, or of an object of it."""
    return f"pysock://{address[0]}:{address[1]}" + (f"/{name}" if name else "")


def listen(address):
    """A socket that listens on an address."""
    try:
        return socket.create_server(address, backlog=128)
    except OSError as error:
        fail(BindException, f"{make_url(address)}: {error.strerror}", errno=error.errno or 0)


def connect(address):
    """A socket that is connected to an address."""
    try:
        return socket.create_connection(address)
    except OSError as error:
        note = f"{make_url(address)}: {error.strerror}"
        fail(ConnectException, note, Fate.notSent, error.errno or 0)


def closed(why):
    """Says that the connection is over."""
    fail(UnexpectedCloseException, why, Fate.mayHaveExecuted)


def make_frame(body, data=b""):
    """The bytes of a frame."""
    text = json.dumps(body, separators=(",", ":")).encode()
    if max(len(text), len(data)) > LONGEST:
        fail(ProtocolException, f"a message of {len(text) + len(data)} bytes")
    return HEAD.pack(len(text), len(data)) + text + data


def read_frame(connected):
    """The JSON and the data of the next frame."""
    text, data = HEAD.unpack(_read(connected, HEAD.size))
    if max(text, data) > LONGEST:
        closed(f"a frame of {text + data} bytes")
    return json.loads(_read(connected, text)), _read(connected, data)


def _read(connected, length):
    """So many bytes. Memory grows by what came, not by what was announced."""
    result = bytearray()
    while len(result) < length:
        try:
            part = connected.recv(min(length - len(result), CHUNK))
        except OSError as error:
            closed(str(error))
        if not part:
            closed("the peer closed the connection")
        result += part
    return result
