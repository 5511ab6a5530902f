// callbacks.cpp: classes implemented in Python.
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core.hpp"
#include "sidl_LangSpecificException_IOR.h"
#include "sidl_process.h"

namespace sidl_python {
namespace {

// Number of outside threads in Python; the following say whether more may enter.
std::atomic<int> inside{0};
std::atomic<int> returning{0};  // Python threads that want to reacquire the GIL
std::atomic<bool> closing{false};
std::atomic<std::thread::id> closer{};  // the thread that finalises Python
std::atomic<bool> releasing{false};     // it is clearing variables
std::atomic<bool> stays{false};         // the interpreter stays alive: threads in it may continue

thread_local int depth = 0;  // nesting of this thread's entries

// Held while a thread is registered with Python, which takes an internal lock without the GIL,
// whose state a forked child inherits (before Python 3.12).
std::mutex introduction;

// Registers the calling thread with Python; false if it was known already.
bool introduce() {
  if (PyGILState_GetThisThreadState()) return false;
  const std::lock_guard lock(introduction);
  PyThreadState_New(PyInterpreterState_Main());
  return true;
}

void before_fork() {
  introduction.lock();
}

void in_parent() {
  introduction.unlock();
}

// Of the threads inside, only the forking one exists in the child.
void in_child() {
  introduction.unlock();
  inside = depth > 0 ? 1 : 0;
  returning = 0;
}

void await_calls() {
  const released no_gil;
  for (int i = 0; i < 500 && inside.load() + returning.load() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

// Runs at the end of Python: waits for calls in progress and admits no more. A thread that wants
// the GIL of an ending interpreter would hang or be ended.
void close_python() {
  closer = std::this_thread::get_id();
  closing = true;
  await_calls();
  const char* const report = std::getenv("SIDL_REPORT_LEAKS");
  if (!report || std::strcmp(report, "1") != 0) return;
  releasing = true;  // the objects may be implemented in Python, and the GIL is released while each
                     // is destroyed
  import_module("shinar._leaks").attr("release_variables")();
  releasing = false;
}

// The extension module of each implementation, kept for good.
std::unordered_map<const implementation*, PyObject*>& extension_modules() {
  static auto* const all = new std::unordered_map<const implementation*, PyObject*>;
  return *all;
}

PyObject* import_class(implementation& in) {
  const loading forks_wait;
  const py::handle server = extension_modules().at(&in);
  return import_module("shinar._embedded")
      .attr("implementation")(server, in.module, in.name)
      .release()
      .ptr();
}

PyObject* class_of(implementation& in) {
  if (in.python) return in.python;
  PyObject* const found = import_class(in);
  if (in.python) {  // set by another thread meanwhile
    Py_DECREF(found);
  } else {
    in.python = found;
  }
  return in.python;
}

// The classes implemented in Python. Never destroyed: objects may outlive Python.
std::unordered_map<const struct sidl_class*, const implementation*>& implementations() {
  static auto* const all = new std::unordered_map<const struct sidl_class*, const implementation*>;
  return *all;
}

bool wants_layout(const struct sidl_type_ref& type) {
  return type.kind == sidl_kind_array && type.dimension != 0;
}

bool wants_layout(const struct sidl_method_info& method) {
  bool wanted = wants_layout(method.result);
  for (int32_t i = 0; i < method.arg_count; ++i) {
    wanted = wanted || wants_layout(method.args[i].type);
  }
  return wanted;
}

const char* enumeration(const method& description, int32_t i) {
  return description.enums ? description.enums[i] : nullptr;
}

// What a method is called of, and its in and inout arguments behind it.
py::tuple call_of(const method& description, py::handle target, void* const* args) {
  const struct sidl_method_info& info = *description.info;
  size_t next = 1;
  for (int32_t i = 0; i < info.arg_count; ++i) next += info.args[i].mode != sidl_mode_out;
  py::tuple all(next);
  all[0] = target;
  next = 1;
  for (int32_t i = 0; i < info.arg_count; ++i) {
    const struct sidl_arg_info& argument = info.args[i];
    if (argument.mode == sidl_mode_out) continue;
    all[next++] = copy(argument.type, enumeration(description, i), args[i]);
  }
  return all;
}

// Without a tuple of the arguments alone, and a method bound to its object.
py::object call_by_name(PyObject* name, const py::tuple& call) {
  const auto given = py::reinterpret_steal<py::object>(
      PyObject_VectorcallMethod(name, PySequence_Fast_ITEMS(call.ptr()), call.size(), nullptr));
  if (!given) throw py::error_already_set();
  return given;
}

// The results of a Python method, value by value; out and inout arguments are written last, when
// nothing can fail any more.
class answer {
 public:
  answer(const method& description, py::object given)
      : description_(description), info_(*description.info), given_(std::move(given)) {
    if (info_.result.kind != sidl_kind_void) ++wanted_;
    for (int32_t i = 0; i < info_.arg_count; ++i) wanted_ += info_.args[i].mode != sidl_mode_in;
    if (wanted_ > 1) check_number();
    items_.reserve(static_cast<size_t>(wanted_));
  }

  ~answer() {
    for (item& each : items_) {
      if (each.loaded) destroy(*each.type, each.data());
    }
  }

  answer(const answer&) = delete;
  answer& operator=(const answer&) = delete;

  // All arguments of the method and its result, of whose in and inout arguments `call` is.
  py::tuple with(const py::tuple& call) const {
    py::list all;
    const bool has_result = info_.result.kind != sidl_kind_void;
    std::size_t given = 1;
    int next = has_result ? 1 : 0;
    for (int32_t i = 0; i < info_.arg_count; ++i) {
      const auto mode = info_.args[i].mode;
      all.append(mode == sidl_mode_in ? py::object(call[given]) : value(next++));
      if (mode != sidl_mode_out) ++given;
    }
    if (has_result) all.append(value(0));
    return py::tuple(all);
  }

  void write(void* const* args, void* result) {
    int next = 0;
    if (result) accept(value(next++), info_.arg_count, info_.result, result);
    for (int32_t i = 0; i < info_.arg_count; ++i) {
      if (info_.args[i].mode != sidl_mode_in) {
        accept(value(next++), i, info_.args[i].type, args[i]);
      }
    }
    for (item& each : items_) each.replace();
    for (item& each : items_) each.move();
  }

 private:
  struct item {
    const struct sidl_type_ref* type;
    void* to;
    bool is_inout;
    bool loaded = true;
    size_t size = size_of(*type);
    // Most values need no memory of their own.
    alignas(std::max_align_t) std::array<char, 16> small{};
    std::vector<char> large = std::vector<char>(size > small.size() ? size : 0);

    void* data() { return large.empty() ? small.data() : large.data(); }
    // Raw arrays of an inout struct are the caller's memory, and may be too short for the new
    // elements.
    void replace() {
      if (!is_inout || type->kind != sidl_kind_struct) return;
      struct sidl_BaseInterface__object* ex = nullptr;
      sidl_struct_replace(type->structure, data(), to, &ex);
      check(ex);
      loaded = false;
    }
    void move() {
      if (!loaded) return;
      destroy(*type, to);
      std::memcpy(to, data(), size);
      loaded = false;
    }
  };

  void check_number() const {
    const bool fits = py::isinstance<py::tuple>(given_) || py::isinstance<py::list>(given_);
    if (fits && py::len(given_) == static_cast<size_t>(wanted_)) return;
    throw py::type_error(std::string(description_.type->name) + "." + description_.name +
                         " must return " + std::to_string(wanted_) + " values (" + wanted_names() +
                         "), not " + what_came(fits));
  }

  std::string wanted_names() const {
    std::string names = info_.result.kind == sidl_kind_void ? "" : "the result";
    for (int i = 0; i < info_.arg_count; ++i) {
      if (info_.args[i].mode == sidl_mode_in) continue;
      names += (names.empty() ? "'" : ", '") + std::string(info_.args[i].name) + "'";
    }
    return names;
  }

  std::string what_came(bool is_sequence) const {
    if (is_sequence) return std::to_string(py::len(given_));
    return "an object of type " + std::string(Py_TYPE(given_.ptr())->tp_name);
  }

  // Of what the method returned.
  py::object value(int i) const {
    if (wanted_ == 1) return given_;
    auto found = py::reinterpret_steal<py::object>(PySequence_GetItem(given_.ptr(), i));
    if (!found) throw py::error_already_set();
    return found;
  }

  void accept(const py::object& object, int32_t i, const struct sidl_type_ref& type, void* to) {
    const bool is_result = i == info_.arg_count;
    const char* const name = is_result ? nullptr : info_.args[i].name;
    const bool is_inout = !is_result && info_.args[i].mode == sidl_mode_inout;
    const place where = {description_.type, description_.info, name};
    const bool is_raw = type.kind == sidl_kind_array && (type.flags & sidl_ref_raw) != 0;
    if (is_raw && object.is_none() && *static_cast<void**>(to)) {
      throw py::type_error(where.text() +
                           " is a raw array, which the caller keeps: it must be "
                           "returned, changed or not, instead of None");
    }
    items_.push_back({&type, to, is_inout});
    load(object, type, enumeration(description_, i), items_.back().data(), false, where);
  }

  const method& description_;
  const struct sidl_method_info& info_;
  const py::object given_;
  int wanted_ = 0;
  std::vector<item> items_;
};

void zero(const struct sidl_method_info& info, void* const* args, void* result) {
  if (result) std::memset(result, 0, size_of(info.result));
  for (int32_t i = 0; i < info.arg_count; ++i) {
    if (info.args[i].mode == sidl_mode_out) std::memset(args[i], 0, size_of(info.args[i].type));
  }
}

// Runs `body` in Python; errors become an exception in *ex.
template <class Body>
void in_python(const char* what, exception_slot ex, const Body& body) noexcept {
  const entered python;
  if (!python.open()) {
    *ex = make_exception(&sidl_LangSpecificException__info, "Python has ended in this process");
    return;
  }
  try {
    try {
      require_levels();
      body();
    } catch (const py::builtin_exception& error) {
      error.set_error();
      throw py::error_already_set();
    }
  } catch (py::error_already_set& error) {
    const bool goes_on = is_interrupt(error);
    *ex = to_sidl(error, what, !goes_on);
    if (goes_on) pass_interrupt_on(error);  // last: the next Python code raises it
  } catch (const std::exception& error) {
    *ex = make_exception(&sidl_LangSpecificException__info, error.what());
  }
}

}  // namespace

PyObject*& python_of(const struct sidl_type_info* info, void* self) {
  return *reinterpret_cast<PyObject**>(static_cast<char*>(self) + info->data_offset);
}

void run_in_python(const char* what, exception_slot ex,
                   const std::function<void()>& body) noexcept {
  in_python(what, ex, body);
}

void reenter(PyThreadState* state) {
  ++returning;  // before `closing` is read: close_python accesses them in the opposite order
  if (closing.load() && !stays.load() && closer.load() != std::this_thread::get_id()) {
    --returning;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  PyEval_RestoreThread(state);
  --returning;
}

entered::entered() : open_(false) {
  if (depth++ == 0) ++inside;
  const bool is_at_work = releasing.load() && closer.load() == std::this_thread::get_id();
  if (!closing.load() || PyGILState_Check() || is_at_work) {
    open_ = Py_IsInitialized() != 0;
  }
  if (!open_) return;
  is_new_ = introduce();
  state_ = PyGILState_Ensure();
}

entered::~entered() {
  if (is_new_)
    PyGILState_Release(PyGILState_LOCKED);  // the state of Ensure; then that of introduce()
  if (open_) PyGILState_Release(state_);
  if (--depth == 0) --inside;
}

void init_callbacks(py::module_& module) {
  static sidl_fork_handler handler{sidl_fork_table, before_fork, in_parent, in_child, nullptr};
  static const bool registered = (sidl_at_fork(&handler), true);
  (void)registered;
  module.def("close", close_python);
  module.def("stay", [] { stays = true; });
  import_module("atexit").attr("register")(module.attr("close"));
}

bool define_class(PyObject* module, implementation& description, method* const* methods) {
  const struct sidl_type_info* const pythons = public_info(description.info);
  if (!pythons) {
    PyErr_Format(PyExc_ImportError,
                 "%s is implemented here, but Python's package of this name does not contain it: "
                 "another package has the same name",
                 description.info->name);
    return false;
  }
  if (pythons->layout != description.info->layout) {
    PyErr_Format(
        PyExc_ImportError,
        "%s is implemented here, but Python's class %s is from a package that was generated "
        "from different SIDL files: a process can have only one Python package of a given name; "
        "run the "
        "implementation in its own process (sidl serve)",
        description.info->name, description.info->name);
    return false;
  }
  description.methods = methods;
  extension_modules()[&description] = new_reference(module);
  implementations()[description.description] = &description;
  for (method* const* each = methods; *each; ++each) resolve(**each, description.info);
  add_packing(description);
  PyObject* const capsule = PyCapsule_New(description.description, kClassCapsule, nullptr);
  if (!capsule) return false;
  const std::string name = "class_" + python_name(description.info->name);
  const int status = PyObject_SetAttrString(module, name.c_str(), capsule);
  Py_DECREF(capsule);
  return status == 0;
}

py::object implementation_of(const py::object& object) {
  const handle* const given = handle_of(object.ptr());
  if (!given || !given->ior || sidl_is_remote(given->ior)) return py::none();
  auto* const it = static_cast<struct sidl_object*>(
      static_cast<struct sidl_facet_object*>(given->ior)->d_object);
  const auto found = implementations().find(it->d_class);
  if (found == implementations().end()) return py::none();
  PyObject* const python = python_of(found->second->info, it);
  return python ? py::reinterpret_borrow<py::object>(python) : py::object(py::none());
}

namespace {

// An implementation may outlive its object.
void forget_object(const py::object& python) {
  if (Py_REFCNT(python.ptr()) > 1 && py::hasattr(python, "_sidl_object")) {
    python.attr("_sidl_object") = 0;
  }
}

}  // namespace

void construct(implementation& in, void* self, void* data, exception_slot ex) {
  *ex = nullptr;
  in_python(in.info->name, ex, [&] {
    if (data) {
      python_of(in.info, self) = new_reference(static_cast<PyObject*>(data));
      return;
    }
    const auto python_class = py::reinterpret_borrow<py::object>(class_of(in));
    const py::object made = python_class.attr("__new__")(python_class);
    made.attr("_sidl_object") = reinterpret_cast<uintptr_t>(self);
    made.attr("_sidl_type") = in.info->name;
    python_of(in.info, self) = made.ptr();  // __init__ may call methods
    try {
      made.attr("__init__")();
    } catch (...) {
      python_of(in.info, self) = nullptr;
      forget_object(made);
      throw;
    }
    made.inc_ref();
  });
}

void destruct(implementation& in, void* self, exception_slot ex) {
  *ex = nullptr;
  const entered entry;
  PyObject*& python = python_of(in.info, self);
  if (!python || !entry.open()) {  // Python has ended, and its memory is gone
    python = nullptr;
    return;
  }
  const auto owned = py::reinterpret_steal<py::object>(python);
  in_python(in.info->name, ex, [&] {
    if (py::hasattr(owned, "_dtor")) owned.attr("_dtor")();
  });
  python = nullptr;  // not earlier: the destructor may call methods
  struct sidl_BaseInterface__object* lost = nullptr;
  in_python(in.info->name, &lost, [&] { forget_object(owned); });
  if (lost) drop(lost);
}

namespace {

// The hook `name` + `suffix` of an Impl; none if its file was made without hooks.
py::object hook_of(const py::object& target, const char* name, const char* suffix) {
  return py::getattr(target, (std::string(name) + suffix).c_str(), py::none());
}

// Calls the hook with the values behind the first `left`.
void call_hook(const py::object& hook, const py::tuple& values, Py_ssize_t left) {
  if (hook.is_none()) return;
  const auto given = py::reinterpret_steal<py::object>(
      PyTuple_GetSlice(values.ptr(), left, static_cast<Py_ssize_t>(values.size())));
  const auto nothing =
      py::reinterpret_steal<py::object>(PyObject_CallObject(hook.ptr(), given.ptr()));
  if (!nothing) throw py::error_already_set();
}

// Calls the method of the object returned by `find`, in Python.
template <class Find>
void call_method(const struct sidl_method_info& info, const char* name, const Find& find,
                 bool has_hooks, void* const* args, void* result, exception_slot ex) {
  *ex = nullptr;
  zero(info, args, result);
  const bool has_layout = wants_layout(info);
  if (has_layout && !sidl_skel_enter(&info, args, ex)) return;
  in_python(name, ex, [&] {
    const auto [description, target] = find();
    const py::tuple call = call_of(*description, target, args);
    if (has_hooks) call_hook(hook_of(target, description->name, "_pre"), call, 1);
    answer results(*description, call_by_name(description->interned, call));
    if (has_hooks) {
      const py::object hook = hook_of(target, description->name, "_post");
      if (!hook.is_none()) call_hook(hook, results.with(call), 0);
    }
    results.write(args, result);
  });
  if (has_layout) sidl_skel_leave(&info, args, result, ex);
}

}  // namespace

void call_object(PyObject* target, const struct sidl_method_info& info, void* const* args,
                 void* result, exception_slot ex) {
  const auto find = [&] {
    const method* const description = described(info);
    if (!description) {
      throw py::type_error(std::string("there is no Python class for ") + info.type->name);
    }
    return std::make_pair(description, py::reinterpret_borrow<py::object>(target));
  };
  call_method(info, info.name, find, false, args, result, ex);
}

void call_python(const method& description, implementation& in, void* self, void* const* args,
                 void* result, exception_slot ex) {
  const auto find = [&] {
    PyObject* const target = self ? python_of(in.info, self) : class_of(in);
    if (!target) throw py::value_error("the object is being destroyed");
    return std::make_pair(&description, py::reinterpret_borrow<py::object>(target));
  };
  const bool has_hooks =
      (self ? sidl_has_hooks(self) : sidl_has_static_hooks(description.type)) != 0;
  call_method(*description.info, description.name, find, has_hooks, args, result, ex);
}

}  // namespace sidl_python
