"""Fine models that are started when there is work for them."""

from multiscale import Cell
from sidl.par import Launcher
from sidl.rmi import TicketBookI


class Farm:
    """Up to `most` fine models, each a process; none as long as nothing is to be computed."""

    def __init__(self, job, most, size):
        self.job, self.most, self.size = job, most, size
        self.jobs, self.cells = [], []
        self.asked = 0

    def start(self, wanted):
        """As many as are wanted, at most; all begin at the same time."""
        new = [Launcher.start(self.job, []) for _ in range(len(self.cells), min(wanted, self.most))]
        self.jobs += new
        self.cells += [Cell._create(each.getURLs("fine")[0]) for each in new]

    def evaluate(self, questions):
        """The conductivities, in the order of the questions, whoever answers first."""
        self.start(len(questions))
        self.asked += len(questions)
        answers = [None] * len(questions)
        book, running = TicketBookI(), {}
        waiting = list(enumerate(questions))[::-1]

        def ask(worker):
            place, (mixture, temperature) = waiting.pop()
            call = self.cells[worker].conductivity_send(mixture, temperature, self.size)
            running[worker] = place, call
            book.insertWithID(call.ticket, worker)

        for worker in range(min(len(self.cells), len(waiting))):
            ask(worker)
        while running:
            worker, _ = book.removeReady()
            place, call = running.pop(worker)
            answers[place] = call.result()
            if waiting:
                ask(worker)
        return answers

    def stop(self):
        self.cells.clear()
        for each in self.jobs:
            each.stop()
        self.jobs.clear()


class Alone:
    """The same in this process."""

    def __init__(self, size):
        self.cell, self.size, self.cells, self.asked = Cell(), size, [], 0

    def evaluate(self, questions):
        self.asked += len(questions)
        return [self.cell.conductivity(*each, self.size) for each in questions]

    def stop(self):
        pass
