#include "stack_room.hpp"

#include <pthread.h>

#include <limits>
#include <string>

#include "error.hpp"
#include "of_thread.hpp"

namespace shinar::wire {

StackRoom& StackRoom::of_this_thread() {
  return OfThread<StackRoom>::get();
}

StackRoom::StackRoom() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &lowest, &size) == 0) {
    lowest_ = reinterpret_cast<std::uintptr_t>(lowest);
    size_ = size;
  }
  ::pthread_attr_destroy(&attributes);
}

std::size_t StackRoom::left() const {
  // Not the address of a variable, which AddressSanitizer may keep elsewhere.
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const bool is_own = here >= lowest_ && here - lowest_ < size_;
  return is_own ? here - lowest_ : std::numeric_limits<std::size_t>::max();
}

namespace {

constexpr std::size_t usual_need = 256 * 1024;  // a method's frames, and those of what it calls
/** What an argument by value passes through: dispatcher, skeleton, Impl, its result, a stub. */
constexpr std::size_t copies = 8;

[[noreturn]] void refuse(const std::string& what, std::size_t left, std::size_t needed) {
  throw Error(Failure::protocol, what + " all but " + std::to_string(left / 1024) +
                                     " KiB of a thread's stack of " +
                                     std::to_string(StackRoom::of_this_thread().size() / 1024) +
                                     " KiB, and " + std::to_string(needed / 1024) +
                                     " are left free (setting: the size of stacks, ulimit -s)");
}

}  // namespace

void check_stack(std::uint32_t depth) {
  constexpr std::uint32_t shallow = 8;
  if (depth <= shallow) return;
  const std::size_t left = StackRoom::of_this_thread().left();
  if (left >= usual_need) return;
  refuse("nested calls of a chain: " + std::to_string(depth) + " take", left, usual_need);
}

void check_stack_of_values(std::size_t bytes) {
  constexpr std::size_t small = usual_need / copies / 8;
  if (bytes <= small) return;
  const std::size_t needed = usual_need + copies * bytes;
  const std::size_t left = StackRoom::of_this_thread().left();
  if (left >= needed) return;
  refuse("a method's structs have " + std::to_string(bytes) + " bytes; calls that wait take", left,
         needed);
}

}  // namespace shinar::wire
