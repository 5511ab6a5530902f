# The cases run in a Python of their own (test_enforcement.py).
collect_ignore = ["cases"]
