"""The ratios to reach, by row; for memory the KiB. The figures they bound are in RESULTS.md."""

import re

# The first pattern that matches a row's whole name gives its target.
TARGETS = [
    (r"compiler\.check\.growth", 1.1),
    (r"compiler\.check\..*", 1.0),
    (r"inproc\.python_cxx\.(noop|add)", 1.05),
    (r"inproc\.python_cxx\.(noop|add)\.brief", 1.15),
    (r"inproc\.python_cxx\.(noop|add)\.pybind11", 1.1),
    (r"inproc\.cxx_python\.(noop|add)", 1.3),
    (r"simhandle\.noop\.(python|java)(\.spread)?", 1.3),
    (r"inproc\.(java_c|c_java)\.(noop|add)", 1.2),
    (r"inproc\.java_c\.array\.large", 1.05),
    (r"inproc\.java_java\.element", 1.5),
    (r"inproc\.fortran_\w+\.array\.large", 1.05),
    (r"inproc\.fortran_fortran\.heat", 1.02),
    (r"inproc\.fortran_fortran\.noop", None),  # two borders
    (r"inproc\.c_c\.noop\.contracts_off", 1.05),
    (r"inproc\.c_c\.noop\.contracts_on", 1.0),
    (r"contracts\.all_positive\.1048576", 1.1),
    (r"inproc\.c_c\.(noop|add)", 1.1),
    (r"inproc\.\w+\.(noop|add)", 1.5),
    (r"inproc\.\w+\.array\.large", 1.05),
    (r"inproc\.c_\w+\.array", 4),
    (r"inproc\.\w+\.array", 8),
    (r"inproc\.\w+\.create", 3),
    (r"inproc\.\w+\.cast", 5),
    (r"shm\.noop", 1.15),
    (r"shm\.noop\.spread", 3),
    (r"shm\.echo_double\.1024(\.spread)?", 2),
    (r"shm\.echo_double\.(65536|4194304)(\.spread)?", 1.3),
    (r"shm\.calls\.16\.spread", 5),
    (r"shm\.idle_connection", 8),
    (r"ucx_\w+\.echo_double\.(131072|524288|4194304)(\.spread)?", 1.05),
    (r"ucx_\w+\.(noop|echo_double\.\d+)(\.spread)?", 1.15),
    (r"tls\.noop\.plain(\.spread)?", 1.25),
    (r"tls\.echo_double\.4194304\.plain(\.spread)?", 2),
    (r"simhandle\.noop\.strands", 1.03),
    (r"simhandle\.noop\.spread", 0.12),
    (r"simhandle\.noop", 1.05),
    (r"simhandle\.echo_double\.(1|16|128|1024)", 1.05),
    (r"simhandle\.echo_double\.(8192|65536)", 1.15),
    (r"simhandle\.echo_double\.(524288|4194304)", 1.0),
    (r"simhandle\.records\.65536(\.spread)?", 1.3),
    (r"simhandle\.particles\.1048576(\.spread)?", 1.05),
    (r"simhandle\.calls\.1", 0.95),
    (r"simhandle\.calls\.(16|64)", 1.2),
    (r"simhandle\.idle_connection", 4),
]


def target(name):
    """What a row should not exceed (calls per second: not fall below), or None."""
    for pattern, ratio in TARGETS:
        if re.fullmatch(pattern, name):
            return ratio
    return None
