// exceptions.cpp: conversion between SIDL and Python exceptions.
#include <algorithm>
#include <deque>
#include <memory>
#include <new>
#include <utility>

#include "core.hpp"
#include "sidl_LangSpecificException_IOR.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_RuntimeException_IOR.h"
#include "sidl_String.h"

namespace sidl_python {
namespace {

// An exception raised in Python, owned by the SIDL exception made from it while that passes through
// other languages. When it returns to Python, the original is raised again.
struct origin {
  PyObject* raised;   // null: dropped
  std::size_t known;  // of the trace, what the original has
};

// Limit of remembered originals, as each keeps frames and everything in them alive.
constexpr size_t kRemembered = 32;

// Origins with an original, oldest first. Guarded by the GIL.
std::deque<origin*>& remembering() {
  static auto* const all = new std::deque<origin*>;
  return *all;
}

void release_origin(void* data) {
  const entered python;
  if (!python.open()) return;  // Python has ended, and its memory is gone
  const py::error_scope pending;
  const std::unique_ptr<origin> own(static_cast<origin*>(data));
  auto& all = remembering();
  all.erase(std::remove(all.begin(), all.end(), own.get()), all.end());
  Py_XDECREF(own->raised);
}

struct sidl_BaseException__object* as_exception(void* ior) {
  return static_cast<struct sidl_BaseException__object*>(
      sidl_cast_borrowed(ior, &sidl_BaseException__info));
}

// Of one of this process.
std::string trace_of(void* ior) {
  struct sidl_BaseException__object* const exception = as_exception(ior);
  if (!exception) return "";
  struct sidl_BaseInterface__object* ex = nullptr;
  char* const text = exception->d_epv->f_getTrace(exception->d_object, &ex);
  const std::string result = text ? text : "";
  sidl_String_free(text);
  if (ex) drop(ex);
  return result;
}

void remember(struct sidl_BaseInterface__object* exception, PyObject* raised) {
  auto own = std::make_unique<origin>(origin{raised, trace_of(exception).size()});
  if (!sidl_exception_set_origin(exception, own.get(), release_origin)) return;
  Py_INCREF(raised);
  auto& all = remembering();
  all.push_back(own.release());
  if (all.size() <= kRemembered) return;
  origin* const oldest = all.front();
  all.pop_front();
  Py_DECREF(std::exchange(oldest->raised, nullptr));
}

// What the exception has passed through since Python raised it becomes notes of the original.
void add_notes(const py::object& raised, const std::string& trace) {
  constexpr std::size_t kNotes = 100;            // of one that is raised again and again
  if (!py::hasattr(raised, "add_note")) return;  // before Python 3.11
  if (py::len(py::getattr(raised, "__notes__", py::tuple())) > kNotes) return;
  for (const py::handle line : text_to_python(trace.c_str()).attr("splitlines")()) {
    if (py::len(line) > 0) raised.attr("add_note")(line);
  }
}

// The attribute of an exception that has been elsewhere: its trace, and the traceback it had then.
// Of an endless recursion each call passes it on, which must not format all of it anew.
constexpr char kTold[] = "_sidl_told";

uintptr_t identity(PyObject* object) {
  return reinterpret_cast<uintptr_t>(object);
}

// Called when it comes back.
void keep_told(const py::object& raised, const std::string& trace) {
  const auto calls = py::reinterpret_steal<py::object>(PyException_GetTraceback(raised.ptr()));
  const py::tuple told =
      py::make_tuple(text_to_python(trace.c_str()), py::int_(identity(calls.ptr())));
  if (PyObject_SetAttrString(raised.ptr(), kTold, told.ptr()) != 0) PyErr_Clear();
}

// The Python exception that `exception` was made from, if any.
py::object recall(struct sidl_BaseInterface__object* exception) {
  auto* const found = static_cast<origin*>(sidl_exception_origin(exception, release_origin));
  if (!found || !found->raised) return {};
  const auto raised = py::reinterpret_borrow<py::object>(found->raised);
  const std::string trace = trace_of(exception);
  if (trace.size() > found->known) {
    add_notes(raised, trace.substr(std::exchange(found->known, trace.size())));
  }
  keep_told(raised, trace);
  return raised;
}

void release(struct sidl_BaseInterface__object* ex) {
  if (ex) drop(ex);
}

void add_trace_line(struct sidl_BaseException__object* exception, const std::string& line) {
  struct sidl_BaseInterface__object* ex = nullptr;
  exception->d_epv->f_addLine(exception->d_object, line.c_str(), &ex);
  release(ex);
}

// What is known of a trace already, whose last line is ended by the one that adds it.
void add_trace_text(struct sidl_BaseException__object* exception, const std::string& trace) {
  add_trace_line(exception, trace.substr(0, trace.find_last_not_of('\n') + 1));
}

std::string place_of(const char* method) {
  return std::string("in ") + method + " (Python)";
}

// The innermost calls: an endless recursion through other languages has one more each time it gets
// here, and an exception that is raised again and again for each time.
constexpr int kCalls = 100;
// Of causes of causes.
constexpr int kCauses = 16;

// Text for others, whatever is in it.
std::string printable(py::handle text) {
  auto bytes = py::reinterpret_steal<py::object>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape"));
  if (!bytes) {
    PyErr_Clear();
    bytes = py::reinterpret_steal<py::object>(
        PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    if (!bytes) throw py::error_already_set();
  }
  std::string result = bytes.cast<std::string>();
  std::replace(result.begin(), result.end(), '\0', ' ');
  return result;
}

void add_lines(struct sidl_BaseException__object* exception, const py::object& texts) {
  for (const py::handle line : py::str("").attr("join")(texts).attr("splitlines")()) {
    add_trace_line(exception, printable(line));
  }
}

py::object trace_or_none(py::error_already_set& error) {
  return error.trace() ? error.trace() : py::object(py::none());
}

PyObject* inner_of(PyObject* trace) {
  return reinterpret_cast<PyObject*>(reinterpret_cast<PyTracebackObject*>(trace)->tb_next);
}

bool is_traceback(PyObject* trace) {
  return trace && PyTraceBack_Check(trace);
}

// The number of calls in front of the one that a traceback began with, or less than 0.
int calls_before(const py::object& trace, uintptr_t begin) {
  int count = 0;
  for (PyObject* at = trace.ptr(); is_traceback(at); at = inner_of(at), ++count) {
    if (identity(at) == begin) return count;
  }
  return -1;
}

// The innermost calls of a traceback.
py::object innermost(const py::object& trace) {
  int left = -kCalls;
  for (PyObject* at = trace.ptr(); is_traceback(at); at = inner_of(at)) ++left;
  PyObject* from = trace.ptr();
  for (; left > 0; --left) from = inner_of(from);
  return py::reinterpret_borrow<py::object>(from);
}

// Of one that has been elsewhere: what was known when it came back, and the calls since then. False
// if it has not, or its traceback is another one now.
bool add_continued(struct sidl_BaseException__object* exception, py::error_already_set& error,
                   const char* method) {
  static imported format_calls("traceback", "format_tb");
  constexpr std::size_t kLong = std::size_t{32} << 10;  // the innermost calls are told by then
  const py::object told = py::getattr(error.value(), kTold, py::none());
  if (!py::isinstance<py::tuple>(told) || py::len(told) != 2) return false;
  const py::sequence parts(told);
  const int count = calls_before(trace_or_none(error), parts[1].cast<uintptr_t>());
  if (count < 0) return false;
  const std::string trace = text_of_python(parts[0]);
  add_trace_text(exception, trace);
  if (trace.size() > kLong) return true;
  if (count > 0) add_lines(exception, format_calls(trace_or_none(error), std::min(count, kCalls)));
  add_trace_line(exception, place_of(method));
  return true;
}

py::object cause_of(const py::object& raised) {
  const bool is_chained = !raised.attr("__suppress_context__").cast<bool>();
  return raised.attr(is_chained ? "__context__" : "__cause__");
}

// What those of SIDL among the causes know of other languages and processes.
void add_traces_of_causes(struct sidl_BaseException__object* exception, const py::object& raised) {
  py::object cause = cause_of(raised);
  for (int i = 0; i < kCauses && !cause.is_none(); ++i, cause = cause_of(cause)) {
    const handle* const found = handle_of(cause.ptr());
    if (!found || !found->ior || sidl_is_remote(found->ior)) continue;
    const std::string trace = trace_of(found->ior);
    if (trace.empty()) continue;
    const py::object type = py::type::of(cause);
    const py::str name = py::str("{}.{}").format(type.attr("__module__"), type.attr("__name__"));
    add_trace_line(exception, "the trace of " + printable(name) + ":");
    add_trace_text(exception, trace);
  }
}

void add_traceback(struct sidl_BaseException__object* exception, py::error_already_set& error,
                   const char* method) {
  static imported format("traceback", "format_exception");
  static imported format_calls("traceback", "format_tb");
  if (add_continued(exception, error, method)) return;
  const py::object calls = innermost(trace_or_none(error));
  try {
    add_lines(exception, format(error.type(), error.value(), calls, -kCalls));
    add_traces_of_causes(exception, error.value());
  } catch (py::error_already_set&) {  // its text or its cause
    add_lines(exception, format_calls(calls));
    add_trace_line(exception, place_of(method));
  }
}

// Why one of SIDL's was raised.
void add_reasons(struct sidl_BaseException__object* exception, const py::object& raised) {
  static imported format("traceback", "format_exception");
  for (const py::handle note : py::getattr(raised, "__notes__", py::tuple())) {
    add_trace_line(exception, printable(py::str(note)));
  }
  const py::object cause = cause_of(raised);
  if (cause.is_none()) return;
  add_trace_line(exception, "caused by:");
  add_lines(exception, format(py::type::of(cause), cause, cause.attr("__traceback__"), -kCalls));
  add_traces_of_causes(exception, raised);
}

// Of one of SIDL's, whose class and note are known: the calls in Python that it left, and why; of
// one that has been here before, the calls since then.
void add_calls(struct sidl_BaseException__object* exception, py::error_already_set& error) {
  static imported format_calls("traceback", "format_tb");
  const py::object raised = error.value();
  const py::object trace = trace_or_none(error);
  const py::object told = py::getattr(raised, kTold, py::none());
  const int since =
      py::isinstance<py::int_>(told) ? calls_before(trace, told.cast<uintptr_t>()) : -1;
  if (since < 0) {
    add_lines(exception, format_calls(innermost(trace)));
    add_reasons(exception, raised);
  } else if (since > 0) {
    add_lines(exception, format_calls(trace, std::min(since, kCalls)));
  }
  const py::int_ begin(identity(trace.ptr()));
  if (PyObject_SetAttrString(raised.ptr(), kTold, begin.ptr()) != 0) PyErr_Clear();
}

// Adds what Python knows to the trace, or at least the method: formatting needs Python code, for
// which the stack may be too deep.
template <class Add>
void add_trace(void* ior, const char* method, const Add& add) {
  struct sidl_BaseException__object* const exception = as_exception(ior);
  if (!exception) return;
  try {
    add(exception);
  } catch (py::error_already_set&) {
    add_trace_line(exception, place_of(method));
  }
}

const struct sidl_type_info* kind_of(py::error_already_set& error) {
  if (error.matches(PyExc_MemoryError)) return &sidl_MemAllocException__info;
  if (error.matches(PyExc_NotImplementedError)) return &sidl_NotImplementedException__info;
  return &sidl_LangSpecificException__info;
}

// The only argument of an exception if it is a string, else "": read without a call.
std::string argument_of(py::handle raised) {
  if (!PyExceptionInstance_Check(raised.ptr())) return "";
  PyObject* const args = reinterpret_cast<PyBaseExceptionObject*>(raised.ptr())->args;
  if (!args || PyTuple_GET_SIZE(args) != 1 || !PyUnicode_Check(PyTuple_GET_ITEM(args, 0)))
    return "";
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(args, 0), &size);
  if (text) return std::string(text, static_cast<std::size_t>(size));
  PyErr_Clear();
  return "";
}

// The text of an exception whose __str__ may fail, not only as the stack is too deep for it.
std::string message_of(py::handle raised) {
  try {
    return printable(py::str(raised));
  } catch (py::error_already_set&) {
    return argument_of(raised);
  }
}

std::string text_of(py::error_already_set& error) {
  const std::string name = reinterpret_cast<PyTypeObject*>(error.type().ptr())->tp_name;
  const std::string type = name.substr(name.rfind('.') + 1);  // as __name__
  const std::string text = message_of(error.value());
  return text.empty() ? type : type + ": " + text;
}

// Called with the GIL, which it releases: see without_lock.
struct sidl_BaseInterface__object* make_exception_apart(const struct sidl_type_info* type,
                                                        const std::string& note) {
  const released no_gil;
  return make_exception(type, note.c_str());
}

struct sidl_BaseInterface__object* convert(py::error_already_set& error, const char* method,
                                           bool owns) {
  if (const handle* const raised = handle_of(error.value().ptr()); raised && raised->ior) {
    add_ref(raised->ior);
    add_trace(raised->ior, method, [&](struct sidl_BaseException__object* exception) {
      add_calls(exception, error);
      add_trace_line(exception, place_of(method));
    });
    return static_cast<struct sidl_BaseInterface__object*>(raised->ior);
  }
  if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
  struct sidl_BaseInterface__object* const made =
      make_exception_apart(kind_of(error), text_of(error));
  add_trace(made, method, [&](struct sidl_BaseException__object* exception) {
    add_traceback(exception, error, method);
  });
  if (owns) remember(made, error.value().ptr());
  return made;
}

}  // namespace

std::string note_of(void* exception) {
  struct sidl_BaseException__object* const it = as_exception(exception);
  if (!it) return "";
  const retained while_asked(exception);
  struct sidl_BaseInterface__object* ex = nullptr;
  char* text = nullptr;
  {
    const released no_gil;  // it may be remote
    text = it->d_epv->f_getNote(it->d_object, &ex);
  }
  const std::string result = text ? text : "";
  sidl_String_free(text);
  release(ex);
  return result;
}

struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                  const char* note) {
  struct sidl_BaseInterface__object* failure = nullptr;
  void* const made = sidl_create(type, &failure);
  if (!made) return failure;
  struct sidl_BaseException__object* const exception = as_exception(made);
  exception->d_epv->f_setNote(exception->d_object, note, &failure);
  if (failure) failure->d_epv->f_deleteRef(failure->d_object, &failure);
  return static_cast<struct sidl_BaseInterface__object*>(made);
}

void throw_sidl(struct sidl_BaseInterface__object* ex) {
  if (restore_interrupt()) {
    drop(ex);
    throw py::error_already_set();
  }
  if (const py::object raised = recall(ex)) {
    drop(ex);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
    throw py::error_already_set();
  }
  void* const exception = sidl_cast_over(ex, &sidl_BaseException__info);
  if (!exception) {
    PyErr_SetString(PyExc_RuntimeError,
                    "a method threw an object that is not a sidl.BaseException");
    throw py::error_already_set();
  }
  const std::string note = note_of(exception);
  const py::object instance = wrap(exception, &sidl_BaseException__info);
  instance.attr("args") = py::make_tuple(text_to_python(note.c_str()));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(instance.ptr())), instance.ptr());
  throw py::error_already_set();
}

void require_levels() {
  constexpr int kWanted = 4;  // a call, an exception being made, its text, that of its argument
  int found = 0;
  while (found < kWanted && Py_EnterRecursiveCall(" in a call between languages") == 0) ++found;
  for (int i = 0; i < found; ++i) Py_LeaveRecursiveCall();
  if (found < kWanted) throw py::error_already_set();
}

PyObject* raise(struct sidl_BaseInterface__object* ex) {
  try {
    throw_sidl(ex);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_SystemError, error.what());
  }
  return nullptr;
}

void restore_exception() noexcept {
  try {
    throw;
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_SystemError, error.what());
  }
}

struct sidl_BaseInterface__object* to_sidl(py::error_already_set& error, const char* method,
                                           bool owns) {
  try {
    return convert(error, method, owns);
  } catch (py::error_already_set&) {  // what() needs Python, and that is what has just failed
    return make_exception_apart(&sidl_LangSpecificException__info, text_of(error));
  } catch (const std::exception& failure) {
    return make_exception_apart(&sidl_LangSpecificException__info, failure.what());
  }
}

}  // namespace sidl_python
