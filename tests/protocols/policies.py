"""Policies for the tests: roles as dictionaries."""

import json

ALL = {"create": ["*"], "attach": ["*"], "call": ["*"], "refer": ["*"]}


def role(name, who, quota=None, **rights):
    """A role of a policy file."""
    lines = ["[[role]]", f"name = {json.dumps(name)}", f"who = {json.dumps(who)}"]
    lines += [f"{right} = {json.dumps(patterns)}" for right, patterns in rights.items()]
    if quota:
        lines += ["[role.quota]", *(f"{key} = {json.dumps(it)}" for key, it in quota.items())]
    return "\n".join(lines) + "\n"
