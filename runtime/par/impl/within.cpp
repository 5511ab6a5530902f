#include "impl/within.hpp"

namespace shinar::par {

thread_local const Within* Within::innermost_ = nullptr;

Within::Within(const GroupState& group, std::int64_t sequence)
    : group_(group), sequence_(sequence), outer_(innermost_) {
  innermost_ = this;
}

Within::~Within() {
  innermost_ = outer_;
}

const Within* Within::find(const GroupState& group) {
  const Within* each = innermost_;
  while (each != nullptr && &each->group_ != &group) each = each->outer_;
  return each;
}

std::int64_t Within::sequence_of(const GroupState& group) {
  const Within* const found = find(group);
  return found == nullptr ? 0 : found->sequence_;
}

}  // namespace shinar::par
