"""Makes a failing script shorter, and its package smaller, as long as it fails."""

import dataclasses

from suite import Do

from mixer.model import CALL

KEPT = ("id", "setId", "total", "alive", "add", "used")  # methods that every package has


def fewer(items, fails):
    """A shorter list for which `fails` still holds: parts are left out, large ones first."""
    size = len(items)
    while size > 1:
        size = (size + 1) // 2
        at = 0
        while at < len(items):
            rest = items[:at] + items[at + size :]
            if rest and fails(rest):
                items = rest
            else:
                at += size
    return items


def smaller(package, steps):
    """The package without the methods that a script does not call, and the script for it."""
    methods = package.methods()
    used = {methods[step[3]][1].long_name for step in steps if step[1] == CALL}
    used |= {name.removeprefix("relay_") for name in used}

    def is_kept(method):
        return method.name in KEPT or method.long_name in used

    kept = {name: [m for m in each if is_kept(m)] for name, each in package.METHODS.items()}
    made = dataclasses.replace(package, METHODS=kept)
    names = {(of, m.long_name): n for n, (of, m) in enumerate(made.methods())}
    found = []
    for step in steps:
        if step[1] == CALL:
            of, method = methods[step[3]]
            step = [*step[:3], names[of, method.long_name], *step[4:]]
        found.append(step)
    return made, found


def merge(cases):
    """One package for many cases, so that all are built at once, and the scripts of each: types and
    methods get the number of their case in their names, which makes no difference to values."""
    package, scripts = None, []
    for number, (each, _) in enumerate(cases):
        renamed = rename(each, number)
        if package is None:
            package = renamed
            continue
        package.ENUMS.update(renamed.ENUMS)
        package.STRUCTS.update(renamed.STRUCTS)
        for name, methods in renamed.METHODS.items():
            known = {m.long_name for m in package.METHODS[name]}
            package.METHODS[name] += [m for m in methods if m.long_name not in known]
    at = {(of, m.long_name): n for n, (of, m) in enumerate(package.methods())}
    for number, (each, steps) in enumerate(cases):
        methods = rename(each, number).methods()
        found = []
        for step in steps:
            if step[1] == CALL:
                of, method = methods[step[3]]
                step = [*step[:3], at[of, method.long_name], *step[4:]]
            found.append(step)
        scripts.append(found)
    return package, scripts


def rename(package, number):
    """The package with names that no other case has; those written by hand stay."""
    types = {name: f"{name[0]}{number}0{name[1:]}" for name in [*package.ENUMS, *package.STRUCTS]}

    def kind(value):
        return dataclasses.replace(value, name=types.get(value.name, value.name))

    def method(value):
        args = tuple((mode, kind(of), name) for mode, of, name in value.args)
        name = value.name
        if not isinstance(value.body, Do):
            name = f"c{number}{name}"
        elif name.startswith("relay_"):
            name = f"relay_c{number}{name.removeprefix('relay_')}"
        return dataclasses.replace(value, name=name, result=kind(value.result), args=args)

    enums = {
        types[name]: {f"{types[name].lower()}_{k}": v for k, v in each.items()}
        for name, each in package.ENUMS.items()
    }
    structs = {
        types[name]: {member: kind(of) for member, of in each.items()}
        for name, each in package.STRUCTS.items()
    }
    methods = {name: [method(m) for m in each] for name, each in package.METHODS.items()}
    return dataclasses.replace(package, ENUMS=enums, STRUCTS=structs, METHODS=methods)
