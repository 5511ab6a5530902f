#include "serialization.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "sidl_log.h"
#include "sidl_protocol.h"

namespace simhandle {
namespace {

/** Where the library with the class's implementation begins; the type, if nobody knows. */
const void* library_of(const sidl_type_info& type) {
  sidl_class* const implementation =
      std::atomic_ref(type.cache->implementation).load(std::memory_order_acquire);
  Dl_info found{};
  if (implementation == nullptr || ::dladdr(implementation->epv, &found) == 0) return &type;
  return found.dli_fbase;
}

const void* strand_of_class(const sidl_type_info& type) {
  return serialization_of_process() == Serialization::library ? library_of(type) : &type;
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

/** A client that lends objects has nobody to refuse: what is safe for most, and a line in the log.
 */
Serialization serialization_of_process() {
  static const Serialization chosen = [] {
    const std::optional<Serialization> known = named(setting());
    if (!known) sidl_log(sidl_log_error, "simhandle", (complaint() + "; object is taken").c_str());
    return known.value_or(Serialization::object);
  }();
  return chosen;
}

const void* strand_of(const void* object, const sidl_method_info* method) {
  const Serialization how = serialization_of_process();
  if (how == Serialization::none) return nullptr;
  const sidl_type_info& type = *sidl_object_type(object);
  const bool is_concurrent = (type.flags & sidl_type_concurrent) != 0 || method == nullptr ||
                             (method->flags & sidl_method_concurrent) != 0;
  if (is_concurrent) return nullptr;
  return how == Serialization::object ? object : strand_of_class(type);
}

const void* strand_of_new(std::string_view type) {
  const Serialization how = serialization_of_process();
  if (how == Serialization::none || how == Serialization::object) return nullptr;
  const sidl_type_info* const info = sidl_type_find(std::string(type).c_str());
  return info == nullptr || (info->flags & sidl_type_concurrent) != 0 ? nullptr
                                                                      : strand_of_class(*info);
}

}  // namespace simhandle
