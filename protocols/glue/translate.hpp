/**
 * Translates the core's Error to the exceptions of package sidl.rmi.
 */
#ifndef SHINAR_GLUE_TRANSLATE_HPP
#define SHINAR_GLUE_TRANSLATE_HPP

#include <utility>

#include "core/error.hpp"

struct sidl_BaseInterface__object;

namespace shinar::wire {

/** Sets *_ex to the SIDL exception for the error. */
void set_sidl(const Error& error, const char* function, sidl_BaseInterface__object** _ex);

/** The same for the exception being handled, whatever it is. */
void set_sidl(const char* function, sidl_BaseInterface__object** _ex);

/** Throws the SIDL exception for the error, as a C++ handle. */
[[noreturn]] void throw_sidl(const Error& error, const char* function);

/** Runs `action`; an Error it throws becomes a SIDL exception. */
template <class Action>
decltype(auto) translated(const char* function, Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const Error& error) {
    throw_sidl(error, function);
  }
}

/** Runs `action`; false if it threw, with the exception in *_ex. */
template <class Action>
bool is_done(const char* function, sidl_BaseInterface__object** _ex, Action&& action) {
  try {
    std::forward<Action>(action)();
    return true;
  } catch (...) {
    set_sidl(function, _ex);
    return false;
  }
}

}  // namespace shinar::wire
#endif
