"""Runs plans, see plans.py."""

import concurrent.futures
import threading
import time

import chains
import sidl.rmi

LEFT_ALONE = 5  # the result of a call that nobody waits for


def mix(to, value):
    """As in plans.py."""
    return (to * 31 + value + 1) % 1000003


class Reader:
    """The text of a plan, read from its front."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def next(self):
        """The letter at the front, or "" at the end."""
        return self.text[self.at : self.at + 1]

    def letter(self):
        """Takes it."""
        found = self.next()
        self.at += 1
        return found

    def number(self):
        """Takes it, and a comma that follows."""
        begin = self.at
        while self.next().isdigit():
            self.at += 1
        found = int(self.text[begin : self.at])
        self.at += self.next() == ","
        return found

    def plan(self):
        """Takes what is in brackets."""
        begin, depth = self.at + 1, 0
        while True:
            letter = self.letter()
            depth += (letter == "(") - (letter == ")")
            if depth == 0:
                return self.text[begin : self.at - 1]


def result(call, *arguments, **options):
    """Of a call of run: what it returns, or one more than the result that its exception has."""
    try:
        return call(*arguments, **options)
    except chains.Oops as oops:
        return int(str(oops)) + 1


def group(plan, nodes):
    """Results of nonblocking calls that are begun together, and waited for as the plan says."""
    how, pending = plan.letter(), []
    while plan.next() != ";":
        target = nodes[plan.number()]
        pending.append(target.run_send(plan.plan(), nodes))
    plan.letter()
    if how == "d":
        return [LEFT_ALONE] * len(pending)
    order = range(len(pending))
    if how == "r":
        order = reversed(order)
    elif how == "t":
        wait_by_threads(pending)
    elif how == "p":
        for each in pending:
            for _ in range(3):
                each.done()
            each.exception(timeout=20)
    elif how == "w":
        for each in pending:
            ask(each.ticket)
    elif how == "z":
        for i, each in enumerate(pending):
            while not is_over(each, i):
                time.sleep(0.0001)
    elif how in "bk":
        order = in_order(pending, how == "k")
    found = {i: result(pending[i].result) for i in order}
    return [found[i] for i in range(len(pending))]


def ask(ticket):
    """Again and again, until it is over."""
    while not ticket.test():
        time.sleep(0.0001)


def is_over(pending, way):
    """Asks for it without waiting, in one of the ways there are."""
    if way % 3 == 0:
        return pending.done()
    try:
        pending.exception(timeout=0) if way % 3 == 1 else pending.result(timeout=0)
    except concurrent.futures.TimeoutError:
        return False
    except chains.Oops:
        pass
    return True


def in_order(pending, asks):
    """As they are over, by a book of tickets: methods wait in the runtime, so that calls come
    back meanwhile."""
    book, found = sidl.rmi.TicketBookI(), []
    for i, each in enumerate(pending):
        book.insertWithID(each.ticket, i)
    while not book.isEmpty():
        if asks and found:
            ask(book)
        found.append(book.removeReady()[0])
    return found


def wait_by_threads(pending):
    """Each is waited for by a thread of its own as well."""
    threads = [threading.Thread(target=result, args=(each.result,)) for each in pending]
    for each in threads:
        each.start()
    for each in pending:
        result(each.result)
    for each in threads:
        each.join()


def call_in_time(target, milliseconds, plan, nodes):
    """As result, with so much time."""
    try:
        return result(target.run, plan, nodes, deadline=milliseconds / 1000)
    except sidl.SIDLException:
        return LEFT_ALONE


def run(text, nodes):
    """(the result, whether it is to be thrown)"""
    plan, given_up = Reader(text), []
    found = plan.number()
    while step := plan.letter():
        if step == "x":
            return found, True
        if step == "g":
            for each in group(plan, nodes):
                found = mix(found, each)
            continue
        number = plan.number()
        if step == "s":
            time.sleep(number / 1000)
            continue
        target = nodes[number]
        if step == "c":
            found = mix(found, result(target.run, plan.plan(), nodes))
        elif step == "o":
            target.tell(plan.plan(), nodes)
        elif step == "e":
            other = nodes[plan.number()]
            found = mix(found, int(target.echo(other) == other))
        elif step == "d":
            milliseconds = plan.number()
            found = mix(found, call_in_time(target, milliseconds, plan.plan(), nodes))
        elif step == "q":
            milliseconds = plan.number()
            given_up.append(target.run_send(plan.plan(), nodes))
            time.sleep(milliseconds / 1000)
            given_up[-1].cancel()
    return found, False
