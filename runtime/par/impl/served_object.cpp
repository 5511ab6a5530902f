#include "impl/served_object.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "calls/partners.hpp"
#include "impl/deadlines.hpp"
#include "impl/misfits.hpp"
#include "impl/running_method.hpp"
#include "impl/within.hpp"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_CancelledException.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"
#include "sidl_skel.hxx"

namespace shinar::par {
namespace {

using ::sidl::exception_slot;
using std::chrono::milliseconds;

// Ranks that are named in a message take so many characters.
constexpr std::size_t kMostMissing = 40;
// How often a rank that has told others to run a call looks whether they got that.
constexpr milliseconds kLook{200};
// How often a rank that waits for the turn of a call looks after that which tells it the order:
// after the first, then each.
constexpr milliseconds kFirstLookAfter{500};
constexpr milliseconds kNextLookAfter{1000};
// Of a client: what a rank remembers of it grows with their number.
constexpr int kMostRanks = 1 << 22;
constexpr std::size_t kLongestName = 200;

// Somebody has given a call up, and told all ranks.
struct GivenUp {
  Reason why;
};

}  // namespace

struct ServedObject::Call {
  struct Part {
    bool drives;
    ::sidl::par::CallValues arguments;
    ::sidl::array<char> pieces;
  };

  CallKey key;
  const sidl_method_info* method = nullptr;
  std::map<int, Part> parts;               // by rank of the client; those that have come
  std::shared_ptr<const MethodPlan> plan;  // known with the first part that drives
  std::vector<int> expected;               // likewise: whose parts it needs
  std::size_t left = 0;                    // threads that have had their answer
  std::int64_t sequence = 0;               // as Agenda has it, if it runs
  bool is_over = false;
  ::sidl::BaseInterface thrown;  // the exception, if it is over and failed
  Items results;
  std::vector<::sidl::basearray> arrays;  // of the plan's arguments, if it is over

  // Whose arguments count, and who gets the exception.
  int first_driver() const {
    const auto found =
        std::ranges::find_if(parts, [](const auto& each) { return each.second.drives; });
    return found == parts.end() ? -1 : found->first;
  }
  const Items& arguments() const { return items_in(parts.at(first_driver()).arguments); }
};

// A method's turn on an object that runs one at a time. A thread may have several, nested.
class ServedObject::Turn {
 public:
  Turn(ServedObject& object, bool is_free) : object_(is_free ? nullptr : &object) {
    if (object_ == nullptr) return;
    auto lock = object.group_->monitor().lock();
    const auto self = std::this_thread::get_id();
    const auto outcome = object.group_->monitor().wait(
        lock, Monitor::Clock::time_point::max(),
        [&] { return object.depth_ == 0 || object.running_ == self; });
    if (outcome != Monitor::Outcome::Ready) {
      ::sidl::protocol::fail<::sidl::rmi::CancelledException>("the caller gave the call up");
    }
    object.running_ = self;
    ++object.depth_;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (object_ == nullptr) return;
    const auto lock = object_->group_->monitor().lock();
    if (--object_->depth_ == 0) object_->group_->monitor().wake();
  }

 private:
  ServedObject* const object_;
};

ServedObject::ServedObject(std::shared_ptr<GroupState> group, std::string name,
                           ::sidl::BaseClass object)
    : group_(std::move(group)),
      name_(std::move(name)),
      object_(std::move(object)),
      is_concurrent_((sidl_object_type(object_._get_self())->flags & sidl_type_concurrent) != 0) {}

std::string ServedObject::type_name() const {
  return sidl_object_type(object_._get_self())->name;
}

// ---- clients
// -------------------------------------------------------------------------------------

void ServedObject::attach(const ClientRank& caller) {
  if (caller.client.empty() || caller.client.size() > kLongestName) {
    throw Misfit("the name of a group that calls has " + std::to_string(caller.client.size()) +
                 " characters; 1 to " + std::to_string(kLongestName) + " are possible");
  }
  if (caller.ranks > kMostRanks) {
    throw Misfit("a group of " + std::to_string(caller.ranks) + " ranks; at most " +
                 std::to_string(kMostRanks) + " can call");
  }
  if (caller.rank < 0 || caller.rank >= caller.ranks) {
    throw Misfit("rank " + std::to_string(caller.rank) + " is none of a group of " +
                 std::to_string(caller.ranks));
  }
  auto lock = group_->monitor().lock();
  Client& client =
      clients_.try_emplace(caller.client, Client{caller.ranks, {}, {}, {}}).first->second;
  if (client.ranks != caller.ranks) {
    throw Misfit(callers_.name_of(caller) + " has a group of " + std::to_string(caller.ranks) +
                 ", another one of " + std::to_string(client.ranks));
  }
  ++client.attached[caller.rank];
  group_->agenda().welcome(caller.client);
  group_->set_clientele(caller.client, weak_from_this());
  lock.unlock();
  if (group_->rank() != 0 || caller.rank != 0) return;
  try {
    group_->admit(caller.client);
  } catch (...) {
    detach(caller);
    throw;
  }
}

void ServedObject::detach(const ClientRank& caller) {
  {
    const auto lock = group_->monitor().lock();
    std::map<int, int>& attached = clients_.at(caller.client).attached;
    if (--attached.at(caller.rank) > 0) return;
    attached.erase(caller.rank);
  }
  const std::string why = callers_.name_of(caller) + " has released the object";
  callers_.forget(caller);
  if (group_->rank() == 0 && caller.rank == 0) group_->dismiss(caller.client, why);
  const auto lock = group_->monitor().lock();
  for (const auto& [key, call] : calls_) {
    if (key.client == caller.client) {
      group_->agenda().give_up(key, {why});
    }
  }
  group_->monitor().wake();
  const auto found = clients_.find(caller.client);
  if (found == clients_.end() || !found->second.attached.empty()) return;
  clients_.erase(found);
  for (const auto& [argument, listed] : indices_) listed->forget(caller.client);
  group_->agenda().forget(caller.client);
  group_->set_clientele(caller.client, {});
}

void ServedObject::introduce(const ClientRank& caller, ::sidl::par::Pulse pulse,
                             std::string place) {
  callers_.introduce(caller, std::move(pulse), std::move(place));
}

// ---- methods
// -------------------------------------------------------------------------------------

const sidl_method_info& ServedObject::method(const std::string& name, std::uint64_t digest,
                                             bool collective) {
  const sidl_type_info* const type = sidl_object_type(object_._get_self());
  const sidl_method_info* const found = sidl_rmi_find_method(type, name.c_str(), digest);
  if (found == nullptr) {
    ::sidl::protocol::fail<::sidl::rmi::ProtocolException>(
        "class " + std::string(type->name) + " of '" + name_ + "' has no method " + name +
        " with the signature that the caller was compiled with");
  }
  if (((found->flags & sidl_method_collective) != 0) != collective) {
    ::sidl::protocol::fail<::sidl::rmi::ProtocolException>(
        "the server's " + std::string(type->name) + "." + name + " is " +
        (collective ? "not " : "") +
        "collective, unlike the caller's: generate and build both from the same SIDL files");
  }
  return *found;
}

Items ServedObject::call(const std::string& name, std::uint64_t digest, const Items& arguments) {
  const sidl_method_info& found = method(name, digest, false);
  const Turn turn(*this, is_concurrent_ || (found.flags & sidl_method_concurrent) != 0);
  RunningMethod running(arguments, nullptr);
  exception_slot ex;
  sidl_rmi_run(object_._get_self(), &found, &running, ex.ptr());
  ex.check<>();
  if (running.thrown._not_nil()) ::sidl::throw_exception<>(::sidl::release(running.thrown));
  return std::move(running.results);
}

std::shared_ptr<const MethodPlan> ServedObject::plan_for(const ClientRank& caller,
                                                         const sidl_method_info& method) {
  std::map<std::string, MethodPlan::How> divided;
  {
    const auto lock = group_->monitor().lock();
    const Client& client = clients_.at(caller.client);
    const auto found = client.plans.find(method.name);
    if (found != client.plans.end()) return found->second;
    divided = client.divided;
  }
  const auto made = std::make_shared<const MethodPlan>(
      method, MethodPlan::Role::Server, group_->rank(), [&](const std::string& argument) {
        const auto found = divided.find(argument);
        if (found == divided.end()) {
          throw Misfit(callers_.name_of(caller) + " has not said how '" + argument +
                       "' is divided");
        }
        return found->second;
      });
  const auto lock = group_->monitor().lock();
  clients_.at(caller.client).plans.emplace(method.name, made);
  return made;
}

// ---- collective calls
// ----------------------------------------------------------------------------

ServedObject::Answer ServedObject::run(const ClientRank& caller, Request request) {
  const CallKey key = request.key;
  std::shared_ptr<Call> call;
  const auto give_up = [&](const Reason& why) {
    if (call != nullptr) leave(caller, *call);
    group_->give_up(key, why);
  };
  try {
    call = enter(caller, std::move(request));
    await(caller, *call);
  } catch (const GivenUp& already) {
    if (call != nullptr) leave(caller, *call);
    if (already.why.is_disagreement) throw Misfit(already.why.text);
    ::sidl::protocol::fail<::sidl::rmi::CancelledException>(already.why.text);
  } catch (const Misfit& misfit) {
    give_up({misfit.what(), true});
    throw;
  } catch (const ::sidl::BaseException& failure) {
    give_up(reason_of(failure));
    throw;
  }
  try {
    Answer answer = answer_for(caller, *call);
    leave(caller, *call);
    return answer;
  } catch (...) {
    leave(caller, *call);
    throw;
  }
}

// The part is there; nobody waits for it any more.
std::shared_ptr<ServedObject::Call> ServedObject::enter(const ClientRank& caller, Request request) {
  const sidl_method_info& found = method(request.method, request.digest, true);
  const std::vector<int> drivers = drivers_of(group_->rank(), caller.ranks, group_->size());
  if (request.drives != std::ranges::binary_search(drivers, caller.rank)) {
    throw Misfit(callers_.name_of(caller) + " has " + (request.drives ? "" : "not ") +
                 "given the arguments of '" + found.name + "' to rank " +
                 std::to_string(group_->rank()) + " of '" + name_ + "'");
  }
  if (Within::is_of(*group_)) {
    throw Misfit(std::string("'") + found.name + "' of '" + name_ +
                 "' is called within a collective method of the same ranks, and would have to wait "
                 "for its end");
  }
  std::shared_ptr<const MethodPlan> plan;
  if (request.drives) plan = plan_for(caller, found);
  const auto lock = group_->monitor().lock();
  const Agenda& agenda = group_->agenda();
  if (const Reason* const why = agenda.given_up(request.key)) throw GivenUp{*why};
  if (agenda.has_run(request.key)) throw GivenUp{{"the call runs, or is over, without this part"}};
  std::shared_ptr<Call>& call = calls_[request.key];
  if (call == nullptr) {
    call = std::make_shared<Call>();
    call->key = request.key;
    call->method = &found;
  }
  if (call->method != &found) {
    throw Misfit(callers_.name_of(caller) + " calls " + found.name + ", and others call " +
                 call->method->name + ": all ranks have to call the same, in one order");
  }
  if (plan != nullptr && call->plan == nullptr) {
    call->plan = plan;
    call->expected = plan->peers();
    call->expected.insert(call->expected.end(), drivers.begin(), drivers.end());
  }
  const bool is_new =
      call->parts
          .try_emplace(caller.rank, Call::Part{request.drives, request.arguments, request.pieces})
          .second;
  if (!is_new) throw Misfit(callers_.name_of(caller) + " takes part twice in one call");
  leave_behind(caller, request.key);
  group_->monitor().wake();
  return call;
}

// A rank has come to a call, and so takes no part in earlier ones any more. With the lock.
void ServedObject::leave_behind(const ClientRank& caller, const CallKey& key) {
  std::vector<CallKey> earlier = group_->agenda().earlier_than(key);
  for (auto each = calls_.lower_bound({key.client, 0}); each->first < key; ++each) {
    earlier.push_back(each->first);
  }
  for (const CallKey& each : earlier) {
    const auto found = calls_.find(each);
    if (found != calls_.end() && found->second->parts.contains(caller.rank)) continue;
    group_->agenda().give_up(each, {callers_.name_of(caller) + " has gone on to another call"});
  }
}

bool ServedObject::can_run(const Call& call) {
  return call.plan != nullptr && group_->agenda().is_next(call.key) &&
         std::ranges::all_of(call.expected,
                             [&call](int rank) { return call.parts.contains(rank); });
}

// Until the call is over: one of the threads with its parts runs it; that of the client's rank 0 in
// the server's sees to its order.
void ServedObject::await(const ClientRank& caller, Call& call) {
  // The caller waits a moment longer, to hear what it has waited for.
  Clock::time_point deadline = deadline_of_thread();
  if (deadline != Clock::time_point::max()) deadline -= kTelling;
  Agenda& agenda = group_->agenda();
  bool may_be_first = group_->rank() == 0 && caller.rank == 0;
  GroupState::Passed passed;
  GroupState::Behind behind;
  Clock::time_point next_look = Clock::now() + kFirstLookAfter;
  auto lock = group_->monitor().lock();
  while (!call.is_over) {
    const auto wants_position = [&] { return may_be_first && agenda.needs_position(call.key); };
    Clock::time_point until = std::min(deadline, next_look);
    if (!passed.empty()) until = std::min(until, Clock::now() + kLook);
    const auto outcome = group_->monitor().wait(lock, until, [&] {
      return call.is_over || agenda.given_up(call.key) != nullptr || can_run(call) ||
             wants_position();
    });
    if (call.is_over) return;
    if (const Reason* const why = agenda.given_up(call.key)) throw GivenUp{*why};
    if (outcome == Monitor::Outcome::Ready && can_run(call)) {
      run_here(call, lock);
      return;
    }
    const bool has_begun = agenda.has_run(call.key);
    lock.unlock();
    if (outcome == Monitor::Outcome::GivenUp) {
      ::sidl::protocol::fail<::sidl::rmi::CancelledException>(
          callers_.name_of(caller) + " has gone, or has given the call up");
    }
    if (Monitor::Clock::now() >= deadline) {
      ::sidl::protocol::fail<::sidl::rmi::TimeOutException>(
          "the deadline of " + callers_.name_of(caller) + " has passed: " + obstacle(call));
    }
    if (outcome == Monitor::Outcome::Ready) {
      may_be_first = false;
      passed = group_->put_in_order(call.key);
    }
    group_->check(passed, false);
    if (Clock::now() >= next_look) {
      if (!has_begun) look_after_order(call, behind, deadline);
      next_look = Clock::now() + kNextLookAfter;
    }
    lock.lock();
  }
}

// Ranks that are gone tell no order; and what others have given up may not have reached this one,
// or what it waits for.
void ServedObject::look_after_order(const Call& call, GroupState::Behind& behind,
                                    Clock::time_point deadline) {
  group_->look_after_first(call.key, behind, deadline);
  const std::string why = group_->order_is_gone(deadline);
  if (why.empty()) return;
  ::sidl::protocol::fail<::sidl::rmi::UnexpectedCloseException>(
      std::string("'") + call.method->name + "' of '" + name_ + "' cannot run any more: " + why);
}

// The lowest rank whose part a call needs, and has not got; if none has come that drives, one of
// those that do. With the lock.
std::optional<ClientRank> ServedObject::first_missing(const CallKey& key) const {
  const auto client = clients_.find(key.client);
  if (client == clients_.end()) return {};
  const int ranks = client->second.ranks;
  const auto call = calls_.find(key);
  const bool is_known = call != calls_.end() && !call->second->expected.empty();
  std::optional<ClientRank> lowest;
  for (const int rank :
       is_known ? call->second->expected : drivers_of(group_->rank(), ranks, group_->size())) {
    if (lowest && lowest->rank <= rank) continue;
    const bool has_come = call != calls_.end() && call->second->parts.contains(rank);
    if (!has_come) lowest = ClientRank{key.client, rank, ranks};
  }
  return lowest;
}

// Of several that are missing the lowest counts: if that is alive, the client's own ranks see to
// the others, and if it comes, the next one is the lowest.
std::string ServedObject::why_gone(const CallKey& key) {
  std::optional<ClientRank> missing;
  {
    const auto lock = group_->monitor().lock();
    missing = first_missing(key);
  }
  return missing ? callers_.why_gone(*missing, key) : std::string();
}

std::string ServedObject::missing_part(const CallKey& key) {
  const auto call = calls_.find(key);
  const std::string what =
      call == calls_.end() ? "a call" : std::string("'") + call->second->method->name + "'";
  const auto missing = first_missing(key);
  if (!missing) return what;
  return what + ", to which rank " + std::to_string(missing->rank) + " of its callers" +
         callers_.place_of(*missing) + " has not come";
}

// What a call waits for, in words.
std::string ServedObject::obstacle(const Call& call) {
  const auto lock = group_->monitor().lock();
  std::string missing;
  for (const int rank : std::set<int>(call.expected.begin(), call.expected.end())) {
    if (call.parts.contains(rank)) continue;
    missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    if (missing.size() > kMostMissing) {
      missing += " and others";
      break;
    }
  }
  const std::string what = std::string("'") + call.method->name + "'";
  if (!missing.empty()) return what + " still waits for the callers' ranks " + missing;
  if (group_->agenda().has_run(call.key)) return what + " still runs";
  return what + " still waits for its turn" + group_->ahead_of(call.key);
}

// The lock is released meanwhile.
void ServedObject::run_here(Call& call, std::unique_lock<std::mutex>& lock) {
  call.sequence = group_->agenda().start(call.key);
  lock.unlock();
  const bool has_begun = execute(call);
  const Reason why = has_begun ? Reason() : reason_of(call.thrown);
  lock.lock();
  call.is_over = true;
  if (has_begun) {
    group_->agenda().finish(call.key);
  } else {
    group_->agenda().withdraw(call.key, why);
  }
  group_->monitor().wake();
  if (has_begun) return;
  lock.unlock();
  group_->give_up(call.key, why);
  lock.lock();
}

// False if the method has not begun: its arguments do not fit it.
bool ServedObject::execute(Call& call) {
  bool has_begun = false;
  try {
    const Turn turn(*this, is_concurrent_);
    const Within within(*group_, call.sequence);
    RunningMethod running(call.arguments(), call.plan.get());
    for (const auto& [rank, part] : call.parts) running.pieces.emplace_back(rank, part.pieces);
    exception_slot ex;
    sidl_rmi_run(object_._get_self(), call.method, &running, ex.ptr());
    has_begun = running.has_arguments;
    ex.check<>();
    call.thrown = running.thrown;
    call.results = std::move(running.results);
    call.arrays = std::move(running.arrays);
  } catch (...) {
    call.thrown = ::sidl::BaseInterface(::sidl::current_exception());
  }
  return has_begun;
}

ServedObject::Answer ServedObject::answer_for(const ClientRank& caller, const Call& call) {
  Answer answer;
  answer.failed = call.thrown._not_nil();
  if (answer.failed) {
    if (caller.rank != call.first_driver()) return answer;
    ::sidl::BaseInterface thrown = call.thrown;
    ::sidl::throw_exception<>(::sidl::release(thrown));
  }
  answer.pieces = call.plan->pack(caller.rank, call.arrays);
  if (call.parts.at(caller.rank).drives) answer.results = call.results;
  return answer;
}

// The last thread that has a part removes the call.
void ServedObject::leave(const ClientRank& caller, const Call& call) {
  const auto lock = group_->monitor().lock();
  const auto found = calls_.find(call.key);
  if (found == calls_.end() || found->second.get() != &call) return;
  // Other threads look at the parts of one that runs, or is over.
  if (call.is_over || group_->agenda().has_run(call.key)) {
    if (++found->second->left < call.parts.size()) return;
  } else {
    found->second->parts.erase(caller.rank);
    if (!call.parts.empty()) return;
  }
  calls_.erase(found);
}

}  // namespace shinar::par
