"""The languages of the matrix. A new one is a module with a class derived from Language, and a line
in `all_languages`: it gets its cells with every other one."""

import abc
import importlib

NAMES = ["c", "cxx", "fortran", "f77", "python", "java"]


class Language(abc.ABC):
    """How a language writes down the suite: a program that makes the calls, and implementations."""

    name = ""  # of files and targets
    title = ""  # in tables
    sidlc = ""  # for sidlc --server=
    serves = True  # whether classes are implemented in it
    classes = ""  # where callers in it have their own objects from: a language; "" is this one

    def __init__(self, suite):
        self.suite = suite

    @abc.abstractmethod
    def program(self):
        """The files of the program that calls, as {name: text}. It is run with no argument, or with
        the URL of the server where its objects live, and prints "group<TAB>case<TAB>ok" or a
        complaint for each case."""

    @abc.abstractmethod
    def bodies(self):
        """What belongs between splicer marks, as {name: text}."""

    def cannot_call(self, case):
        """Why a case cannot pass when this language calls, by its own rules; "" if it has to."""
        return ""

    def cannot_serve(self, case):
        """As cannot_call, when the implementation is in this language."""
        return ""

    def support(self):
        """More files for the Impl files, as {name: text}."""
        return {}

    @abc.abstractmethod
    def client_project(self):
        """CMake: the program, from the files beside it and ../../mx.sidl."""

    def server_project(self):
        """CMake: the library libmx_<name>.so of the implementations in the folder impl."""
        return (
            f"sidl_add_library(mx_{self.name} LANGUAGE {self.sidlc} SERVER SIDL ../../mx.sidl\n"
            "                 IMPL_DIR impl)\n"
        )

    def command(self, built):
        """How the program is started; `built` is the folder of builds, <name>/client and
        <name>/server in it."""
        return [built / self.name / "client" / f"mx_from_{self.name}"]

    def environment(self, built, implementation):
        """Variables for the program when classes are those of the language `implementation`."""
        return {"SIDL_DLL_PATH": str(built / implementation / "server")}


def all_languages(suite):
    """One of each."""
    return [importlib.import_module(f"languages.{name}").LANGUAGE(suite) for name in NAMES]
