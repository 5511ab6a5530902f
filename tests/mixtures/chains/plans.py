"""Plans for nodes that call each other, and what has to come of them.

The text of a plan is a number, with which its result begins, and steps:

    c1(plan)        calls run of node 1
    o1(plan)        calls tell of node 1, one way
    e1,2            node 1 returns node 2, which has to be that
    s3              sleeps for 3 milliseconds
    gb1(plan)2(plan);   nonblocking calls of run, begun together; they are waited for one after the
                    other (f), backwards (r), as they are over (b: a book of tickets; k: one that is
                    asked again and again after the first), each by another thread, too (t), after
                    some questions whether they are over (p), when that is so after any number of
                    questions (w; z: to the future, in Python), or not at all (d); or the first one
                    is cancelled after 3 milliseconds (c: of a client in C++)
    x               throws, with the result so far
    d1,5(plan)      calls run of node 1 with a deadline in 5 milliseconds
    q1,5(plan)      begins to call run of node 1, cancels that after 5 milliseconds, and keeps the
                    ticket

Every thread that runs plans has nodes of its own, which run one call at a time, and there are some
for all threads, which run any number (`Free`). What others may wait for, and what goes on when its
caller has gone on, calls no more than these: two chains that take two nodes in opposite orders wait
for each other for ever, as is documented. (A one-way call is over when its caller has waited for
another call of the same node, which comes behind it.)
"""

import dataclasses

LEFT_ALONE = 5  # the result of a call that nobody waits for


def mix(to, value):
    """Adds a number to a result."""
    return (to * 31 + value + 1) % 1000003


@dataclasses.dataclass
class Step:
    """One of a plan: its letter, numbers, and the plans that it has nodes run, as (node, plan)."""

    letter: str
    numbers: tuple = ()
    calls: tuple = ()
    how: str = ""

    def __str__(self):
        if self.letter == "g":
            return f"g{self.how}{''.join(f'{node}({plan})' for node, plan in self.calls)};"
        words = [str(each) for each in (*(node for node, _ in self.calls), *self.numbers)]
        return self.letter + ",".join(words) + "".join(f"({plan})" for _, plan in self.calls)


@dataclasses.dataclass
class Plan:
    """What a node is to do."""

    number: int
    steps: list

    def __str__(self):
        return f"{self.number}{''.join(map(str, self.steps))}"


class Maker:
    """Makes plans; nodes 0 to count - 1 are a thread's own, those after them are for all."""

    def __init__(self, draw, count, faults=False, waits_for_all=False):
        self.draw, self.count = draw, count
        self.letters = "cccoeesgggx" + ("dq" if faults else "")
        self.ways = "frbktpwz" + ("" if waits_for_all else "d")
        self.waits_for_all = waits_for_all
        self.left = 0

    def make(self, size):
        """A plan with some `size` calls."""
        self.left = size
        return self.plan(range(2 * self.count), 0)

    def deep(self, depth):
        """One whose calls go to and fro, so deep."""
        plan = Plan(self.draw.randrange(1000), [])
        for _ in range(depth):
            node = self.draw.randrange(2 * self.count)
            letter = self.draw.choice("ccg")
            how = self.draw.choice("frbktpwz") if letter == "g" else ""
            plan = Plan(self.draw.randrange(1000), [Step(letter, (), ((node, plan),), how)])
        return plan

    def plan(self, nodes, depth):
        """One that calls no more than these."""
        steps = []
        for _ in range(self.draw.randint(1, 4) if depth < 12 else 0):
            if self.left <= 0:
                break
            steps += self.step(nodes, depth)
            if steps[-1].letter == "x":
                break
        return Plan(self.draw.randrange(1000), steps)

    def step(self, nodes, depth):
        """A step of such a plan, or two; a plan is not thrown away by its first."""
        draw, letter = self.draw, self.draw.choice(self.letters)
        if letter == "x" and (depth == 0 or draw.random() < 0.5):
            letter = "c"
        self.left -= 1
        if letter == "x":
            return [Step("x")]
        if letter == "s":
            return [Step("s", (draw.randint(0, 2),))]
        if letter == "e":
            return [Step("e", (draw.choice(nodes), draw.choice(nodes)))]
        if letter == "o" and depth > 0 and (self.waits_for_all or draw.random() < 0.5):
            node = draw.choice(nodes)
            inner = [self.plan(nodes, depth + 1) for _ in range(2)]
            return [Step(each, (), ((node, plan),)) for each, plan in zip("oc", inner)]
        if letter == "o" and self.waits_for_all:
            letter = "c"
        how = draw.choice(self.ways) if letter == "g" else ""
        most = {"d": (1, 20), "q": (0, 3)}.get(letter)
        numbers = (draw.randint(*most),) if most else ()
        goes_on = letter in "odq" or how == "d"
        inner = range(self.count, 2 * self.count) if goes_on else nodes
        calls = tuple(
            (draw.choice(nodes), self.plan(inner, depth + 1))
            for _ in range(draw.randint(1, 4) if letter == "g" else 1)
        )
        return [Step(letter, numbers, calls, how)]


class Model:
    """What nodes have done, as [runs, sum] by their places in the driver's list of all."""

    def __init__(self, threads, count):
        self.count = count
        self.done = [[0, 0] for _ in range(count * (1 + threads))]

    def run(self, thread, plan):
        """What becomes of a plan: its result, or one more if it is thrown."""
        result, is_thrown = self.result(thread, plan)
        return result + is_thrown

    def call(self, thread, node, plan):
        """The same of what a node runs."""
        result, is_thrown = self.result(thread, plan)
        own = self.count * (1 + thread) + node
        done = self.done[own if node < self.count else node - self.count]
        done[0] += 1
        done[1] += result
        return result + is_thrown

    def result(self, thread, plan):
        """(the result, whether it is thrown)"""
        result = plan.number
        for step in plan.steps:
            if step.letter == "x":
                return result, True
            if step.letter == "e":
                result = mix(result, 1)
            for node, inner in step.calls:
                found = self.call(thread, node, inner)
                if step.letter != "o":
                    result = mix(result, LEFT_ALONE if step.how == "d" else found)
        return result, False
