// calls.cpp: calls from Python through the EPV.
#include <memory>
#include <optional>
#include <vector>

#include "arguments.hpp"
#include "core.hpp"
#include "keywords.hpp"
#include "sidl_raw_array.h"
#include "sidl_rmi_Ticket_IOR.h"

namespace sidl_python {
namespace {

constexpr int kUsual = 8;  // more arguments are allocated on the heap

// The values of one call; frees what it owns.
class frame {
 public:
  explicit frame(const method& description)
      : description_(description), info_(*description.info), count_(info_.arg_count) {
    if (count_ + 1 > kUsual) {
      more_.resize(static_cast<size_t>(count_) + 1);
      cells_ = more_.data();
    }
    for (int i = 0; i < count_; ++i) prepare(cells_[i], info_.args[i].type);
    prepare(cells_[count_], info_.result);
  }

  ~frame() {
    for (int i = 0; i <= count_; ++i) {
      cell& each = cells_[i];
      if (each.owned) destroy(type(i), each.address);
      if (type(i).kind == sidl_kind_struct) std::free(each.address);
      sidl_loan_end(each.lent.loan);
      sidl__array_deleteRef(each.lent.there);
    }
  }

  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;

  // Loads the arguments; Python passes `in` and `inout` ones, in order. `others`: names that are
  // not arguments.
  void load_arguments(PyObject* const* args, Py_ssize_t positional, PyObject* names,
                      Py_ssize_t others = 0) {
    if (description_.indices && !gives_all(description_, args, positional, names)) {
      return load_with_indices(args, positional, names, others);
    }
    Py_ssize_t used = 0;
    Py_ssize_t named = 0;
    for (int i = 0; i < count_; ++i) {
      const struct sidl_arg_info& argument = info_.args[i];
      if (argument.mode == sidl_mode_out) continue;
      PyObject* given = nullptr;
      if (used < positional) {
        given = args[used++];
      } else {
        given = find_by_name(args, positional, names, argument);
        ++named;
      }
      if (!given) {
        check_names(description_, positional, names);
        refuse_missing(description_, argument);
      }
      load_argument(i, given);
    }
    const Py_ssize_t names_given = names ? PyTuple_GET_SIZE(names) - others : 0;
    if (named != names_given) check_names(description_, positional, names);
    if (used < positional) refuse_too_many(description_, positional);
  }

  void call(const void* epv, void* self) {
    const addresses list(*this, [](uint8_t) { return true; });
    struct sidl_BaseInterface__object* ex = nullptr;
    {
      std::optional<released> no_gil;
      if (!description_.is_brief || sidl_is_remote(self)) no_gil.emplace();
      description_.call(epv, self, list.data(), cells_[count_].address, &ex);
    }
    check(ex);
  }

  // The arrays passed as inout arguments; empty for other arguments.
  std::vector<py::object> arrays_to_change() const {
    std::vector<py::object> result(static_cast<size_t>(count_));
    for (int i = 0; i < count_; ++i) {
      if (changes_array(i)) {
        result[static_cast<size_t>(i)] = py::reinterpret_borrow<py::object>(cells_[i].given);
      }
    }
    return result;
  }

  // An inout argument that is another library's array, and how NumPy or we see it.
  struct tensor {
    int argument;
    py::object array;
    py::object given;
  };
  std::vector<tensor> give_tensors() { return std::move(tensors_); }

  // The same for the second half of a call; the caller keeps the arrays.
  void expect(const std::vector<py::object>& arrays, std::vector<tensor> tensors) {
    for (int i = 0; i < count_; ++i) cells_[i].given = arrays[static_cast<size_t>(i)].ptr();
    tensors_ = std::move(tensors);
  }

  // The same for inout structs, whose raw arrays are the caller's memory: passed from the first
  // half to the second.
  std::vector<void*> give_structs() {
    std::vector<void*> result(static_cast<size_t>(count_));
    for (int i = 0; i < count_; ++i) {
      if (!is_inout_struct(i)) continue;
      result[static_cast<size_t>(i)] = std::exchange(cells_[i].address, nullptr);
      cells_[i].owned = false;
    }
    return result;
  }

  void take_structs(std::vector<void*>& structs) {
    for (int i = 0; i < count_; ++i) {
      if (!is_inout_struct(i)) continue;
      std::swap(cells_[i].address, structs[static_cast<size_t>(i)]);
      cells_[i].owned = true;
    }
  }

  // `self` is null for a static method. Returns the ticket.
  void* send(void* self) {
    const addresses list(*this, [](uint8_t mode) { return mode != sidl_mode_out; });
    struct sidl_BaseInterface__object* ex = nullptr;
    void* ticket = nullptr;
    {
      const released no_gil;
      ticket = sidl_rmi_send(self, &info_, list.data(), &ex);
    }
    check(ex);
    return ticket;
  }

  void receive(void* self, struct sidl_rmi_Ticket__object* ticket) {
    const addresses list(*this, [](uint8_t mode) { return mode != sidl_mode_in; });
    void* const result = info_.result.kind == sidl_kind_void ? nullptr : cells_[count_].address;
    struct sidl_BaseInterface__object* ex = nullptr;
    {
      const released no_gil;
      sidl_rmi_receive(self, &info_, ticket, list.data(), result, &ex);
    }
    check(ex);
  }

  // The result, then out and inout values; a tuple if there is more than one.
  py::object results() {
    const py::object all = results_in_numpy();
    return tensors_.empty() ? all : with_tensors(all);
  }

 private:
  // The same where other libraries' arrays are NumPy's or ours.
  py::object results_in_numpy() {
    end_loans();
    int number = 0;
    int last = count_;
    std::vector<int> replaced;  // inout arrays that are not the caller's any more
    for (int i = 0; i < count_; ++i) {
      if (!is_output(i)) continue;
      cells_[i].owned = true;
      ++number;
      last = i;
      if (changes_array(i) && !is_own_array(i)) replaced.push_back(i);
    }
    cells_[count_].owned = true;
    const bool has_result = info_.result.kind != sidl_kind_void;
    if (number == 0) return has_result ? result(count_) : py::object(py::none());
    if (number == 1 && !has_result && replaced.empty()) return result(last);
    py::tuple all(static_cast<size_t>(number + has_result));
    size_t next = 0;
    if (has_result) all[next++] = result(count_);
    for (int i = 0; i < count_; ++i) {
      if (is_output(i)) all[next++] = result(i);
    }
    return replaced.empty() ? py::object(all) : changed(all, replaced);
  }

  py::object with_tensors(const py::object& results) const {
    const bool is_one = !py::isinstance<py::tuple>(results);
    py::list all = is_one ? py::list() : py::list(results);
    if (is_one) all.append(results);
    for (const tensor& each : tensors_) {
      const size_t place = position(each.argument);
      if (py::object(all[place]).is(each.array)) all[place] = each.given;
    }
    return is_one ? py::object(all[0]) : py::object(py::tuple(all));
  }

  // Addresses of the values; null for those of unwanted modes.
  class addresses {
   public:
    template <class Wanted>
    addresses(const frame& of, const Wanted& wanted) {
      if (of.count_ > kUsual) {
        many_ = std::make_unique<void*[]>(static_cast<size_t>(of.count_));
        list_ = many_.get();
      }
      for (int i = 0; i < of.count_; ++i) {
        list_[i] = wanted(of.info_.args[i].mode) ? of.cells_[i].address : nullptr;
      }
    }
    addresses(const addresses&) = delete;
    addresses& operator=(const addresses&) = delete;

    void* const* data() const { return list_; }

   private:
    void* few_[kUsual];
    std::unique_ptr<void*[]> many_;
    void** list_ = few_;
  };

  struct cell {
    value own;
    void* address;
    PyObject* given;  // the argument, borrowed from the caller, or from tensors_
    lent_array lent;  // of an inout array
    bool is_back;     // it was returned
    bool owned;
  };

  const struct sidl_type_ref& type(int i) const {
    return i < count_ ? info_.args[i].type : info_.result;
  }

  const char* enumeration(int i) const {
    return description_.enums ? description_.enums[i] : nullptr;
  }

  static void prepare(cell& it, const struct sidl_type_ref& type) {
    it.own = {};
    it.own.complex = {};
    it.address = &it.own;
    it.given = nullptr;
    it.lent = {};
    it.is_back = false;
    it.owned = false;
    if (type.kind != sidl_kind_struct) return;
    it.address = std::calloc(1, type.structure->size);
    if (!it.address) throw std::bad_alloc();
    sidl_struct_init(type.structure, it.address);
  }

  // The same where arguments may be missing that the arrays know.
  void load_with_indices(PyObject* const* args, Py_ssize_t positional, PyObject* names,
                         Py_ssize_t others) {
    PyObject* usual[kUsual];
    std::vector<PyObject*> more(count_ > kUsual ? static_cast<size_t>(count_) : 0);
    PyObject** const given = count_ > kUsual ? more.data() : usual;
    match_arguments(description_, args, positional, names, others, given);
    for (int i = 0; i < count_; ++i) {
      if (given[i]) load_argument(i, given[i]);
    }
    compute_indices(description_, given, addresses(*this, [](uint8_t) { return true; }).data());
  }

  void load_argument(int i, PyObject* given) {
    const struct sidl_arg_info& argument = info_.args[i];
    const place where = {description_.type, description_.info, argument.name, is_inout_struct(i)};
    cell& it = cells_[i];
    const bool lend = argument.mode == sidl_mode_in;
    it.given = given;
    if (changes_array(i)) {
      if (const py::object array = array_of_tensor(given, argument.type, where, true)) {
        tensors_.push_back({i, array, py::reinterpret_borrow<py::object>(given)});
        it.given = given = array.ptr();
      }
      check_changeable(given, argument.type, where);
      it.lent = lend_array(given, argument.type, changed_before(i), where);
      if (struct sidl__array* const array = passed(it)) {
        sidl__array_addRef(array);
        it.own.pointer = array;
        it.owned = true;
        return;
      }
    }
    it.owned = argument.type.kind == sidl_kind_struct;  // it may be partly filled
    it.owned = load(given, argument.type, enumeration(i), it.address, lend, where);
  }

  // The caller's other arrays that the call changes, of the arguments before this one.
  std::vector<py::object> changed_before(int argument) const {
    std::vector<py::object> result;
    for (int i = 0; i < argument; ++i) {
      const cell& it = cells_[i];
      if (!changes_array(i)) continue;
      if (py::isinstance<py::array>(it.given)) {
        result.push_back(py::reinterpret_borrow<py::object>(it.given));
      } else if (it.lent.loan) {
        result.push_back(it.lent.memory);
      }
    }
    return result;
  }

  // What the callee gets of an inout array that is not converted.
  static struct sidl__array* passed(const cell& it) {
    return it.lent.loan ? it.lent.loan : it.lent.there;
  }

  // Ends the loans, so that remaining references get copies: before anything is written to the
  // caller's arrays, and before Python code accesses their memory.
  void end_loans() {
    bool ok = true;
    for (int i = 0; i < count_; ++i) {
      cell& it = cells_[i];
      if (!passed(it)) continue;
      it.is_back = it.own.pointer == passed(it);
      if (it.is_back) destroy(type(i), it.address);
      ok &= sidl_loan_end(std::exchange(it.lent.loan, nullptr)) != 0;
    }
    if (!ok) throw std::bad_alloc();
  }

  // The same after the returned elements have been copied to the caller's arrays.
  py::object changed(const py::tuple& results, const std::vector<int>& replaced) {
    const py::list all(results);
    for (const int i : replaced) {
      const place where = {description_.type, description_.info, info_.args[i].name};
      write_back(cells_[i].given, type(i), position(i), all, where);
    }
    if (all.size() == 1) return all[0];
    return py::tuple(all);
  }

  bool is_output(int i) const { return info_.args[i].mode != sidl_mode_in; }

  // Position of an output among the results.
  size_t position(int output) const {
    size_t result = info_.result.kind != sidl_kind_void;
    for (int i = 0; i < output; ++i) result += is_output(i);
    return result;
  }

  // An array returned unchanged is the caller's own.
  bool is_own_array(int i) const {
    return cells_[i].is_back && cells_[i].lent.memory.ptr() == cells_[i].given;
  }

  py::object result(int i) {
    cell& it = cells_[i];
    if (it.is_back) return it.lent.memory;
    it.owned = false;
    return take(type(i), enumeration(i), it.address);
  }

  bool changes_array(int i) const {
    return info_.args[i].mode == sidl_mode_inout && info_.args[i].type.kind == sidl_kind_array;
  }

  bool is_inout_struct(int i) const {
    return info_.args[i].mode == sidl_mode_inout && info_.args[i].type.kind == sidl_kind_struct;
  }

  const method& description_;
  const struct sidl_method_info& info_;
  const int count_;
  cell usual_[kUsual];
  std::vector<cell> more_;
  cell* cells_ = usual_;
  std::vector<tensor> tensors_;
};

// The object as the type that declares the method, with its EPV.
void* view_of(PyObject* self, const struct sidl_type_info* type) {
  const handle* const object = handle_of(self);
  if (!object) throw py::type_error(std::string("an object of ") + type->name + " is needed");
  if (!object->ior) throw py::value_error("the object is closed");
  if (object->type == type) return object->ior;
  if (object->type->kind == sidl_kind_class && type->kind == sidl_kind_class) return object->ior;
  void* const view = sidl_cast_borrowed(object->ior, type);
  if (!view) throw py::type_error(std::string("the object is not a ") + type->name);
  return view;
}

// The same with a reference, as another thread may close the object. For a plain one, the object
// that represents it.
void* held_view_of(PyObject* self, const struct sidl_type_info* type) {
  bool is_held = false;
  void* const view =
      is_plain(self) ? cast_for(self, type, "the object", is_held) : view_of(self, type);
  if (!is_held) add_ref(view);
  return view;
}

py::object invoke_static(const method& description, frame& values) {
  const void* const epv =
      without_lock([&](exception_slot ex) { return sidl_static_epv(description.type, ex); });
  values.call(epv, nullptr);
  return values.results();
}

// The code of a function in Python, also behind decorators; null for anything else.
PyObject* code_of(py::object function) {
  constexpr int kDecorators = 32;  // one may say that it wraps itself
  for (int i = 0; i < kDecorators && py::hasattr(function, "__wrapped__"); ++i) {
    function = function.attr("__wrapped__");
  }
  return PyFunction_Check(function.ptr()) ? PyFunction_GET_CODE(function.ptr()) : nullptr;
}

// True if what runs is the user's own method: it calls super(), and would be called again.
bool is_called_by_override(const method& description, PyObject* self) {
  PyFrameObject* const running = PyEval_GetFrame();
  if (!running) return false;
  const auto code =
      py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(running)));
  for (const py::handle each : py::reinterpret_borrow<py::tuple>(Py_TYPE(self)->tp_mro)) {
    PyObject* const members = reinterpret_cast<PyTypeObject*>(each.ptr())->tp_dict;
    PyObject* const own =
        members ? PyDict_GetItemWithError(members, description.interned) : nullptr;
    if (own && code_of(py::reinterpret_borrow<py::object>(own)) == code.ptr()) return true;
  }
  return false;
}

// For an object of a user's class, which defines all methods but the built-in ones: interfaces have
// none to inherit.
py::object invoke_plain(const method& description, PyObject* self, frame& values) {
  const bool is_built_in = description.type->id == sidl_BaseInterface__info.id;
  if (!is_built_in && is_called_by_override(description, self)) {
    PyErr_Format(PyExc_NotImplementedError, "%s.%s: an interface has no code of its own",
                 description.type->name, description.name);
    throw py::error_already_set();
  }
  const borrowed object(self, "the object");
  auto* const view =
      static_cast<struct sidl_facet_object*>(sidl_cast_borrowed(object.ior(), description.type));
  if (!view) throw py::type_error(std::string("the object is not a ") + description.type->name);
  values.call(view->d_epv, view->d_object);
  return values.results();
}

py::object invoke_checked(const method& description, PyObject* self, PyObject* const* args,
                          Py_ssize_t count, PyObject* names) {
  const keywords own(*description.info, args, count, names);
  frame values(description);
  values.load_arguments(args, count, names, own.given());
  if (description.is_static) return invoke_static(description, values);
  if (is_plain(self)) return invoke_plain(description, self, values);
  auto* const view = static_cast<struct sidl_facet_object*>(view_of(self, description.type));
  const call_out keeps(*handle_of(self));  // another thread may close it
  values.call(view->d_epv, view->d_object);
  return values.results();
}

// A pending call: what is needed to receive its answer.
struct sent_call {
  const method& description;
  void* self;  // the object, with a reference; null for a static method
  void* ticket;
  std::vector<py::object> arrays;  // to be changed by the answer
  std::vector<void*> structs;      // likewise; null for other arguments
  std::vector<frame::tensor> tensors;

  ~sent_call() {
    for (size_t i = 0; i < structs.size(); ++i) {
      if (structs[i]) sidl_struct_destroy(description.info->args[i].type.structure, structs[i]);
      std::free(structs[i]);
    }
    if (self) drop(self);
    drop(ticket);
  }
};

constexpr const char* kSentCapsule = "shinar._core.sent";

py::object send_checked(const method& description, PyObject* self, PyObject* const* args,
                        Py_ssize_t count, PyObject* names) {
  static imported make("shinar._pending", "Pending");
  const keywords own(*description.info, args, count, names);
  frame values(description);
  values.load_arguments(args, count, names, own.given());
  void* const view = description.is_static ? nullptr : held_view_of(self, description.type);
  void* ticket = nullptr;
  try {
    ticket = values.send(view);
  } catch (...) {
    if (view) drop(view);
    throw;
  }
  const py::capsule sent(
      new sent_call{description, view, ticket, values.arrays_to_change(), values.give_structs(),
                    values.give_tensors()},
      kSentCapsule, [](PyObject* capsule) {
        const py::error_scope pending;
        delete static_cast<sent_call*>(PyCapsule_GetPointer(capsule, kSentCapsule));
      });
  return make(wrap_borrowed(ticket, &sidl_rmi_Ticket__info), sent);
}

// What the parent of a class has in this object. A process may have a second implementation of the
// class, in a library that callers use, and the tables known here may be theirs.
const void* parent_functions(const struct sidl_object& object, const struct sidl_type_info* info) {
  for (const struct sidl_class* own = object.d_class; own->parent; own = own->parent) {
    if (own->info->id == info->id) return own->parent->epv;
  }
  return object.d_epv;  // it has ended: its functions say so
}

}  // namespace

PyObject* invoke(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
                 PyObject* names) {
  return guarded([&] { return invoke_checked(description, self, args, count, names); });
}

PyObject* send(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
               PyObject* names) {
  return guarded([&] { return send_checked(description, self, args, count, names); });
}

py::object receive(const py::capsule& sent) {
  auto* const call = static_cast<sent_call*>(PyCapsule_GetPointer(sent.ptr(), kSentCapsule));
  if (!call) throw py::error_already_set();
  require_levels();
  frame values(call->description);
  values.expect(call->arrays, std::move(call->tensors));
  values.take_structs(call->structs);
  values.receive(call->self, static_cast<struct sidl_rmi_Ticket__object*>(call->ticket));
  return values.results();
}

py::object invoke_super(const py::object& self, const std::string& type, const std::string& name,
                        const py::tuple& arguments, const py::dict& named) {
  require_levels();
  const struct sidl_type_info* const info = find_type(type);
  const method* const description = info ? find_method(info->parent, name.c_str()) : nullptr;
  if (!description) {
    PyErr_Format(PyExc_AttributeError, "the parent of %s has no method %s", type.c_str(),
                 name.c_str());
    throw py::error_already_set();
  }
  std::vector<PyObject*> all;
  for (const py::handle each : arguments) all.push_back(each.ptr());
  py::list names;
  for (const auto& each : named) {
    names.append(each.first);
    all.push_back(each.second.ptr());
  }
  frame values(*description);
  const py::tuple all_names(names);
  values.load_arguments(all.data(), static_cast<Py_ssize_t>(arguments.size()),
                        named.empty() ? nullptr : all_names.ptr());
  auto* const view = static_cast<struct sidl_facet_object*>(view_of(self.ptr(), info));
  if (const struct sidl_type_info* const misfit = find_misfit(view, info)) {
    add_ref(view);
    refuse_version(view, misfit);
  }
  values.call(parent_functions(*static_cast<struct sidl_object*>(view->d_object), info),
              view->d_object);
  return values.results();
}

}  // namespace sidl_python
