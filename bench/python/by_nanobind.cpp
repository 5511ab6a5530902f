// The yardstick of calls from Python: the same class bound by hand with nanobind.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace {

// As in SIDL, another thread may run while C++ does.
using released = nb::call_guard<nb::gil_scoped_release>;

class Target {
 public:
  virtual ~Target() = default;
  virtual void noop() {}
  virtual int add(int a, int b) { return a + b; }
};

}  // namespace

NB_MODULE(by_nanobind, module) {
  nb::class_<Target>(module, "Target")
      .def(nb::init<>())
      .def("noop", &Target::noop)
      .def("add", &Target::add)
      .def("noop_released", &Target::noop, released())
      .def("add_released", &Target::add, released());
}
