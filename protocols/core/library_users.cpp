#include "library_users.hpp"

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "checked_mutex.hpp"
#include "error.hpp"
#include "forking.hpp"

namespace shinar::wire {

struct LibraryUsers::State {
  const Generation made_by;
  CheckedMutex<"LibraryUsers"> mutex;
  std::set<LibraryUser*> users;
  std::vector<std::shared_ptr<void>> left;
  bool have_left = false;

  State() {}
};

LibraryUsers::LibraryUsers(const char* name) : name_(name), state_(new State) {}

LibraryUsers::State& LibraryUsers::of_process() {
  State* state = state_;
  while (!state->made_by.is_current()) {
    auto own = std::make_unique<State>();
    if (state_.compare_exchange_strong(state, own.get())) state = own.release();
  }
  return *state;
}

void LibraryUsers::add(LibraryUser& user) {
  State& state = of_process();
  const std::lock_guard lock(state.mutex);
  if (state.have_left) {
    throw Error(Failure::connect, std::string("the process ends, and with it ") + name_);
  }
  state.users.insert(&user);
}

void LibraryUsers::remove(LibraryUser& user) {
  State& state = of_process();
  const std::lock_guard lock(state.mutex);
  state.users.erase(&user);
}

void LibraryUsers::leave_all() {
  State& state = of_process();
  const std::lock_guard lock(state.mutex);
  state.have_left = true;
  for (LibraryUser* const each : state.users) state.left.push_back(each->leave_library());
}

LibraryUse::~LibraryUse() {
  if (users_ != nullptr) users_->remove(*user_);
}

void LibraryUse::begin(LibraryUsers& users, LibraryUser& user) {
  users.add(user);
  users_ = &users;
  user_ = &user;
}

}  // namespace shinar::wire
