#include "serialization.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "sidl_log.h"
#include "sidl_protocol.h"

namespace shinar::wire {
namespace {

/**
 * Base address of the library that implements the class. Classes defined at run time use their
 * parent's; if no functions are in a library, the type info is used.
 */
const void* library_of(const sidl_class& implementation) {
  Dl_info found{};
  for (const sidl_class* each = &implementation; each->parent != nullptr; each = each->parent) {
    if (::dladdr(each->epv, &found) != 0) return found.dli_fbase;
  }
  return implementation.info;
}

/** A process may have several tables of a type, but one of its implementation. */
const void* strand_of_class(const sidl_class& implementation) {
  return serialization_of_process() == Serialization::library ? library_of(implementation)
                                                              : implementation.info;
}

const sidl_class& class_of(const void* object) {
  const void* const whole = static_cast<const sidl_facet_object*>(object)->d_object;
  return *static_cast<const sidl_object*>(whole)->d_class;
}

std::string setting() {
  const char* const text = std::getenv("SIDL_RMI_SERIALIZE");
  return text == nullptr ? "" : text;
}

std::optional<Serialization> named(std::string_view word) {
  if (word.empty() || word == "object") return Serialization::object;
  if (word == "class") return Serialization::class_;
  if (word == "library") return Serialization::library;
  if (word == "none") return Serialization::none;
  return std::nullopt;
}

std::string complaint() {
  return "SIDL_RMI_SERIALIZE is '" + setting() +
         "', and must be object, class, library or none: of what one call runs at a time";
}

}  // namespace

void check_serialization() {
  if (!named(setting())) throw Error(Failure::bind, complaint());
}

/** A client that lends objects cannot refuse to start: uses the default, and logs an error. */
Serialization serialization_of_process() {
  static const Serialization chosen = [] {
    const std::optional<Serialization> known = named(setting());
    if (!known) sidl_log(sidl_log_error, "simhandle", (complaint() + "; using object").c_str());
    return known.value_or(Serialization::object);
  }();
  return chosen;
}

const void* strand_of(const void* object, const sidl_method_info* method) {
  const Serialization how = serialization_of_process();
  if (how == Serialization::none) return nullptr;
  const sidl_class& implementation = class_of(object);
  const bool is_concurrent = (implementation.info->flags & sidl_type_concurrent) != 0 ||
                             method == nullptr || (method->flags & sidl_method_concurrent) != 0;
  if (is_concurrent) return nullptr;
  return how == Serialization::object ? object : strand_of_class(implementation);
}

const void* strand_of_new(std::string_view type) {
  const Serialization how = serialization_of_process();
  if (how == Serialization::none || how == Serialization::object) return nullptr;
  const sidl_type_info* const info = sidl_type_find(std::string(type).c_str());
  if (info == nullptr || (info->flags & sidl_type_concurrent) != 0) return nullptr;
  const sidl_class* const implementation =
      std::atomic_ref(info->cache->implementation).load(std::memory_order_acquire);
  return implementation == nullptr ? info : strand_of_class(*implementation);
}

}  // namespace shinar::wire
