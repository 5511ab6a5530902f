// What collective methods this thread runs, of which groups.
#pragma once

#include <cstdint>

namespace shinar::par {

class GroupState;

// This thread runs a collective method of a group, for as long as it lives.
class Within {
 public:
  // `sequence` as Agenda has it.
  Within(const GroupState& group, std::int64_t sequence);
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  ~Within();

  static bool is_of(const GroupState& group) { return find(group) != nullptr; }
  // The place of the innermost one in the order of the group's calls; 0: there is none.
  static std::int64_t sequence_of(const GroupState& group);

 private:
  static const Within* find(const GroupState& group);

  static thread_local const Within* innermost_;
  const GroupState& group_;
  const std::int64_t sequence_;
  const Within* const outer_;
};

}  // namespace shinar::par
