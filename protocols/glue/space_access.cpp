#include "space_access.hpp"

#include <map>
#include <mutex>
#include <string>

#include "../core/checked_mutex.hpp"
#include "../core/error.hpp"

namespace shinar::wire {
namespace {

class SpaceAccess final : public Elsewhere {
 public:
  explicit SpaceAccess(const sidl_memory_space* space) : space_(space) {}

  void read(std::byte* to, const std::byte* there, std::size_t size, std::ptrdiff_t stride,
            std::size_t count) const override {
    if (!sidl_memory_to_host(space_, to, there, size, stride, count)) fail("from");
  }
  void write(std::byte* there, std::ptrdiff_t stride, const std::byte* from, std::size_t size,
             std::size_t count) const override {
    if (!sidl_memory_from_host(space_, there, stride, from, size, count)) fail("to");
  }

 private:
  /** In the midst of a message: the connection cannot go on. */
  [[noreturn]] void fail(const char* way) const {
    throw Error(Failure::unexpected_close,
                std::string("the elements of an array could not be copied ") + way + " " +
                    sidl_memory_space_name(space_),
                Fate::may_have_executed);
  }

  const sidl_memory_space* space_;
};

}  // namespace

const Elsewhere& space_access(const sidl_memory_space* space) {
  // Spaces are few, and never freed. Neither are these: messages may refer to them to the end.
  static CheckedMutex<"SpaceAccess"> mutex;
  static auto& all = *new std::map<const sidl_memory_space*, SpaceAccess>;
  const std::lock_guard lock(mutex);
  return all.try_emplace(space, space).first->second;
}

}  // namespace shinar::wire
