// The yardsticks of Python: the same class bound by hand with pybind11, and callbacks into Python,
// by hand and through SIDL.
#include <pybind11/pybind11.h>

#include "benchp.hxx"
#include "benchx.hxx"

namespace py = pybind11;

namespace {

// As in SIDL, another thread may run while C++ does.
using released = py::call_guard<py::gil_scoped_release>;

class Target {
 public:
  virtual ~Target() = default;
  virtual void noop() {}
  virtual int add(int a, int b) { return a + b; }
};

class Overridden : public Target {
 public:
  void noop() override { PYBIND11_OVERRIDE(void, Target, noop, ); }
  int add(int a, int b) override { PYBIND11_OVERRIDE(int, Target, add, a, b); }
};

// Each call takes the interpreter's lock, as it must when nobody knows whose thread it is.
void call_by_hand(Target& target, int64_t calls) {
  for (int64_t i = 0; i < calls; ++i) target.noop();
}

int add_by_hand(Target& target, int64_t calls) {
  int sum = 0;
  for (int64_t i = 0; i < calls; ++i) sum = target.add(sum, 1);
  return sum;
}

void call_sidl(int64_t calls) {
  benchp::Target target = benchp::Target::_create();
  for (int64_t i = 0; i < calls; ++i) target.noop();
}

int add_sidl(int64_t calls) {
  benchp::Target target = benchp::Target::_create();
  int sum = 0;
  for (int64_t i = 0; i < calls; ++i) sum = target.add(sum, 1);
  return sum;
}

// What a client in C++ takes for a call to another process.
class Remote {
 public:
  explicit Remote(const std::string& url) : target_(benchx::Target::_create(url)) {}
  void noop(int64_t calls) {
    for (int64_t i = 0; i < calls; ++i) target_.noop();
  }

 private:
  benchx::Target target_;
};

}  // namespace

PYBIND11_MODULE(by_hand, module) {
  py::class_<Target, Overridden>(module, "Target")
      .def(py::init<>())
      .def("noop", &Target::noop)
      .def("add", &Target::add)
      .def("noop_released", &Target::noop, released())
      .def("add_released", &Target::add, released());
  py::class_<Remote>(module, "Remote")
      .def(py::init<const std::string&>())
      .def("noop", &Remote::noop, released());
  module.def("call_by_hand", call_by_hand, released());
  module.def("add_by_hand", add_by_hand, released());
  module.def("call_sidl", call_sidl, released());
  module.def("add_sidl", add_sidl, released());
}
