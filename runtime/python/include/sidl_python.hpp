/**
 * sidl_python.hpp: the building blocks of the extension module of a SIDL package.
 *
 * A generated module consists of tables: for each type its name, bases and methods, for each method
 * a function that makes the call through the EPV (slot, static_slot). Everything else, in
 * particular converting values between Python and the IOR, is done by the extension module
 * shinar._core, driven by the IOR's tables. The module finds it through a capsule (`api`).
 *
 * Values of a call are passed as for sidl_rmi_invoke: args[i] is the address of the value of
 * argument i, whatever its mode; `result` that of the result.
 */
#ifndef SIDL_PYTHON_HPP
#define SIDL_PYTHON_HPP

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cfloat>
#include <cstddef>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sidl_ior.h"

namespace sidl_python {

/** Layout of the structs here; a module made for another one is refused. */
constexpr int kVersion = 5;
constexpr const char* kApiCapsule = "shinar._core.api";
constexpr const char* kClassCapsule = "sidl_class";

typedef struct sidl_BaseInterface__object** exception_slot;

/** Makes the call with the callee's `epv` and `self`; only `epv` for a static method. */
typedef void (*call_function)(const void* epv, void* self, void* const* args, void* result,
                              exception_slot ex);

/**
 * A reference to a SIDL object as `type`: a pointer to the object for a class, to a facet for an
 * interface. Null after close(); while calls are in progress the reference is kept in `kept`, and
 * dropped by the last of them. Guarded by the GIL.
 */
struct handle {
  void* ior;
  const struct sidl_type_info* type;
  int calls;
  void* kept;
};

/** Keeps a reference during a call. Constructed and destroyed with the GIL. */
class call_out {
 public:
  explicit call_out(handle& object);
  ~call_out();
  call_out(const call_out&) = delete;
  call_out& operator=(const call_out&) = delete;

 private:
  handle& object_;
};

/** The layout of Python objects that are not exceptions. */
struct instance {
  PyObject_HEAD handle self;
};

/**
 * An argument that may be left out, being formed from the length of a raw array: factor times the
 * argument, plus the constant, is the length of `array` in `dimension`.
 */
struct index_argument {
  int argument; /**< -1: the list ends here */
  int array;    /**< an argument, too */
  int dimension;
  int64_t factor;
  int64_t constant;
};
constexpr index_argument no_index = {-1, 0, 0, 0, 0};

/** A method as Python sees it. */
struct method {
  call_function call;
  int index; /**< of its slot, or among the type's static methods */
  bool is_static;
  const char* name;         /**< "solve" */
  const char* doc;          /**< begins with the signature, as in Python's own functions */
  const char* const* enums; /**< for each argument, then the result: "demo.Norm" or null; or null */
  bool is_brief;            /**<
                             * it returns soon and makes no callbacks: the GIL is kept if it is local
                             */
  bool has_plain_self;      /**< all objects have the layout `instance`; set by the core */
  const struct sidl_type_info* type;       /**< the type that declares it; set by the core */
  const struct sidl_method_info* info;     /**< set by the core */
  const index_argument* indices = nullptr; /**< up to no_index; null: none may be left out */
  PyObject* interned = nullptr;            /**< the name; set by the core, kept for good */
};

typedef PyObject* (*python_function)(PyObject* self, PyObject* const* args, Py_ssize_t count,
                                     PyObject* names);

/** A method and the functions that Python calls for it. */
struct function {
  method* description;
  python_function entry;
  python_function send; /**< of a nonblocking method: <name>_send; else null */
};

/** A class or an interface in Python. */
struct type {
  const struct sidl_type_info* info;
  const char* module; /**< "demo" */
  const char* name;   /**< "Solver" */
  const char* doc;
  bool is_exception;
  const char* const* bases; /**< "demo.Operator", …, null */
  const function* methods;  /**< ends with one without a description */
};

/** A struct: its dataclass is found by its name. */
struct structure {
  const struct sidl_struct_info* info;
  const char* const* enums; /**< for each member: "demo.Norm" or null; or null */
};

/** A class that is implemented in Python: `implementation` is demo.Solver_Impl.Solver_Impl. */
struct implementation {
  const struct sidl_type_info* info;
  const char* module;
  const char* name;
  struct sidl_class* description;
  PyObject* python;       /**< the class, once needed; set by the core */
  method* const* methods; /**< null-terminated; set by the core */
  /** packObj and unpackObj of an exception whose class does not declare them. */
  void (*pack)(void* self, void* serializer, exception_slot ex);
  void (*unpack)(void* self, void* deserializer, exception_slot ex);
};

/** The interface of the core. */
struct api {
  int version;
  PyObject* (*invoke)(const method& description, PyObject* self, PyObject* const* args,
                      Py_ssize_t count, PyObject* names);
  PyObject* (*send)(const method& description, PyObject* self, PyObject* const* args,
                    Py_ssize_t count, PyObject* names);
  void (*reenter)(PyThreadState* state);                     /**< reacquires the GIL after a call */
  PyObject* (*raise)(struct sidl_BaseInterface__object* ex); /**< takes it over; returns null */
  bool (*define_type)(PyObject* module, const type& description);
  bool (*define_struct)(const structure& description);
  bool (*define_class)(PyObject* module, implementation& description, method* const* methods);
  void (*call_python)(const method& description, implementation& in, void* self, void* const* args,
                      void* result, exception_slot ex);
  void (*construct)(implementation& in, void* self, void* data, exception_slot ex);
  void (*destruct)(implementation& in, void* self, exception_slot ex);
  void (*drop)(void* ior); /**< drops a reference */
  void (*pack)(implementation& in, void* self, void* serializer, exception_slot ex);
  void (*unpack)(implementation& in, void* self, void* deserializer, exception_slot ex);
};

/** This module's connection to the core. */
inline const api* core = nullptr;

inline call_out::call_out(handle& object) : object_(object) {
  ++object_.calls;
}

inline call_out::~call_out() {
  if (--object_.calls > 0 || !object_.kept) return;
  void* const ior = object_.kept;
  object_.kept = nullptr;
  core->drop(ior);
}

/** Finds the core; false with a Python exception set. */
inline bool connect_core() {
  core = static_cast<const api*>(PyCapsule_Import(kApiCapsule, 0));
  if (!core) return false;
  if (core->version == kVersion) return true;
  PyErr_Format(PyExc_ImportError,
               "this module was compiled for version %d of shinar._core, which is version %d: "
               "generate and compile it again",
               kVersion, core->version);
  return false;
}

/*
 * `Addressed` below lists the arguments that the IOR passes by address: out and inout ones, and
 * structs. All others are passed by value.
 */
template <std::size_t... Addressed>
constexpr bool is_addressed(std::size_t i) {
  return (... || (i == Addressed));
}

template <class Parameter, bool ByAddress>
Parameter parameter(void* address) {
  if constexpr (ByAddress) {
    return static_cast<Parameter>(address);
  } else {
    return *static_cast<Parameter*>(address);
  }
}

template <bool ByAddress, class Parameter>
void* address_of(Parameter& parameter) {
  if constexpr (ByAddress) {
    return const_cast<void*>(static_cast<const void*>(parameter));
  } else {
    return const_cast<std::remove_const_t<Parameter>*>(&parameter);
  }
}

template <class Member>
struct member_traits;

template <class Epv, class R, class... P>
struct member_traits<R (*Epv::*)(P...)> {
  typedef Epv epv_type;
  typedef R (*function_type)(P...);
  /** The arguments of a method: without the exception, and without the object unless static. */
  static constexpr std::size_t arguments(bool is_static) {
    return sizeof...(P) - (is_static ? 1 : 2);
  }
};

template <class Function>
struct first;

template <class R, class First, class... P>
struct first<R (*)(First, P...)> {
  typedef First type;
};

/** Calls an EPV's function with the values at args; Skip parameters precede them. */
template <class Function, std::size_t Skip, class Indices, std::size_t... Addressed>
struct caller;

template <class R, class... P, std::size_t Skip, std::size_t... I, std::size_t... Addressed>
struct caller<R (*)(P...), Skip, std::index_sequence<I...>, Addressed...> {
  template <std::size_t N>
  using type = std::tuple_element_t<Skip + N, std::tuple<P...>>;

  template <class... Self>
  static void call(R (*function)(P...), void* const* args, void* result, exception_slot ex,
                   Self... self) {
    (void)args;
    if constexpr (std::is_void_v<R>) {
      (void)result;
      function(self..., parameter<type<I>, is_addressed<Addressed...>(I)>(args[I])..., ex);
    } else {
      // structs that own something cannot be assigned
      ::new (result)
          R(function(self..., parameter<type<I>, is_addressed<Addressed...>(I)>(args[I])..., ex));
    }
  }
};

/** Calls a slot of an EPV. */
template <auto Slot, std::size_t... Addressed>
void slot(const void* epv, void* self, void* const* args, void* result, exception_slot ex) {
  typedef member_traits<decltype(Slot)> traits;
  typedef typename traits::function_type function_type;
  caller<function_type, 1, std::make_index_sequence<traits::arguments(false)>, Addressed...>::call(
      static_cast<const typename traits::epv_type*>(epv)->*Slot, args, result, ex,
      static_cast<typename first<function_type>::type>(self));
}

/** Calls a slot of a static EPV. */
template <auto Slot, std::size_t... Addressed>
void static_slot(const void* epv, void*, void* const* args, void* result, exception_slot ex) {
  typedef member_traits<decltype(Slot)> traits;
  typedef typename traits::function_type function_type;
  caller<function_type, 0, std::make_index_sequence<traits::arguments(true)>, Addressed...>::call(
      static_cast<const typename traits::epv_type*>(epv)->*Slot, args, result, ex);
}

/** The function Python calls. */
template <const method& Description>
PyObject* entry(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return core->invoke(Description, self, args, count, names);
}

/*
 * Kinds of values without allocations: 'b' bool, 'i' int, 'l' long, 'f' float, 'd' double.
 * load_quick is false for any object not of exactly the expected Python type: the core handles
 * conversions.
 */
template <char Kind, class Value>
bool load_quick(PyObject* object, Value& to) {
  if constexpr (Kind == 'b') {
    to = object == Py_True;
    return PyBool_Check(object);
  } else if constexpr (Kind == 'd') {
    if (!PyFloat_CheckExact(object)) return false;
    to = PyFloat_AS_DOUBLE(object);
    return true;
  } else if constexpr (Kind == 'f') {
    if (!PyFloat_CheckExact(object)) return false;
    const double number = PyFloat_AS_DOUBLE(object);
    to = static_cast<float>(number);
    return number >= -FLT_MAX && number <= FLT_MAX;
  } else {
    if (!PyLong_CheckExact(object)) return false;
    int too_large = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object, &too_large);
    to = static_cast<Value>(number);
    return too_large == 0 && to == number;
  }
}

template <char Kind, class Value>
PyObject* make_quick(Value value) {
  if constexpr (Kind == 'b') return PyBool_FromLong(value);
  if constexpr (Kind == 'd' || Kind == 'f') return PyFloat_FromDouble(static_cast<double>(value));
  return PyLong_FromLongLong(value);
}

/** The object as the type that declares the method, or null: the core reports the error. */
inline struct sidl_facet_object* quick_view(const method& description, const handle& object) {
  if (!object.ior) return nullptr;
  const bool as_it_is = object.type == description.type || object.type->kind == sidl_kind_class;
  return static_cast<struct sidl_facet_object*>(
      as_it_is ? object.ior : sidl_cast_borrowed(object.ior, description.type));
}

/**
 * The fast path for methods of a class whose arguments are all `in` and of these kinds, as is the
 * result ('v': none). Other values are left to the core.
 */
template <const method& Description, auto Slot, char Result, char... Kinds>
struct quick {
  static PyObject* entry(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
    if (!names && count == static_cast<Py_ssize_t>(sizeof...(Kinds))) {
      typedef typename traits::function_type function_type;
      if (PyObject* const result = call(static_cast<function_type>(nullptr), self, args,
                                        std::make_index_sequence<sizeof...(Kinds)>())) {
        return result;
      }
      if (PyErr_Occurred()) return nullptr;
    }
    return core->invoke(Description, self, args, count, names);
  }

 private:
  typedef member_traits<decltype(Slot)> traits;

  // Null without an exception: nothing was called.
  template <class R, class Self, class... P, std::size_t... I>
  static PyObject* call(R (*)(Self, P...), PyObject* self, PyObject* const* args,
                        std::index_sequence<I...>) {
    (void)args;
    std::tuple<P...> values;  // the last is the exception
    if (!(... && load_quick<Kinds>(args[I], std::get<I>(values)))) return nullptr;
    if (!Description.has_plain_self) return nullptr;
    handle& target = reinterpret_cast<instance*>(self)->self;
    const auto* const view = quick_view(Description, target);
    if (!view) return nullptr;
    const call_out keeps(target);
    const auto function = static_cast<const typename traits::epv_type*>(view->d_epv)->*Slot;
    const auto object = static_cast<Self>(view->d_object);
    struct sidl_BaseInterface__object* ex = nullptr;
    const bool keeps_lock = Description.is_brief && !sidl_is_remote(view->d_object);
    PyThreadState* const state = keeps_lock ? nullptr : PyEval_SaveThread();
    if constexpr (Result == 'v') {
      function(object, std::get<I>(values)..., &ex);
      if (state) core->reenter(state);
      if (ex) return core->raise(ex);
      Py_RETURN_NONE;
    } else {
      const R result = function(object, std::get<I>(values)..., &ex);
      if (state) core->reenter(state);
      return ex ? core->raise(ex) : make_quick<Result>(result);
    }
  }
};

/** The function Python calls for the first half of a nonblocking method. */
template <const method& Description>
PyObject* send_entry(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return core->send(Description, self, args, count, names);
}

/** The function the IOR calls for a class implemented in Python. */
template <const method& Description, implementation& Class, class Indices, std::size_t... Addressed>
struct skeleton;

template <const method& Description, implementation& Class, std::size_t... I,
          std::size_t... Addressed>
struct skeleton<Description, Class, std::index_sequence<I...>, Addressed...> {
  template <class R, class Self, class... A>
  static R method(Self self, A... parameters) {
    return run<R>(self, parameters...);
  }

  template <class R, class... A>
  static R static_method(A... parameters) {
    return run<R>(nullptr, parameters...);
  }

 private:
  // The last of the parameters is the exception.
  template <class R, class... P>
  static R run(void* self, P&... parameters) {
    void* const all[] = {address_of<is_addressed<Addressed...>(I)>(parameters)...};
    const exception_slot ex = *static_cast<exception_slot*>(all[sizeof...(I) - 1]);
    if constexpr (std::is_void_v<R>) {
      core->call_python(Description, Class, self, all, nullptr, ex);
    } else {
      R result = {};
      core->call_python(Description, Class, self, all, &result, ex);
      return result;
    }
  }
};

/** Constructors and destructor of a class, called by libsidl. */
template <implementation& Class>
struct lifecycle {
  static void ctor(void* self, exception_slot ex) { core->construct(Class, self, nullptr, ex); }
  static void ctor2(void* self, void* data, exception_slot ex) {
    core->construct(Class, self, data, ex);
  }
  static void dtor(void* self, exception_slot ex) { core->destruct(Class, self, ex); }
  static void pack(void* self, void* to, exception_slot ex) { core->pack(Class, self, to, ex); }
  static void unpack(void* self, void* of, exception_slot ex) { core->unpack(Class, self, of, ex); }
};

/** The value of <Type>__class() for a class implemented in Python. */
template <implementation& Class>
struct sidl_class make_class(const struct sidl_type_info* info, void* epv, const void* static_epv) {
  struct sidl_class result = {};
  result.ior_major = SIDL_IOR_MAJOR_VERSION;
  result.ior_minor = SIDL_IOR_MINOR_VERSION;
  result.info = info;
  result.epv = epv;
  result.static_epv = static_epv;
  result.ctor = &lifecycle<Class>::ctor;
  result.ctor2 = &lifecycle<Class>::ctor2;
  result.dtor = &lifecycle<Class>::dtor;
  Class.pack = &lifecycle<Class>::pack;
  Class.unpack = &lifecycle<Class>::unpack;
  return result;
}

/** The function for a slot of a class that is implemented in Python. */
template <const method& Description, implementation& Class, class Function, bool Static,
          std::size_t... Addressed>
struct implemented_function;

template <const method& Description, implementation& Class, class R, class... P,
          std::size_t... Addressed>
struct implemented_function<Description, Class, R (*)(P...), true, Addressed...> {
  static constexpr auto value = &skeleton<Description, Class, std::index_sequence_for<P...>,
                                          Addressed...>::template static_method<R, P...>;
};

template <const method& Description, implementation& Class, class R, class Self, class... P,
          std::size_t... Addressed>
struct implemented_function<Description, Class, R (*)(Self, P...), false, Addressed...> {
  static constexpr auto value = &skeleton<Description, Class, std::index_sequence_for<P...>,
                                          Addressed...>::template method<R, Self, P...>;
};

template <const method& Description, implementation& Class, auto Slot, std::size_t... Addressed>
constexpr auto implemented =
    implemented_function<Description, Class, typename member_traits<decltype(Slot)>::function_type,
                         false, Addressed...>::value;

template <const method& Description, implementation& Class, auto Slot, std::size_t... Addressed>
constexpr auto implemented_static =
    implemented_function<Description, Class, typename member_traits<decltype(Slot)>::function_type,
                         true, Addressed...>::value;

}  // namespace sidl_python

#endif
