"""What is between two processes: one socket, over which both call each other. The frames, and the
keys that each has besides "op":

    call     object, method, digest, values, homes, strand; id unless it is one-way; deadline (ms)
    create   type, id             answered with a reference to the new object
    connect  object, id           answered with a reference
    answer   id; values and homes, or thrown: an exception by value
    release  object               gives one reference back
    cancel   id                   the answer is not wanted any more

homes are the ids of those objects of the receiver that the frame refers to. Objects by reference
are among the values as

    {"home": id}             an object of the receiver
    {"lent": id, "type": class, "url": url or ""}
                             an object of the sender, which counts one for the receiver
    {"at": url, "lent": id}  an object elsewhere; the sender's own reference to it is lent until the
                             receiver has one
    null

and objects by value as {"classes": [class, its parent, ...], "state": [value, ...]} or null.
"""

import contextlib
import os
import socket
import threading

import sidl
from pysock import Incoming, Outgoing, wire
from shinar import protocol
from sidl.rmi import (
    ExportRegistry,
    InstanceRegistry,
    NetworkException,
    ObjectDoesNotExistException,
    ProtocolException,
    UnexpectedCloseException,
)


class Message:
    """A frame that came in, and what keeps the objects here to which it refers."""

    def __init__(self, sender, body, data):
        self.sender, self.body, self.data = sender, body, data
        # At once: a release that comes next must not take the objects away before they are used.
        self.homes = {id: InstanceRegistry.getInstanceByString(id) for id in body.get("homes", [])}

    def response(self):
        """The answer to a call, or a call: what values are taken from."""
        incoming = Incoming()
        protocol.implementation_of(incoming).begin(self)
        return incoming

    def give_back(self):
        """Gives back what is lent in it; what was taken has been replaced by null."""
        with contextlib.suppress(NetworkException):  # with the connection, what was lent ends
            self._give_back(self.body)

    def _give_back(self, value):
        if isinstance(value, dict) and value.get("lent") is not None:
            self.sender.tell({"op": "release", "object": value["lent"]})
        if isinstance(value, (dict, list)):
            for each in value.values() if isinstance(value, dict) else value:
                self._give_back(each)


class Connection:
    """One end of it. The rule against deadlocks: who reads never does anything that waits."""

    _known = {}
    _making = threading.RLock()

    @classmethod
    def to(cls, address):
        """The connection of this process to a server: made when it is first needed."""
        with cls._making:
            known = cls._known.get(address)
            if not known or known._answers.has_ended() or known._process != os.getpid():
                known = cls._known[address] = cls(wire.connect(address))
            return known

    def __init__(self, connected):
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lent = protocol.Loans()
        self._socket = connected
        self._process = os.getpid()  # a child of it has no part in the connection
        self._writing = threading.RLock()
        self._answers = protocol.Answers()
        self._calls = protocol.Strands()
        self._refuses = False
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, body, data, deadline):
        """Sends a frame that is answered; `deadline` in milliseconds, 0: there is none."""
        number, answer = self._answers.ask(deadline)
        self.tell({**body, "id": number, **({"deadline": deadline} if deadline else {})}, data)
        return number, answer

    def tell(self, body, data=b""):
        """Sends a frame that is not."""
        if self._process != os.getpid():
            protocol.fail(UnexpectedCloseException, "the connection is the parent process's")
        frame = wire.make_frame(body, data)
        with self._writing:
            try:
                self._socket.sendall(frame)
            except OSError as error:
                wire.closed(str(error))

    def drain(self, seconds):
        """Lets the calls in work finish and refuses others; False if some did not."""
        self._refuses = True
        finished = self._calls.wait(seconds)
        self._shut_down()
        return finished

    def has_ended(self):
        """True if nothing comes in any more."""
        return self._answers.has_ended()

    def _shut_down(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _read(self):
        try:
            while True:
                self._handle(Message(self, *wire.read_frame(self._socket)))
        except Exception as error:  # the connection ended, or the frame makes no sense
            why = str(error)
        self._shut_down()
        self._answers.end(why)
        self._calls.wait()
        self.lent.end()
        self._socket.close()

    def _handle(self, message):
        body = message.body
        op, number = body["op"], body.get("id", 0)
        if op == "cancel":
            return self._calls.cancel(number)
        if op == "answer":
            if not self._answers.complete(number, message):
                self._calls.run("late", message.give_back)
            return None
        strand = (body["object"], body["strand"]) if op == "call" else op
        return self._calls.run(strand, lambda: self._execute(message), number, message.give_back)

    def _execute(self, message):
        try:
            if message.body["op"] == "release":
                self.lent.take_back(message.body["object"])
            else:
                self._answer(message)
        except Exception:  # the frame makes no sense, or the answer cannot be sent
            self._shut_down()

    def _answer(self, message):
        number = message.body.get("id")
        ret = Outgoing()
        answer = protocol.implementation_of(ret)
        answer.begin(self, {"op": "answer", "id": number})
        try:
            if self._refuses:
                protocol.fail(ProtocolException, "the server takes no more calls")
            self._run(message, answer, ret)
        except sidl.BaseException as thrown:
            ret.throwException(thrown)
        if number is not None:
            self.tell(*answer.frame())

    @staticmethod
    def _run(message, answer, ret):
        call = message.body
        if call["op"] == "create":
            return answer.packObject("object", ExportRegistry.createInstance(call["type"]))
        id = call["object"]
        target = message.homes.get(id) or InstanceRegistry.getInstanceByString(id)
        if target is None:
            note = f"there is no object '{id}' here"
            protocol.fail(ObjectDoesNotExistException, note)
        if call["op"] == "connect":
            return answer.packObject("object", target)
        with protocol.inherited_deadline(call.get("deadline", -1)):
            method, digest = call["method"], call["digest"]
            return protocol.dispatch(target, method, digest, message.response(), ret)
