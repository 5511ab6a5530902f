# The cases run in a Python of their own (test_par.py).
collect_ignore = ["cases"]
