// core.hpp: internal interfaces of shinar._core.
//
// Python errors propagate as py::error_already_set up to the functions of `api`, which restore them
// as Python's current exception. Everything here requires the GIL unless it says otherwise.
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

// A new reference (Py_NewRef, which Python 3.9 does not have).
inline PyObject* new_reference(PyObject* object) {
  Py_INCREF(object);
  return object;
}

// ---- objects (objects.cpp) ---------------------------------------------------------------------

// The two layouts of instances: exceptions must begin like Python's own.
bool init_layouts(py::module_& module);
PyTypeObject* object_layout();
PyTypeObject* throwable_layout();

// The handle in an instance; null if `self` is not a SIDL object.
handle* handle_of(PyObject* self);

// An exception of the class to unpack state into; a stand-in if the class has no implementation.
// And whether an object is such a stand-in.
py::object new_exception(const py::type& type, const py::tuple& args);
bool is_stand_in(const py::object& object);

// Takes over a reference; returns an instance of the most derived type known to Python whose tables
// fit the object's class, or None for null.
py::object wrap(void* ior, const struct sidl_type_info* seen_as);
// The same with a new reference.
py::object wrap_borrowed(void* ior, const struct sidl_type_info* seen_as);
// Throws libsidl's error about an object of another version of the type. Takes a reference over.
[[noreturn]] void refuse_version(void* ior, const struct sidl_type_info* info);

// True if `object` is an instance of the class.
inline bool is_instance(py::handle object, PyObject* python_class) {
  return PyObject_IsInstance(object.ptr(), python_class) == 1;
}

void add_ref(void* ior);
// Drops a reference, without the GIL as destructors may run.
void drop(void* ior);

// Keeps an object that another thread may close while this one does not hold the GIL.
class retained {
 public:
  explicit retained(void* ior) : ior_(ior) { add_ref(ior); }
  ~retained() { drop(ior_); }
  retained(const retained&) = delete;
  retained& operator=(const retained&) = delete;

 private:
  void* ior_;
};

// Casts the object to `type`. `owned` is set if the result has its own reference, as when a server
// had to be asked. TypeError if it is not of the type.
void* cast_for(PyObject* value, const struct sidl_type_info* type, const std::string& what,
               bool& owned);

// The SIDL object of a value during a call: borrowed from an instance, or one that represents a
// plain Python object. TypeError if there is none.
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

// True for an object of a user's class derived from generated interfaces.
bool is_plain(PyObject* value);
// The SIDL object that represents it, with a reference for the caller.
void* object_for_plain(PyObject* value);
// The Python object that a SIDL object represents, borrowed; null if none.
PyObject* plain_behind(const void* ior);
// Warns, once per class, of SIDL methods overridden without effect for other languages, because the
// class is derived from one implemented elsewhere.
void warn_of_overrides(PyTypeObject* python_type);
// Implements __new__ of an interface; `args` begin with the class.
PyObject* new_plain(PyTypeObject* python_type, PyObject* args, PyObject* names);

// ---- types (types.cpp) -------------------------------------------------------------------------

bool define_type(PyObject* module, const type& description);
bool define_struct(const structure& description);
// Sets the core's fields of a method.
void resolve(method& description, const struct sidl_type_info* info);

// The type information defined for a Python class or one of its bases; null if none.
const struct sidl_type_info* type_info_of(PyTypeObject* python_type);
// The type information defined for exactly this class; null if none.
const struct sidl_type_info* generated_type_info(PyTypeObject* python_type);
// The methods defined for a type, without those of its parents.
std::vector<const method*> methods_of(const struct sidl_type_info* info);
// The description of a method of an interface; null if no module has it.
const method* described(const struct sidl_method_info& info);
// The Python class to instantiate for objects of the type; null if no module has it.
PyTypeObject* instance_type(const struct sidl_type_info* info);
// The public Python class of the type, once a module has defined it; else null.
PyTypeObject* public_type(const struct sidl_type_info* info);
// The tables of the module that defined the type, to which its methods belong; possibly of another
// version than `info`. Null if no module has it.
const struct sidl_type_info* public_info(const struct sidl_type_info* info);
// Python has one class per name, but classes generated from another version of its files may be
// derived from it. Its methods then fit only some objects. Returns the tables of an ancestor that
// do not fit this object of class `own`; null if all fit.
const struct sidl_type_info* find_misfit(void* ior, const struct sidl_type_info* own);
// The Python class called `name` ("demo.Norm"), imported if necessary; null, without an error, if
// there is none.
PyObject* find_python_class(const std::string& name);
const structure* find_structure(const struct sidl_struct_info* info);
// The struct whose Python class this is; null if it is none.
const struct sidl_struct_info* struct_info_of(PyObject* python_class);
// The method with the Python name `name` of a class or its parents; null if there is none.
const method* find_method(const struct sidl_type_info* info, const char* name);
const struct sidl_type_info* find_type(const std::string& name);
// Whether Python's keywords are in the way of a name of SIDL, and what it is then:
// "None" > "None_", and "None_" > "None__"; others stay.
bool is_renamed(const char* name);
std::string python_name(const char* name);

// What a class has under this name, itself or from its bases: borrowed; null if there is nothing.
PyObject* find_member(PyTypeObject* python_type, PyObject* name);

// The method that a member of a generated class calls; null for another member.
const method* method_behind(PyObject* member);

// The class for an object seen as a type, of whose own class `own` is the Python class, and `info`
// the tables (views.cpp): nearly always `own`.
PyTypeObject* view_type(PyTypeObject* own, const struct sidl_type_info* info,
                        const struct sidl_type_info* seen_as);
// Tells the registry of such a class.
void define_view(PyTypeObject* python_type, const struct sidl_type_info* info);

// Built-in members of every type, defined on the two root types (builtins.cpp).
void add_built_in(py::dict& members, const struct sidl_type_info* info);

// Python casts functions according to their flags.
template <class Function>
PyCFunction as_c_function(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// ---- values (values.cpp) -----------------------------------------------------------------------

// Storage for any value except a struct.
union value {
  int64_t integer;
  struct sidl_dcomplex complex;
  void* pointer;
};

// Describes a value in messages: "argument 'x' of demo.Solver.solve".
struct place {
  const struct sidl_type_info* type;
  const struct sidl_method_info* method;
  const char* name;  // null: the result
  // Arrays in it are copied, as the given ones must not be changed.
  bool keeps_given = false;
  std::string text() const;
};

// Python to IOR. The value in `slot` (zeroed by the caller) is owned, except that a string or an
// object may be borrowed from `object` if `borrow` is true; the return value is then false.
bool load(py::handle object, const struct sidl_type_ref& type, const char* enumeration, void* slot,
          bool borrow, const place& where);
// IOR to Python. Takes the value over: the slot is empty afterwards.
py::object take(const struct sidl_type_ref& type, const char* enumeration, void* slot);
// IOR to Python, without taking the value over.
py::object copy(const struct sidl_type_ref& type, const char* enumeration, const void* slot);
// Frees what the value owns.
void destroy(const struct sidl_type_ref& type, void* slot);
// Text from SIDL, or None for null, with invalid UTF-8 bytes as surrogates; and back.
py::object text_to_python(const char* text);
std::string text_of_python(py::handle text);
// Size of a value in the IOR.
size_t size_of(const struct sidl_type_ref& type);
std::string type_text(const struct sidl_type_ref& type, const char* enumeration);

// ---- arrays (arrays.cpp, struct_arrays.cpp) -----------------------------------------------------

// What another library has in host memory, which says so by DLPack, as NumPy's array over the same
// memory; for an inout argument (`changes`) also what it has elsewhere, as a shinar.DeviceArray.
// Null for anything else. It costs a request of that library: ask once for each argument.
py::object array_of_tensor(py::handle object, const struct sidl_type_ref& type, const place& where,
                           bool changes = false);
// With a reference for the caller; null for None.
struct sidl__array* array_from_python(py::handle object, const struct sidl_type_ref& type,
                                      const place& where);
// The same for an inout argument, which is no tensor: a loan of the memory (sidl_raw_array.h), with
// the lender's reference, and the NumPy array with the memory. None if it has to be converted. An
// array that shares memory with one of `others` is copied, so that each is changed independently,
// as in other languages.
//
// An array that is elsewhere is not lent but passed itself: `there`, with a reference, and as
// `memory` what was given.
struct lent_array {
  struct sidl__array* loan = nullptr;
  struct sidl__array* there = nullptr;
  py::object memory;
};
lent_array lend_array(py::handle object, const struct sidl_type_ref& type,
                      const std::vector<py::object>& others, const place& where);
// Checks what is passed as an inout array: throws before the call if it cannot be changed.
void check_changeable(py::handle given, const struct sidl_type_ref& type, const place& where);
// Copies results[position], the returned array, into the given one if it has the same shape, and
// replaces it in the results.
void write_back(py::handle given, const struct sidl_type_ref& type, size_t position,
                const py::list& results, const place& where);
// Takes over a reference.
py::object array_to_python(struct sidl__array* array, const struct sidl_type_ref& type);
// Refuse to copy arrays on their way into a call, on this thread.
extern thread_local bool strict;
// The shinar._struct_arrays.Layout of a struct's class; None for another class.
py::object layout_of_class(const py::object& python_class);

// ---- exceptions (exceptions.cpp) ---------------------------------------------------------------

// Takes over a SIDL exception and throws it in Python.
[[noreturn]] void throw_sidl(struct sidl_BaseInterface__object* ex);
inline void check(struct sidl_BaseInterface__object* ex) {
  if (ex) throw_sidl(ex);
}
// The same for generated code: sets Python's current exception and returns null.
PyObject* raise(struct sidl_BaseInterface__object* ex);
// In a catch block: sets Python's current exception from the one being handled.
void restore_exception() noexcept;

// Throws a RecursionError unless Python can go some levels deeper: for where Python enters this
// library, and the other way round. With none left, exceptions that are set cannot be made into
// objects, nor objects into text, and each failure would be one more of them: pybind11 does not end
// then.
void require_levels();

// Runs `body` for Python; returns `failure`, with a Python exception set, if it throws.
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
  return guarded(
      [&] {
        require_levels();
        return py::object(body()).release().ptr();
      },
      nullptr);
}

// The exception raised in Python as a SIDL exception, with a reference for the caller. If it `owns`
// the original, that is raised again where it returns to Python.
struct sidl_BaseInterface__object* to_sidl(py::error_already_set& error, const char* method,
                                           bool owns = true);
// A new exception of the class, with a note. To be called without the GIL, unless the class is one
// of libsidl's.
struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                  const char* note);
std::string note_of(void* exception);

// ---- waits (waits.cpp) -------------------------------------------------------------------------

void init_waits(py::module_& module);

// ---- interrupts (interrupts.cpp) ---------------------------------------------------------------

void init_interrupts();
// If a call of this thread was cancelled because a signal handler raised an exception: sets that as
// Python's current exception.
bool restore_interrupt();
// For exceptions raised by a Python method: an interrupt of the main thread is passed on to the
// Python caller, whatever happens to the call in other languages and processes.
bool is_interrupt(py::error_already_set& error);
void pass_interrupt_on(py::error_already_set& error);

// ---- calls (calls.cpp, callbacks.cpp) ----------------------------------------------------------

PyObject* invoke(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
                 PyObject* names);
// Begins a nonblocking call: a shinar.Pending.
PyObject* send(const method& description, PyObject* self, PyObject* const* args, Py_ssize_t count,
               PyObject* names);
// Waits for the call of `sent`, a capsule from send(), to end; once.
py::object receive(const py::capsule& sent);
// Calls the method `name` of the parent class of the class called `type`, for the object `self`.
py::object invoke_super(const py::object& self, const std::string& type, const std::string& name,
                        const py::tuple& arguments, const py::dict& named);
void call_python(const method& description, implementation& in, void* self, void* const* args,
                 void* result, exception_slot ex);
// Calls a Python object's method for the IOR.
void call_object(PyObject* target, const struct sidl_method_info& info, void* const* args,
                 void* result, exception_slot ex);
bool define_class(PyObject* module, implementation& description, method* const* methods);
void construct(implementation& in, void* self, void* data, exception_slot ex);
void destruct(implementation& in, void* self, exception_slot ex);
// True if objects of the class can be cast to the interface.
bool has_facet(const struct sidl_type_info* info, const struct sidl_type_info& interface);
// packObj and unpackObj of exceptions whose classes do not declare them (packing.cpp).
void pack_state(implementation& in, void* self, void* serializer, exception_slot ex);
void unpack_state(implementation& in, void* self, void* deserializer, exception_slot ex);
// Puts them into the EPV of a class, if it is such a class.
void add_packing(const implementation& in);
// The Python implementation of an object, at the level of its class.
PyObject*& python_of(const struct sidl_type_info* info, void* self);
// Runs `body` in Python; errors become an exception in *ex. `what` is for its trace.
void run_in_python(const char* what, exception_slot ex, const std::function<void()>& body) noexcept;
void init_callbacks(py::module_& module);
// The implementation of an object, if its own class is implemented in Python; else None.
py::object implementation_of(const py::object& object);

// ---- protocols (protocols.cpp) -----------------------------------------------------------------

void init_protocols(py::module_& module);

// ---- threads (callbacks.cpp)
// ---------------------------------------------------------------------

// Reacquires the GIL. If Python is ending the thread blocks here for ever, as Python would end it
// within other languages' frames.
void reenter(PyThreadState* state);

// ---- imports (imports.cpp) ---------------------------------------------------------------------

// Marks this thread as importing, which forks wait for: a child would have a partial module, and
// wait for the thread that was loading it.
class loading {
 public:
  loading();
  ~loading();
  loading(const loading&) = delete;
  loading& operator=(const loading&) = delete;
};

// The module, imported if necessary.
py::module_ import_module(const char* name);

// An attribute of a module, imported on first use and never released. Used with the GIL, for static
// variables: their own initialisation guard must not be held while the import releases the GIL,
// which could deadlock with a thread that waits for the guard while it holds the GIL.
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

// Releases the GIL for its lifetime.
class released {
 public:
  released() : state_(PyEval_SaveThread()) {}
  ~released() { reenter(state_); }
  released(const released&) = delete;
  released& operator=(const released&) = delete;

 private:
  PyThreadState* state_;
};

// Calls a function of libsidl without the GIL; rethrows its exceptions. Must be used for creating
// objects or classes: that waits for loading by other threads, which may need the GIL.
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

// Acquires the GIL on a thread that comes from outside Python. Not `open` if Python is ending:
// nothing may be called then.
class entered {
 public:
  entered();
  ~entered();
  entered(const entered&) = delete;
  entered& operator=(const entered&) = delete;
  bool open() const { return open_; }

 private:
  bool open_;
  bool is_new_ = false;  // Python did not know the thread before
  PyGILState_STATE state_ = PyGILState_UNLOCKED;
};

}  // namespace sidl_python

#endif
