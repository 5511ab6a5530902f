# The cases run in a Python of their own (test_python_records.py).
collect_ignore = ["cases"]
