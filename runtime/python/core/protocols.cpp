// protocols.cpp: sidl_protocol.h for protocols written in Python; see shinar/protocol.py.
#include <cstdlib>
#include <memory>

#include "core.hpp"
#include "sidl_String.h"
#include "sidl_io_Serializable_IOR.h"
#include "sidl_protocol.h"
#include "sidl_rmi_Call_IOR.h"
#include "sidl_rmi_InstanceHandle_IOR.h"
#include "sidl_rmi_Return_IOR.h"

namespace sidl_python {
namespace {

// An argument as `type`, during a call.
template <class Object>
class view_as {
 public:
  view_as(const py::object& object, const struct sidl_type_info* type)
      : object_(object.ptr(), "the argument"),
        view_(static_cast<Object*>(sidl_cast_borrowed(object_.ior(), type))) {
    if (!view_) throw py::type_error(std::string("the argument must be ") + type->name);
  }
  Object* get() const { return view_; }

 private:
  borrowed object_;
  Object* view_;
};

struct any_view : view_as<void> {
  explicit any_view(const py::object& object) : view_as(object, &sidl_BaseInterface__info) {}
};

py::object handle_behind(const py::object& object) {
  const any_view it(object);
  return wrap_borrowed(sidl_proxy_handle(it.get()), &sidl_rmi_InstanceHandle__info);
}

py::object make_proxy(const py::object& of) {
  const view_as<struct sidl_rmi_InstanceHandle__object> behind(of, &sidl_rmi_InstanceHandle__info);
  void* const proxy =
      without_lock([&](exception_slot ex) { return sidl_proxy_create(behind.get(), nullptr, ex); });
  return wrap(proxy, &sidl_BaseInterface__info);
}

py::list class_names(const py::object& object) {
  const any_view it(object);
  const std::unique_ptr<const char*[], void (*)(void*)> chain(sidl_class_chain(it.get()),
                                                              std::free);
  if (!chain) throw std::bad_alloc();
  py::list names;
  for (const char* const* name = chain.get(); *name; ++name) names.append(py::str(*name));
  return names;
}

void dispatch(const py::object& object, const std::string& method, int64_t digest,
              const py::object& call, const py::object& ret) {
  const any_view target(object);
  const view_as<struct sidl_rmi_Call__object> incoming(call, &sidl_rmi_Call__info);
  const view_as<struct sidl_rmi_Return__object> outgoing(ret, &sidl_rmi_Return__info);
  struct sidl_BaseInterface__object* ex = nullptr;
  {
    const released no_gil;
    sidl_rmi_dispatch(target.get(), method.c_str(), static_cast<uint64_t>(digest), incoming.get(),
                      outgoing.get(), &ex);
  }
  check(ex);
}

py::object value_by_name(const std::string& name) {
  struct sidl_BaseInterface__object* ex = nullptr;
  void* value = nullptr;
  {
    const released no_gil;
    value = sidl_value_by_name(name.c_str(), &ex);
  }
  check(ex);
  return wrap(value, &sidl_io_Serializable__info);
}

std::string lend(const py::object& object) {
  const any_view target(object);
  struct sidl_BaseInterface__object* ex = nullptr;
  char* id = nullptr;
  {
    const released no_gil;
    id = sidl_rmi_lend(target.get(), &ex);
  }
  check(ex);
  const std::string result = id;
  sidl_String_free(id);
  return result;
}

void take_back(const std::string& id, int64_t count) {
  const released no_gil;  // destructors may run
  sidl_rmi_take_back(id.c_str(), count);
}

int64_t deadline_of_request() {
  struct sidl_BaseInterface__object* ex = nullptr;
  const int64_t milliseconds = sidl_deadline_of_request(&ex);
  check(ex);
  return milliseconds;
}

}  // namespace

void init_protocols(py::module_& module) {
  module.def("handle_behind", handle_behind);
  module.def("make_proxy", make_proxy);
  module.def("class_names", class_names);
  module.def("dispatch", dispatch);
  module.def("value_by_name", value_by_name);
  module.def("lend", lend);
  module.def("take_back", take_back);
  module.def("deadline_of_request", deadline_of_request);
  module.def("deadline_inherit", sidl_deadline_inherit);
  module.def("deadline_restore", sidl_deadline_restore);
}

}  // namespace sidl_python
