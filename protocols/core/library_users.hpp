/**
 * Who calls a library that ends before the process does, in an exit handler or a destructor of its
 * own. Threads of a server still run then: before it ends, each of these has to leave it alone.
 */
#ifndef SHINAR_CORE_LIBRARY_USERS_HPP
#define SHINAR_CORE_LIBRARY_USERS_HPP

#include <atomic>
#include <memory>

namespace shinar::wire {

class LibraryUser {
 public:
  LibraryUser(const LibraryUser&) = delete;
  LibraryUser& operator=(const LibraryUser&) = delete;
  /**
   * From another thread: from here on this one does not call the library. Returns what it cannot
   * be destroyed without.
   */
  virtual std::shared_ptr<void> leave_library() = 0;

 protected:
  LibraryUser() {}
  ~LibraryUser() = default;
};

/** Of one library; never destroyed. A forked child has users of its own. */
class LibraryUsers {
 public:
  /** `name`: of the library; not copied. */
  explicit LibraryUsers(const char* name);
  LibraryUsers(const LibraryUsers&) = delete;
  LibraryUsers& operator=(const LibraryUsers&) = delete;

  /** Throws Error(connect) if the library must not be called any more. */
  void add(LibraryUser& user);
  void remove(LibraryUser& user);
  /** Before the library ends. */
  void leave_all();

 private:
  struct State;
  State& of_process();

  const char* const name_;
  std::atomic<State*> state_;
};

/** A user's place among those of a library, for its lifetime. */
class LibraryUse {
 public:
  LibraryUse() {}
  LibraryUse(const LibraryUse&) = delete;
  LibraryUse& operator=(const LibraryUse&) = delete;
  ~LibraryUse();
  /** As LibraryUsers::add, when the user is ready to be told to leave. */
  void begin(LibraryUsers& users, LibraryUser& user);

 private:
  LibraryUsers* users_ = nullptr;
  LibraryUser* user_ = nullptr;
};

}  // namespace shinar::wire
#endif
