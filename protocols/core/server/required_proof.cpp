#include "core/server/required_proof.hpp"

#include <mutex>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "sidl_log.h"
#include "sidl_trust.h"

namespace shinar::wire {

RequiredProof::RequiredProof(std::shared_ptr<const Authenticator> first,
                             std::optional<std::uint32_t> since)
    : follows_process_(since.has_value()),
      required_(std::move(first)),
      generation_(since.value_or(0)) {}

std::shared_ptr<const Authenticator> RequiredProof::now() {
  const std::uint32_t generation = ::sidl_trust_generation();
  {
    const std::lock_guard lock(mutex_);
    if (!follows_process_ || generation == generation_) return required_;
  }
  return renew(generation);
}

/** Several threads may do so at once: the first one counts, and complains. */
std::shared_ptr<const Authenticator> RequiredProof::renew(std::uint32_t generation) {
  std::shared_ptr<const Authenticator> made;
  std::string wrong;
  try {
    made = Authenticator::of_process();
  } catch (const Error& error) {
    wrong = error.what();
  }
  std::shared_ptr<const Authenticator> required;
  {
    const std::lock_guard lock(mutex_);
    if (generation == generation_) return required_;
    generation_ = generation;
    if (made != nullptr) required_ = made;
    required = required_;
  }
  if (wrong.empty() && made == nullptr && required != nullptr) wrong = "no other way was named";
  if (!wrong.empty()) {
    const std::string line = "clients still have to prove what they had to before: " + wrong;
    sidl_log(sidl_log_error, "simhandle", line.c_str());
  }
  return required;
}

}  // namespace shinar::wire
