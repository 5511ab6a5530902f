// interrupts.cpp: Python signal handlers, such as Ctrl-C, while the main thread waits for a peer.
//
// Handlers run only between Python instructions, so a waiting thread must call them regularly
// (sidl_interruption). If a handler raises an exception, that is kept and the call cancelled; on
// return to Python the call's SIDL exception is replaced by it.
#include <atomic>

#include "core.hpp"
#include "sidl_process.h"

namespace sidl_python {
namespace {

std::atomic<unsigned long> main_thread{0};  // Python's thread identifier

// The exception raised by a handler; used by the main thread, with the GIL.
PyObject* raised = nullptr;

int concerns_thread() {
  return PyThread_get_thread_ident() == main_thread.load(std::memory_order_relaxed);
}

// Raises it later if the SIDL exception was swallowed on its way to Python.
int raise_at_last(void*) {
  if (!raised) return 0;
  PyObject* const value = std::exchange(raised, nullptr);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(value)), value);
  Py_DECREF(value);
  return -1;
}

void keep(PyObject* value) {
  Py_XDECREF(std::exchange(raised, value));
  Py_AddPendingCall(raise_at_last, nullptr);
}

// In a program in another language the waiting call may have no Python code below it to interrupt.
int wants_out() {
  const entered python;
  if (!python.open() || !PyEval_GetFrame()) return 0;
  const py::error_scope pending;
  // Until Python has got the exception, calls around the cancelled one are cancelled, too.
  if (PyErr_CheckSignals() == 0) return raised != nullptr;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace) PyException_SetTraceback(value, trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  keep(value);
  return 1;
}

// The thread that forked is the only one.
void begin_as_child() {
  main_thread = PyThread_get_thread_ident();
}

}  // namespace

bool restore_interrupt() {
  if (!raised || !concerns_thread()) return false;
  return raise_at_last(nullptr) != 0;
}

bool is_interrupt(py::error_already_set& error) {
  return error.matches(PyExc_KeyboardInterrupt) && concerns_thread() && PyEval_GetFrame();
}

void pass_interrupt_on(py::error_already_set& error) {
  keep(new_reference(error.value().ptr()));
}

void init_interrupts() {
  static const struct sidl_interruption interruption = {concerns_thread, wants_out};
  static sidl_fork_handler handler{sidl_fork_table, nullptr, nullptr, begin_as_child, nullptr};
  static const bool registered = (sidl_at_fork(&handler), true);
  (void)registered;
  const py::object thread = import_module("threading").attr("main_thread")();
  main_thread = thread.attr("ident").cast<unsigned long>();
  sidl_set_interruption(&interruption);
}

}  // namespace sidl_python
