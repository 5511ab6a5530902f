# The cases run in a Python of their own (test_python.py).
collect_ignore = ["cases"]
