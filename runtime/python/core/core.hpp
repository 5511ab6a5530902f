// core.hpp: what the parts of shinar._core know of each other.
//
// A failure in Python travels as py::error_already_set up to the functions of `api`, which leave it
// where Python looks for it. Everything here is called with the GIL held unless it says otherwise.
#ifndef SHINAR_PYTHON_CORE_HPP
#define SHINAR_PYTHON_CORE_HPP

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sidlArray.h"
#include "sidl_BaseClass_IOR.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_BaseInterface_IOR.h"
#include "sidl_python.hpp"

namespace sidl_python {

namespace py = pybind11;

// A reference of one's own (Py_NewRef, which Python 3.9 has not).
inline PyObject* new_reference(PyObject* object) {
  Py_INCREF(object);
  return object;
}

// ---- objects (objects.cpp) ---------------------------------------------------------------------

// The two layouts of instances: exceptions have to begin like those of Python.
bool init_layouts(py::module_& module);
PyTypeObject* object_layout();
PyTypeObject* throwable_layout();

// The handle in an instance; null if `self` is no SIDL object.
handle* handle_of(PyObject* self);

// An exception of the class, for its state to be unpacked into; of one without an implementation,
// that which stands in for it. And whether an object is such a one.
py::object new_exception(const py::type& type, const py::tuple& args);
bool is_stand_in(const py::object& object);

// Takes over a reference: the instance of the most derived type that Python knows and whose tables
// fit the object's class, or None for null.
py::object wrap(void* ior, const struct sidl_type_info* seen_as);
// The same with a reference of its own.
py::object wrap_borrowed(void* ior, const struct sidl_type_info* seen_as);
// Throws what libsidl says of the object as a version of a type that it is not. Takes a reference
// over.
[[noreturn]] void refuse_version(void* ior, const struct sidl_type_info* info);

// True if `object` is an instance of the class.
inline bool is_instance(py::handle object, PyObject* python_class) {
  return PyObject_IsInstance(object.ptr(), python_class) == 1;
}

void add_ref(void* ior);
// Gives a reference back, without the GIL: destructors run.
void drop(void* ior);

// An object that another thread may close while this one is without the GIL.
class retained {
 public:
  explicit retained(void* ior) : ior_(ior) { add_ref(ior); }
  ~retained() { drop(ior_); }
  retained(const retained&) = delete;
  retained& operator=(const retained&) = delete;

 private:
  void* ior_;
};

// The object as `type`. `owned` says that the result has a reference of its own, which it has when
// a server had to be asked. TypeError if it is no such object.
void* cast_for(PyObject* value, const struct sidl_type_info* type, const std::string& what,
               bool& owned);

// The SIDL object behind a value for the time of a call: lent by an instance, or one that stands
// for a plain object of Python. TypeError if there is none.
class borrowed {
 public:
  borrowed(PyObject* value, const std::string& what);
  ~borrowed();
  borrowed(const borrowed&) = delete;
  borrowed& operator=(const borrowed&) = delete;
  void* ior() const { return ior_; }

 private:
  void* ior_;
  bool owned_;
};

// ---- plain objects (plain.cpp) -----------------------------------------------------------------

// True for an object of a class that a user has derived from generated interfaces.
bool is_plain(PyObject* value);
// The SIDL object that stands for it, with a reference for the caller.
void* object_for_plain(PyObject* value);
// The object of Python that a SIDL object stands for, borrowed; null if it stands for none.
PyObject* plain_behind(const void* ior);
// Warns, once for a class, of methods of SIDL that it overrides where nobody else will see it: it
// is derived from a class whose implementation is elsewhere.
void warn_of_overrides(PyTypeObject* python_type);
// What __new__ of an interface does; `args` begin with the class.
PyObject* new_plain(PyTypeObject* python_type, PyObject* args, PyObject* names);

// ---- types (types.cpp) -------------------------------------------------------------------------

bool define_type(PyObject* module, const type& description);
bool define_struct(const structure& description);
// Sets what the core has to know of a method.
void resolve(method& description, const struct sidl_type_info* info);

// What was defined for a Python class or one of its bases; null if nothing was.
const struct sidl_type_info* type_info_of(PyTypeObject* python_type);
// What was defined for this very class; null if nothing was.
const struct sidl_type_info* generated_type_info(PyTypeObject* python_type);
// The methods that were defined for a type, without those of its parents.
std::vector<const method*> methods_of(const struct sidl_type_info* info);
// What was defined for a method of an interface; null if no module has it.
const method* described(const struct sidl_method_info& info);
// The Python class to make instances of for objects of the type; null if no module has it.
PyTypeObject* instance_type(const struct sidl_type_info* info);
// The Python class that users know the type by, once a module has defined it; else null.
PyTypeObject* public_type(const struct sidl_type_info* info);
// The tables that the module has which defined the type: those of its methods, and maybe of another
// version than `info` is. Null if no module has it.
const struct sidl_type_info* public_info(const struct sidl_type_info* info);
// Python has one class of a name, and other classes may be derived from it that were generated from
// another version of its files. Then its methods fit some objects only: the tables of the ancestor
// whose do not fit this object, seen as the class `own`; null if all do.
const struct sidl_type_info* find_misfit(void* ior, const struct sidl_type_info* own);
// The Python class called `name` ("demo.Norm"), imported if need be; null without an error.
PyObject* find_python_class(const std::string& name);
const structure* find_structure(const struct sidl_struct_info* info);
// The method called `name` in Python of a class or of its parents; null if there is none.
const method* find_method(const struct sidl_type_info* info, const char* name);
const struct sidl_type_info* find_type(const std::string& name);
// "from" > "from_": a name as Python can spell it.
std::string python_name(const char* name);

// What every type has besides its methods: it hangs on the two roots (builtins.cpp).
void add_built_in(py::dict& members, const struct sidl_type_info* info);

// Python calls a function by its flags, whatever its type says.
template <class Function>
PyCFunction as_c_function(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// ---- values (values.cpp) -----------------------------------------------------------------------

// A place that holds any value but a struct.
union value {
  int64_t integer;
  struct sidl_dcomplex complex;
  void* pointer;
};

// What a value is, for messages: "argument 'x' of demo.Solver.solve".
struct place {
  const struct sidl_type_info* type;
  const struct sidl_method_info* method;
  const char* name;  // null: the result
  // Arrays in it are copied, for what is given must stay as it is.
  bool keeps_given = false;
  std::string text() const;
};

// Python to IOR. What the value owns belongs to `slot` (zeroed by the caller), except that a string
// and an object may be lent by `object` when `borrow` is true; then the return value is false.
bool load(py::handle object, const struct sidl_type_ref& type, const char* enumeration, void* slot,
          bool borrow, const place& where);
// IOR to Python. Takes the value over: the slot is empty afterwards.
py::object take(const struct sidl_type_ref& type, const char* enumeration, void* slot);
// IOR to Python, of a value that stays where it is.
py::object copy(const struct sidl_type_ref& type, const char* enumeration, const void* slot);
// Frees what the value owns.
void destroy(const struct sidl_type_ref& type, void* slot);
// Text that came from SIDL, or None for null: bytes that are no UTF-8 are surrogates in it; and
// back.
py::object text_to_python(const char* text);
std::string text_of_python(py::handle text);
// Bytes that a value has in the IOR.
size_t size_of(const struct sidl_type_ref& type);
std::string type_text(const struct sidl_type_ref& type, const char* enumeration);

// ---- arrays (arrays.cpp) -----------------------------------------------------------------------

// With a reference for the caller; null for None.
struct sidl__array* array_from_python(py::handle object, const struct sidl_type_ref& type,
                                      const place& where);
// The same for an inout argument: a loan of the memory (sidl_raw_array.h), with the lender's
// reference, and the array of NumPy's that has the memory. None for what has to be converted. Of
// what shares memory with one of `others` a copy is lent: each is changed as if it were alone, as
// it is elsewhere.
struct lent_array {
  struct sidl__array* loan = nullptr;
  py::object memory;
};
lent_array lend_array(py::handle object, const struct sidl_type_ref& type,
                      const std::vector<py::object>& others, const place& where);
// What an inout array is given as: throws before the call if it could not be changed.
void check_changeable(py::handle given, const struct sidl_type_ref& type, const place& where);
// Puts results[position], which came back, into what was given if it has the same shape, and that
// into the results.
void write_back(py::handle given, const struct sidl_type_ref& type, size_t position,
                const py::list& results, const place& where);
// Takes a reference over.
py::object array_to_python(struct sidl__array* array, const struct sidl_type_ref& type);
// Refuse to copy arrays on their way into a call, on this thread.
extern thread_local bool strict;

// ---- exceptions (exceptions.cpp) ---------------------------------------------------------------

// Takes over a SIDL exception and throws it in Python.
[[noreturn]] void throw_sidl(struct sidl_BaseInterface__object* ex);
inline void check(struct sidl_BaseInterface__object* ex) {
  if (ex) throw_sidl(ex);
}
// The same for generated code: leaves it where Python looks for it, and returns null.
PyObject* raise(struct sidl_BaseInterface__object* ex);
// In a catch block: leaves what is being handled where Python looks for it.
void restore_exception() noexcept;

// Runs `body` for Python, which is told of a failure by the result `failure`.
template <class Body>
auto guarded(const Body& body, decltype(body()) failure) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    restore_exception();
  }
  return failure;
}

// The same with a `body` that returns an object.
template <class Body>
PyObject* guarded(const Body& body) noexcept {
  return guarded([&] { return py::object(body()).release().ptr(); }, nullptr);
}

// The exception that Python raised, as a SIDL one with a reference for the caller; if it `owns`
// what was raised, that is raised again where it comes back to Python.
struct sidl_BaseInterface__object* to_sidl(py::error_already_set& error, const char* method,
                                           bool owns = true);
// A new exception of the class, with a note. Without the GIL, or for a class of libsidl's own.
struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                  const char* note);
std::string note_of(void* exception);

// ---- waits (waits.cpp) -------------------------------------------------------------------------

void init_waits(py::module_& module);

// ---- interrupts (interrupts.cpp) ---------------------------------------------------------------

void init_interrupts();
// If a call of this thread was given up because of what the handler of a signal raised: leaves that
// where Python looks for it.
bool restore_interrupt();
// A method in Python has raised it: an interrupt of the main thread goes on to whoever called in
// Python, whatever becomes of the call in other languages and processes.
bool is_interrupt(py::error_already_set& error);
void pass_interrupt_on(py::error_already_set& error);

// ---- calls (calls.cpp, callbacks.cpp) ----------------------------------------------------------

PyObject* invoke(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
                 PyObject* names);
// Begins a nonblocking call: a shinar.Pending.
PyObject* send(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
               PyObject* names);
// Waits for the end of the call that `sent`, a capsule of send's, stands for; once.
py::object receive(const py::capsule& sent);
// Calls the method `name` of the parent class of the class called `type`, for the object `self`.
py::object invoke_super(const py::object& self, const std::string& type, const std::string& name,
                        const py::tuple& arguments, const py::dict& named);
void call_python(const method& description, implementation& in, void* self, void* const* args,
                 void* result, exception_slot ex);
// Calls the method of an object of Python for the IOR.
void call_object(PyObject* target, const struct sidl_method_info& info, void* const* args,
                 void* result, exception_slot ex);
bool define_class(PyObject* module, implementation& description, method* const* methods);
void construct(implementation& in, void* self, void* data, exception_slot ex);
void destruct(implementation& in, void* self, exception_slot ex);
// True if objects of the class can be seen as the interface.
bool has_facet(const struct sidl_type_info* info, const struct sidl_type_info& interface);
// packObj and unpackObj of exceptions whose classes do not declare them (packing.cpp).
void pack_state(implementation& in, void* self, void* serializer, exception_slot ex);
void unpack_state(implementation& in, void* self, void* deserializer, exception_slot ex);
// Puts them into the EPV of a class, if it is one of those.
void add_packing(const implementation& in);
// The implementation in an object, at the level of its class.
PyObject*& python_of(const struct sidl_type_info* info, void* self);
// Runs `body` in Python; whatever goes wrong becomes an exception in *ex. `what` is for its trace.
void run_in_python(const char* what, exception_slot ex, const std::function<void()>& body) noexcept;
void init_callbacks(py::module_& module);
// The implementation behind an object, if it is one in Python of the object's own class; else None.
py::object implementation_of(const py::object& object);

// ---- protocols (protocols.cpp) -----------------------------------------------------------------

void init_protocols(py::module_& module);

// ---- threads (callbacks.cpp)
// ---------------------------------------------------------------------

// Takes the GIL back. A thread that comes back when Python is ending stays here for good: Python
// would end it in the midst of other languages' frames.
void reenter(PyThreadState* state);

// ---- imports (imports.cpp) ---------------------------------------------------------------------

// For its lifetime this thread imports, which forks wait for: a child would have a part of a
// module, and wait for the thread that has the rest.
class loading {
 public:
  loading();
  ~loading();
  loading(const loading&) = delete;
  loading& operator=(const loading&) = delete;
};

// The module, imported if need be.
py::module_ import_module(const char* name);

// An attribute of a module, imported when it is first wanted, with the GIL, and never let go. For
// static variables, whose own guard must not be held while the import gives the GIL up: a thread
// would wait for the guard with the GIL, another one for the GIL with the guard.
class imported {
 public:
  constexpr imported(const char* module, const char* name) : module_(module), name_(name) {}

  py::handle get();

  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) {
    return get()(std::forward<Arguments>(arguments)...);
  }

 private:
  const char* const module_;
  const char* const name_;
  PyObject* found_ = nullptr;
};

// Without the GIL for its lifetime.
class released {
 public:
  released() : state_(PyEval_SaveThread()) {}
  ~released() { reenter(state_); }
  released(const released&) = delete;
  released& operator=(const released&) = delete;

 private:
  PyThreadState* state_;
};

// Calls a function of libsidl, without the GIL; what it throws is thrown on. So does whatever makes
// objects or classes: it waits for what other threads load, and what they load may want the GIL.
template <class Call>
auto without_lock(const Call& call) {
  struct sidl_BaseInterface__object* ex = nullptr;
  if constexpr (std::is_void_v<decltype(call(&ex))>) {
    {
      const released no_gil;
      call(&ex);
    }
    check(ex);
  } else {
    decltype(call(&ex)) result{};
    {
      const released no_gil;
      result = call(&ex);
    }
    check(ex);
    return result;
  }
}

// A thread that comes from outside, with the GIL. Not `open` when Python is ending: then there is
// nothing to be called any more.
class entered {
 public:
  entered();
  ~entered();
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;
  bool open() const { return open_; }

 private:
  bool open_;
  bool is_new_ = false;  // to Python, which knows the thread until it leaves
  PyGILState_STATE state_ = PyGILState_UNLOCKED;
};

}  // namespace sidl_python

#endif
