"""What the classes of in_c.sidl and in_cxx.sidl are and say, level by level."""

PARENTS = {
    "ob.Top": ["sidl.BaseInterface"],
    "ob.Left": ["ob.Top"],
    "ob.Right": ["ob.Top"],
    "ob.Bottom": ["ob.Left", "ob.Right"],
    "ob.Side": ["ob.Top"],
    "ob.Deep": ["ob.Bottom", "ob.Side"],
    "ob.Counter": ["sidl.BaseInterface"],
    "ob.Gauge": ["sidl.BaseInterface"],
    "ob.Relay": ["sidl.BaseInterface"],
    "ob.L1": ["sidl.BaseClass", "ob.Top"],
    "ob.L2": ["ob.L1", "ob.Left"],
    "ob.L3": ["ob.L2", "ob.Right"],
    "ob.L4": ["ob.L3", "ob.Bottom", "ob.Counter", "ob.Gauge"],
    "ob.L5": ["ob.L4"],
    "ob.L6": ["ob.L5", "ob.Deep"],
    "ob.RelayC": ["sidl.BaseClass", "ob.Relay"],
    "ob.RelayCxx": ["sidl.BaseClass", "ob.Relay"],
    "ob.Oops": ["sidl.SIDLException"],
    "sidl.SIDLException": ["sidl.BaseClass", "sidl.BaseException"],
    "sidl.BaseClass": ["sidl.BaseInterface"],
    "sidl.BaseException": ["sidl.BaseInterface"],
    "sidl.BaseInterface": [],
}
CONCRETE = ["L2", "L4", "L5", "L6", "RelayC", "RelayCxx"]
LEVELS = range(1, 7)
IN_C = {1, 4, 5}

# The levels that implement a method; all but the first of them call the parent's besides.
IMPLEMENTED = {
    "chain": [1, 2, 3, 4, 5, 6],
    "top": [1, 2, 3, 4, 6],
    "missing": [2],
    "left": [2, 4, 6],
    "right": [3, 4, 6],
    "bottom": [4, 6],
    "side": [6],
    "deep": [6],
    "lower": [4],
}
NAMES = {1: "one", 2: "two", 5: "five"}
# What the callers call on objects of levels that have the type.
CALLS = {
    1: ["L1.missing", "L1.top"],
    2: ["L2.chain", "L2.left", "Top.top", "Left.top", "Left.left"],
    4: ["L4.chain", "L4.lower", "L4.right", "Bottom.top", "Bottom.left", "Bottom.right"]
    + ["Bottom.bottom", "Right.right"],
    6: ["Deep.deep", "Deep.side", "Deep.bottom", "Deep.top", "Side.top", "L6.deep"],
}


def is_a(name, other):
    return name == other or any(is_a(parent, other) for parent in PARENTS[name])


def casts(name):
    """Each type an object of the class is cast to, and whether it is one."""
    seen = {
        f"{name} {other}": "yes" if is_a(f"ob.{name}", other) else "no"
        for other in PARENTS
        if other != "sidl.SIDLException"
    }
    return seen | {name: f"ob.{name} 1.5", "is made up": "0"}


def said(method, level):
    """What a method says that each level adds to."""
    return ">".join(f"{method}{n}" for n in reversed(IMPLEMENTED[method]) if n <= level)


def data(level, by):
    """The sum of the data of all levels after each grew by `by`."""
    return sum(10 ** (n - 1) + by for n in range(1, level + 1))


def calls(level):
    """What an object of the level says, whatever type it is seen as."""
    name = NAMES[max(n for n in NAMES if n <= level)]
    seen = {"L1.chain": said("chain", level), "L1.name": name, "L1.who": f"I am {name}"}
    seen |= {"L1.sealed": "sealed", "L1.sum": str(data(level, 1)), "L2.sum": str(data(level, 1))}
    for since, methods in CALLS.items():
        if since <= level:
            seen |= {call: said(call.split(".")[1], level) for call in methods}
    if level >= 4:
        count = "500" if level >= 5 else "5"  # L5 overrides a method that L4 renamed
        seen |= {"L4.readCount": count, "Counter.read": count}
        seen |= {"L4.readValue": "0.25", "Gauge.read": "0.25"}
        seen |= {"L4.over": "over6>none4" if level >= 6 else "none4"}
        seen |= {"L4.overInt": "overInt5>int4" if level >= 5 else "int4"}
        seen |= {"L4.overString": "string4 x"}
    return seen


def hooks(kind, fails=0):
    """The constructors or destructors of an object of level 6, in order, and what the object says
    when they run: it is one of their class."""
    if kind == "dtor":
        ends = ((said("chain", n), f"dtor L{n}{' fails' * (n == fails)}") for n in reversed(LEVELS))
        return [line for end in ends for line in end]
    lines = []
    for n in LEVELS:
        if n == fails:
            return [*lines, f"{kind} L{n} fails"]
        lines += [f"{kind} L{n}"] + ([said("chain", n)] if kind == "ctor" else [])
    return lines


def failed_life(fails):
    """The log of an object of level 6 whose constructor of one level fails."""
    return hooks("ctor", fails) + hooks("dtor")[2 * (len(LEVELS) + 1 - fails) :]


def life(kind, fails):
    """The log of an object of level 6, and of a second one, when one hook fails the first time."""
    whole = hooks("ctor") + hooks("dtor")
    if kind == "dtor":
        return ["made: ", *hooks("ctor"), *hooks("dtor", fails), "made: ", *whole]
    began = hooks(kind, fails)
    if kind == "ctor":
        return [*failed_life(fails), "made: ", *whole]
    return [*began, "made: ", *hooks("load")[fails - 1 :], *whole]
