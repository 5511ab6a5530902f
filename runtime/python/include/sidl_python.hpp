/**
 * sidl_python.hpp: what the extension module of a SIDL package consists of.
 *
 * A generated module is tables: for each type its name, its bases and its methods, for each method
 * a function that makes the call through the EPV (slot, static_slot). Everything else, from the
 * arguments of Python to the values of the IOR and back, is done by the core, the extension module
 * shinar._core, by the constant tables of the IOR. The module finds it through a capsule (`api`).
 *
 * The values of a call lie where libsidl's own callers have them (sidl_rmi_invoke): args[i] is the
 * address of the value of argument i, whatever its mode; `result` that of the result.
 */
#ifndef SIDL_PYTHON_HPP
#define SIDL_PYTHON_HPP

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "sidl_ior.h"

namespace sidl_python {

/** Layout of the structs here; a module made for another one is refused. */
constexpr int kVersion = 1;
constexpr const char* kApiCapsule = "shinar._core.api";
constexpr const char* kClassCapsule = "sidl_class";

typedef struct sidl_BaseInterface__object** exception_slot;

/** Makes the call: `epv` and `self` as the callee wants them; `epv` alone for a static method. */
typedef void (*call_function)(const void* epv, void* self, void* const* args, void* result,
                              exception_slot ex);

/** A method as Python sees it. */
struct method {
  call_function call;
  int index; /**< of its slot, or among the type's static methods */
  bool is_static;
  const char* name;         /**< "solve" */
  const char* doc;          /**< begins with the signature, the way Python's own functions do */
  const char* const* enums; /**< for each argument, then the result: "demo.Norm" or null; or null */
  const struct sidl_type_info* type;   /**< the type that declares it; set by the core */
  const struct sidl_method_info* info; /**< set by the core */
};

/** A method and the function that Python calls for it. */
struct function {
  method* description;
  PyObject* (*entry)(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names);
};

/** A class or an interface as Python sees it. */
struct type {
  const struct sidl_type_info* info;
  const char* module; /**< "demo" */
  const char* name;   /**< "Solver" */
  const char* doc;
  bool is_exception;
  const char* const* bases; /**< "demo.Operator", …, null */
  const function* methods;  /**< up to one without a description */
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
  PyObject* python;       /**< the class, once it was needed; set by the core */
  method* const* methods; /**< up to a null; set by the core */
};

/** The core's side of it. */
struct api {
  int version;
  PyObject* (*invoke)(const method& description, PyObject* self, PyObject* const* args,
                      Py_ssize_t count, PyObject* names);
  bool (*define_type)(PyObject* module, const type& description);
  bool (*define_struct)(const structure& description);
  bool (*define_class)(PyObject* module, implementation& description, method* const* methods);
  void (*call_python)(const method& description, implementation& in, void* self, void* const* args,
                      void* result, exception_slot ex);
  void (*construct)(implementation& in, void* self, void* data, exception_slot ex);
  void (*destruct)(implementation& in, void* self, exception_slot ex);
};

/** This module's connection to the core. */
inline const api* core = nullptr;

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

/** How a parameter of the IOR stands for the value of an argument. */
enum passing {
  by_value,  /**< it is the value */
  by_address /**< it is the address of the value: out, inout, and structs */
};

template <class Parameter, passing How>
Parameter parameter(void* address) {
  if constexpr (How == by_value) {
    return *static_cast<Parameter*>(address);
  } else {
    return static_cast<Parameter>(address);
  }
}

template <class Parameter>
void* address_of(Parameter& parameter, passing how) {
  if constexpr (std::is_pointer_v<Parameter>) {
    if (how == by_address) return const_cast<void*>(static_cast<const void*>(parameter));
  }
  return const_cast<std::remove_const_t<Parameter>*>(&parameter);
}

template <class Function, class Indices, passing... How>
struct caller;

template <class R, class... A, std::size_t... I, passing... How>
struct caller<R (*)(A...), std::index_sequence<I...>, How...> {
  template <class... Self>
  static void call(R (*function)(A...), void* const* args, void* result, exception_slot ex,
                   Self... self) {
    (void)args;
    if constexpr (std::is_void_v<R>) {
      (void)result;
      function(self..., parameter_at<sizeof...(Self) + I, How>(args[I])..., ex);
    } else {
      *static_cast<R*>(result) =
          function(self..., parameter_at<sizeof...(Self) + I, How>(args[I])..., ex);
    }
  }

 private:
  template <std::size_t N, class First, class... Rest>
  struct nth : nth<N - 1, Rest...> {};
  template <class First, class... Rest>
  struct nth<0, First, Rest...> {
    typedef First type;
  };

  template <std::size_t N, passing P>
  static auto parameter_at(void* address) {
    return parameter<typename nth<N, A...>::type, P>(address);
  }
};

template <class Member>
struct member_traits;

template <class Epv, class R, class Self, class... A>
struct member_traits<R (*Epv::*)(Self, A...)> {
  typedef Epv epv_type;
  typedef Self self_type;
  typedef R (*function_type)(Self, A...);
};

template <class Epv, class R>
struct member_traits<R (*Epv::*)()>;

/** Calls a slot of an EPV. */
template <auto Slot, passing... How>
void slot(const void* epv, void* self, void* const* args, void* result, exception_slot ex) {
  typedef member_traits<decltype(Slot)> traits;
  typedef typename traits::function_type function_type;
  caller<function_type, std::make_index_sequence<sizeof...(How)>, How...>::call(
      static_cast<const typename traits::epv_type*>(epv)->*Slot, args, result, ex,
      static_cast<typename traits::self_type>(self));
}

/** Calls a slot of a static EPV. */
template <auto Slot, passing... How>
void static_slot(const void* epv, void*, void* const* args, void* result, exception_slot ex) {
  typedef member_traits<decltype(Slot)> traits;
  typedef typename traits::function_type function_type;
  caller<function_type, std::make_index_sequence<sizeof...(How)>, How...>::call(
      static_cast<const typename traits::epv_type*>(epv)->*Slot, args, result, ex);
}

/** What Python calls. */
template <const method& Description>
PyObject* entry(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* names) {
  return core->invoke(Description, self, args, count, names);
}

template <const method& Description, implementation& Class, class Function, bool Static,
          class Indices, passing... How>
struct skeleton;

template <const method& Description, implementation& Class, class R, class Self, class... A,
          std::size_t... I, passing... How>
struct skeleton<Description, Class, R (*)(Self, A...), false, std::index_sequence<I...>, How...> {
  static R function(Self self, A... parameters) { return run<R>(self, parameters...); }

 private:
  template <class Result, class... P>
  static Result run(void* self, P&... parameters) {
    void* const all[] = {address_of(parameters, how(I))...};
    const exception_slot ex = *static_cast<exception_slot*>(all[sizeof...(How)]);
    if constexpr (std::is_void_v<Result>) {
      core->call_python(Description, Class, self, all, nullptr, ex);
    } else {
      Result result = {};
      core->call_python(Description, Class, self, all, &result, ex);
      return result;
    }
  }

  static constexpr passing how(std::size_t i) {
    constexpr passing list[] = {How..., by_value};  // the last is the exception
    return list[i];
  }
};

template <const method& Description, implementation& Class, class R, class... A, std::size_t... I,
          passing... How>
struct skeleton<Description, Class, R (*)(A...), true, std::index_sequence<I...>, How...> {
  static R function(A... parameters) {
    void* const all[] = {address_of(parameters, how(I))...};
    const exception_slot ex = *static_cast<exception_slot*>(all[sizeof...(How)]);
    if constexpr (std::is_void_v<R>) {
      core->call_python(Description, Class, nullptr, all, nullptr, ex);
    } else {
      R result = {};
      core->call_python(Description, Class, nullptr, all, &result, ex);
      return result;
    }
  }

 private:
  static constexpr passing how(std::size_t i) {
    constexpr passing list[] = {How..., by_value};
    return list[i];
  }
};

/** What libsidl calls when objects of a class come and go. */
template <implementation& Class>
struct lifecycle {
  static void ctor(void* self, exception_slot ex) { core->construct(Class, self, nullptr, ex); }
  static void ctor2(void* self, void* data, exception_slot ex) {
    core->construct(Class, self, data, ex);
  }
  static void dtor(void* self, exception_slot ex) { core->destruct(Class, self, ex); }
};

/** What <Type>__class() returns for a class that is implemented in Python. */
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
  return result;
}

/** The function for a slot of a class that is implemented in Python. */
template <const method& Description, implementation& Class, auto Slot, passing... How>
constexpr auto implemented =
    &skeleton<Description, Class, typename member_traits<decltype(Slot)>::function_type, false,
              std::make_index_sequence<sizeof...(How) + 1>, How...>::function;

template <const method& Description, implementation& Class, auto Slot, passing... How>
constexpr auto implemented_static =
    &skeleton<Description, Class, typename member_traits<decltype(Slot)>::function_type, true,
              std::make_index_sequence<sizeof...(How) + 1>, How...>::function;

}  // namespace sidl_python

#endif
