# The cases run in a Python of their own (test_hooks.py).
collect_ignore = ["cases"]
