/**
 * The methods that have a number on one connection. A method is its long name and the digest of its
 * signature; the caller numbers it at its first call.
 */
#ifndef SHINAR_CORE_METHOD_NUMBERS_HPP
#define SHINAR_CORE_METHOD_NUMBERS_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "account.hpp"
#include "message.hpp"

namespace shinar::wire {

struct Method {
  std::string name;
  std::uint64_t digest = 0;
  /** For the host: what it looked up about the method. Accessed with std::atomic_ref. */
  mutable const void* known = nullptr;
  mutable std::uint32_t bytes_by_value = 0;  ///< likewise: its structs, which are on the stack
};

/** The callee's side: from number to method. Methods do not move. */
class MethodTable {
 public:
  /** Executes a method frame; `account`: who pays for the names. Throws Error. */
  void define(Message& message, std::uint32_t most, Account* account);
  /** What has been charged to the account. */
  std::uint64_t cost() const { return name_bytes_ + methods_.size() * bytes_each; }
  /** NULL: no method has this number. */
  const Method* find(std::uint32_t number) const {
    return number != 0 && number <= methods_.size() ? methods_[number - 1].get() : nullptr;
  }

 private:
  /** What a method takes beside its name. */
  static constexpr std::uint64_t bytes_each = 96;

  std::vector<std::unique_ptr<const Method>> methods_;
  std::uint64_t name_bytes_ = 0;
};

/** The caller's side: from method to number. A small open hash table; numbers begin at 1. */
class MethodNumbers {
 public:
  /** The method's number; `is_new` is set if it was just assigned. */
  std::uint32_t find_or_add(std::string_view name, std::uint64_t digest, bool& is_new) {
    if ((methods_.size() + 1) * 2 > slots_.size()) grow();
    const std::size_t at = slot_of(name, digest);
    is_new = slots_[at] == 0;
    if (is_new) {
      methods_.push_back({std::string(name), digest, nullptr});
      slots_[at] = static_cast<std::uint32_t>(methods_.size());
    }
    return slots_[at];
  }
  /** The number that was assigned last has not been told the callee. */
  void take_back() {
    const Method& last = methods_.back();
    slots_[slot_of(last.name, last.digest)] = 0;  // nothing was added behind it
    methods_.pop_back();
  }

 private:
  std::size_t slot_of(std::string_view name, std::uint64_t digest) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (digest ^ (digest >> 32) ^ name.size()) & mask;
    while (slots_[at] != 0) {
      const Method& method = methods_[slots_[at] - 1];
      if (method.digest == digest && method.name == name) break;
      at = (at + 1) & mask;
    }
    return at;
  }

  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, 0);
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      slots_[slot_of(methods_[i].name, methods_[i].digest)] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<Method> methods_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace shinar::wire
#endif
