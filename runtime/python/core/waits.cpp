// waits.cpp: waits in Python code of methods that run for a peer. Nested calls that come meanwhile
// are run by the waiting thread (sidl_standby).
#include <algorithm>

#include "core.hpp"
#include "sidl_process.h"

namespace sidl_python {
namespace {

// Between __enter__ and __exit__ its thread waits. Used with the GIL, which wait() releases.
class standby {
 public:
  standby() = default;
  standby(const standby&) = delete;
  standby& operator=(const standby&) = delete;
  ~standby() { end(); }

  // False if the thread runs no call of a peer, and may wait in any way.
  bool begin() {
    functions_ = sidl_standby_of_process();
    const released no_gil;
    if (functions_) wait_ = functions_->begin(0);
    return wait_ != nullptr;
  }

  // False if the call was given up by its caller.
  bool wait(double seconds) {
    const released no_gil;
    return functions_->wait(wait_, static_cast<int>(std::clamp(seconds * 1000, 0.0, 100.0))) != 0;
  }

  // Any thread, at any time.
  void wake() {
    if (wait_) functions_->wake(wait_);
  }

  void end() {
    if (void* const wait = std::exchange(wait_, nullptr)) {
      const released no_gil;
      functions_->end(wait);
    }
  }

 private:
  const struct sidl_standby* functions_ = nullptr;
  void* wait_ = nullptr;
};

}  // namespace

void init_waits(py::module_& module) {
  py::class_<standby>(module, "Standby")
      .def(py::init<>())
      .def("__enter__", &standby::begin)
      .def("wait", &standby::wait)
      .def("wake", &standby::wake)
      .def("__exit__", [](standby& self, const py::args&) { self.end(); });
}

}  // namespace sidl_python
