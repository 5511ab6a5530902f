#include "impl/parallel_client.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>

#include "calls/partners.hpp"
#include "core/digest.hpp"
#include "impl/collective_call.hpp"
#include "impl/deadlines.hpp"
#include "impl/misfits.hpp"
#include "impl/served_indices.hpp"
#include "impl/urls.hpp"
#include "impl/values.hpp"
#include "impl/within.hpp"
#include "sidl_par_CallValues_Impl.hxx"
#include "sidl_par_DistributionException.hxx"
#include "sidl_par_Distribution_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_TimeOutException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"
#include "sidl_skel.hxx"

namespace shinar::par {
namespace {

using ::sidl::exception_slot;
using ::sidl::par::Attachment;
using ::sidl::par::CallValues;
using ::sidl::par::CallValues_impl;
using ::sidl::par::Servant;
using std::chrono::milliseconds;

// An object that is not published yet is waited for this long, unless the thread has a deadline.
constexpr std::chrono::seconds kPublishing{60};
// While a call lasts, the ranks of the group look after each other: after the first, then each.
constexpr milliseconds kFirstLook{500};
constexpr milliseconds kNextLook{1000};

// What is wrong with indices says so for any argument.
std::string naming(const std::string& argument, const std::string& text) {
  const std::string name = "'" + argument + "'";
  return text.find(name) == std::string::npos ? name + ": " + text : text;
}

bool checks_arguments() {
  const char* const text = std::getenv("SIDL_PAR_CHECKS");
  return text != nullptr && std::string(text) != "0";
}

}  // namespace

ParallelClient::ParallelClient(std::shared_ptr<GroupState> group, std::string name,
                               std::vector<std::string> urls)
    : group_(std::move(group)),
      name_(std::move(name)),
      urls_(std::move(urls)),
      home_(group_->rank() % static_cast<int>(urls_.size())),
      context_(group_->new_context()),
      id_(group_->token() + "." + std::to_string(context_)),
      pulse_(::sidl::par::Pulse::_create()) {}

ParallelClient::~ParallelClient() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    changed_.notify_all();
  }
  if (watcher_.joinable()) watcher_.join();
  group_->end_context(context_);
}

// ---- connecting
// ----------------------------------------------------------------------------------

std::shared_ptr<ParallelClient> ParallelClient::connect(std::shared_ptr<GroupState> group,
                                                        std::string name,
                                                        const std::vector<std::string>& urls) {
  if (urls.empty()) throw Misfit("'urls' is empty: it has the URL of each rank's server");
  std::vector<std::string> of_ranks;
  for (const std::string& url : urls) of_ranks.push_back(object_url(url, name));
  std::shared_ptr<ParallelClient> result(
      new ParallelClient(std::move(group), std::move(name), std::move(of_ranks)));
  Operation operation(*result);
  result->agree_on_name(operation);
  Letter mine = attempt(result->group_->rank(), [&] { result->attach_driven(); });
  check(operation.exchange(std::move(mine), GroupState::Phase::Before));
  result->is_published_ = true;
  result->agree_on_type(operation);
  return result;
}

// That all ranks connect with one object, before they wait for different ones.
void ParallelClient::agree_on_name(Operation& operation) {
  Digest digest;
  for (const std::string& url : urls_) digest.add(url.c_str(), url.size() + 1);
  const std::string both = "rank " + std::to_string(rank()) + " and rank 0 ";
  const std::string mine = std::to_string(digest.value()) + " " + name_;
  operation.agree(mine, [&](const std::string& first) {
    const std::string its_name = first.substr(first.find(' ') + 1);
    if (its_name == name_) return both + "have different URLs of the ranks of '" + name_ + "'";
    return both + "connect with different objects, '" + name_ + "' and '" + its_name +
           "': all ranks of a group connect with one together";
  });
}

// That all ranks of the object have published one of the same class.
void ParallelClient::agree_on_type(Operation& operation) {
  const std::string mine = type_name();
  operation.agree(mine, [&](const std::string& first) {
    return of_other_class(home_, mine, name_of(0), first);
  });
}

std::string ParallelClient::type_name() {
  attachment(home_);
  const std::lock_guard lock(mutex_);
  return type_name_;
}

std::string ParallelClient::of_other_class(int rank, const std::string& its,
                                           const std::string& other_rank,
                                           const std::string& other) const {
  return name_of(rank) + " has published an object of class " + its + ", and " + other_rank +
         " one of " + other + ": all ranks publish objects of one class";
}

void ParallelClient::attach_driven() {
  for (const int each : driven_by(group_->rank(), group_->size(), static_cast<int>(urls_.size()))) {
    attachment(each);
  }
}

// Waits until the rank has published the object, unless all have.
Servant ParallelClient::connected(int rank) const {
  const auto until =
      is_published_ ? Clock::now() : std::min(deadline_of_thread(), Clock::now() + kPublishing);
  for (;;) {
    try {
      return Servant::_connect(urls_[static_cast<std::size_t>(rank)]);
    } catch (::sidl::rmi::NetworkException& failure) {
      const bool may_come = may_still_come(failure);
      if (!may_come || Clock::now() >= until) {
        const bool is_lost = may_come || is_one_of<::sidl::rmi::UnexpectedCloseException>(failure);
        failure.setNote(name_of(rank) +
                        (is_published_ && is_lost ? " is gone: "
                         : may_come ? " has not been published within the time that this rank has "
                                      "(60 s if its thread has no deadline): "
                                    : ": ") +
                        failure.getNote());
        throw;
      }
    }
    std::this_thread::sleep_for(milliseconds(20));
  }
}

Attachment ParallelClient::attachment(int rank) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = attachments_.find(rank);
    if (found != attachments_.end()) return found->second;
  }
  const Servant servant = connected(rank);
  int32_t ranks = 0;
  const int32_t its_rank = servant.getRank(ranks);
  if (its_rank != rank || ranks != static_cast<int>(urls_.size())) {
    throw Misfit(urls_[static_cast<std::size_t>(rank)] + " is rank " + std::to_string(its_rank) +
                 " of " + std::to_string(ranks) + "; its place among the URLs makes it rank " +
                 std::to_string(rank) + " of " + std::to_string(urls_.size()));
  }
  const Attachment made = servant.attach(id_, group_->rank(), group_->size());
  made.introduce(pulse_, group_->urls().empty() ? "" : group_->urls()[group_->rank()]);
  std::string type = servant.getTypeName();
  const std::lock_guard lock(mutex_);
  if (type_name_.empty()) {
    type_name_ = std::move(type);
  } else if (type != type_name_) {
    throw Misfit(of_other_class(rank, type, name_of(attachments_.begin()->first), type_name_));
  }
  return attachments_.emplace(rank, made).first->second;
}

void ParallelClient::distribute(const std::string& argument,
                                const ::sidl::par::Distribution& distribution) {
  if (const auto list = list_of(distribution, "distribution")) {
    Operation operation(*this);
    operation.begin("Group.distribute of '" + argument + "'");
    return distribute_lists({{argument, *list}}, operation);
  }
  check_ranks(argument, value_of(distribution, "distribution").ranks(), group_->size());
  check_argument(argument);
  const std::lock_guard lock(mutex_);
  distributions_.insert_or_assign(argument, distribution);
  listed_.erase(argument);
  plans_.erase(argument.substr(0, argument.find('.')));
}

// What a rank of the object is asked of an argument: a failure names both.
template <typename Work>
auto ParallelClient::asking(int rank, const std::string& argument, Work work) {
  try {
    return work(attachment(rank));
  } catch (::sidl::rmi::NetworkException& failure) {
    explain(failure, "'" + argument + "' on " + name_of(rank));
    throw;
  } catch (::sidl::par::DistributionException& failure) {
    failure.setNote(naming(argument, failure.getNote()));
    throw;
  }
}

// That the object has it.
void ParallelClient::check_argument(const std::string& argument) {
  asking(home_, argument, [&](const Attachment& home) { home.checkArgument(argument); });
}

::sidl::par::Distribution ParallelClient::distribution_there(const std::string& argument) {
  return asking(home_, argument,
                [&](const Attachment& home) { return home.getDistribution(argument); });
}

// First all ranks claim what they have; then the object's ranks ask who has theirs.
void ParallelClient::distribute_lists(const std::map<std::string, IndexList>& lists,
                                      Operation& operation) {
  std::map<std::string, std::shared_ptr<const MethodPlan::Listed>> found;
  const auto claim = [&] {
    for (const auto& [argument, list] : lists) {
      found.emplace(argument, std::make_shared<const MethodPlan::Listed>(MethodPlan::Listed{
                                  claimed(argument, list, operation.number()), list.size()}));
    }
  };
  const auto prepare = [&] {
    for (const auto& [argument, list] : lists) {
      for (const int each : prepared_by(rank())) {
        asking(each, argument, [&, &of = argument](const Attachment& to) {
          to.prepareIndices(of, operation.number());
        });
      }
    }
  };
  check(operation.exchange(attempt(rank(), claim), GroupState::Phase::Before));
  operation.deadline().apply();
  check(operation.exchange(attempt(rank(), prepare), GroupState::Phase::Before));
  const std::lock_guard lock(mutex_);
  for (const auto& [argument, listed] : found) {
    listed_.insert_or_assign(argument, listed);
    distributions_.erase(argument);
    plans_.erase(argument.substr(0, argument.find('.')));
  }
}

std::vector<Message> ParallelClient::claimed(const std::string& argument, const IndexList& list,
                                             std::int64_t turn) {
  check_list(argument, list, rank(), group_->size());
  check_argument(argument);
  const ::sidl::par::Distribution theirs = distribution_there(argument);
  if (list_of(theirs, "distribution") == nullptr) {
    check_one_dimension(argument, value_of(theirs, "distribution"));
  }
  const IndexList::Order order = [&] {
    try {
      return list.order(static_cast<int>(urls_.size()));
    } catch (const Misfit& misfit) {
      throw Misfit(naming(argument, misfit.what()));
    }
  }();
  std::vector<std::int32_t> owners;
  owners.reserve(static_cast<std::size_t>(list.size()));
  for_each_part(list, order, [&](int part, const std::vector<std::int64_t>& indices) {
    const std::vector<int> those = asking(part, argument, [&](const Attachment& to) {
      return to_vector(to.claimIndices(argument, turn, to_array(indices)), "owners");
    });
    check_owners(those, indices.size(), 0, static_cast<int>(urls_.size()));
    owners.insert(owners.end(), those.begin(), those.end());
  });
  return messages_of(order, owners);
}

// Of the ranks that it drives, those of which it is the first that does.
std::vector<int> ParallelClient::prepared_by(int rank) const {
  std::vector<int> ranks = driven_by(rank, group_->size(), static_cast<int>(urls_.size()));
  std::erase_if(ranks, [&](int each) { return each % group_->size() != rank; });
  return ranks;
}

// How both sides have divided the distributed arguments of a method.
std::vector<Divided> ParallelClient::divided_arguments(const sidl_method_info& method) {
  std::vector<Divided> arguments;
  for (int i = 0; i < method.arg_count; ++i) {
    if (!is_distributed(method.args[i])) continue;
    Divided divided{argument_name(method, method.args[i]), {}, {}};
    {
      const std::lock_guard lock(mutex_);
      const auto found = distributions_.find(divided.argument);
      if (found != distributions_.end()) {
        divided.mine = found->second;
      } else if (!listed_.contains(divided.argument)) {
        throw Misfit("rank " + std::to_string(rank()) + " has not said how '" + divided.argument +
                     "' is divided: call sidl.par.Group.distribute");
      }
    }
    divided.theirs = distribution_there(divided.argument);
    arguments.push_back(std::move(divided));
  }
  return arguments;
}

// Likewise; throws on all ranks if they have said, or heard, different things.
std::vector<Divided> ParallelClient::agreed_arguments(const sidl_method_info& method,
                                                      Operation& operation) {
  std::vector<Divided> arguments;
  Letter mine = attempt(rank(), [&] { arguments = divided_arguments(method); });
  if (group_->size() > 1) mine = operation.exchange(mine, GroupState::Phase::Before);
  check(mine);
  const std::string text = text_of(arguments);
  operation.agree(text, [&](const std::string& first) {
    return difference_of(text, {rank(), home_}, first, {0, 0}, name_);
  });
  return arguments;
}

// Where the object has lists, and this group has not, lists are made of what its ranks have.
void ParallelClient::make_lists(const std::vector<Divided>& arguments, Operation& operation) {
  std::vector<Divided> listed_there;
  std::ranges::copy_if(arguments, std::back_inserter(listed_there), [](const Divided& each) {
    return each.mine._not_nil() && list_of(each.theirs, "distribution") != nullptr;
  });
  if (listed_there.empty()) return;
  std::map<std::string, IndexList> lists;
  const auto make = [&] {
    for (const Divided& each : listed_there) {
      const Distribution& own = value_of(each.mine, "distribution");
      check_one_dimension(each.argument, own);
      lists.emplace(each.argument, IndexList::of(own, rank()));
    }
  };
  check(operation.exchange(attempt(rank(), make), GroupState::Phase::Before));
  distribute_lists(lists, operation);
}

std::shared_ptr<const ParallelClient::Plan> ParallelClient::plan_for(const sidl_method_info& method,
                                                                     Operation& operation) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = plans_.find(method.name);
    if (found != plans_.end()) return found->second;
  }
  const auto made = made_plan(method, operation);
  const std::lock_guard lock(mutex_);
  return plans_.insert_or_assign(method.name, made).first->second;
}

std::shared_ptr<const ParallelClient::Plan> ParallelClient::made_plan(
    const sidl_method_info& method, Operation& operation) {
  auto plan = std::make_shared<Plan>();
  plan->driven = driven_by(group_->rank(), group_->size(), static_cast<int>(urls_.size()));
  std::set<int> peers(plan->driven.begin(), plan->driven.end());
  if (has_distributed(method)) {
    operation.begin("a call of '" + std::string(method.name) + "'");
    const std::vector<Divided> arguments = agreed_arguments(method, operation);
    make_lists(arguments, operation);
    Letter mine = attempt(rank(), [&] {
      const auto how_divided = [&](const std::string& argument) {
        return how(*std::ranges::find(arguments, argument, &Divided::argument), plan->driven);
      };
      plan->distributed =
          std::make_unique<MethodPlan>(method, MethodPlan::Role::Client, rank(), how_divided);
      for (const int each : plan->distributed->peers()) {
        attachment(each);
        peers.insert(each);
      }
    });
    if (group_->size() > 1) mine = operation.exchange(mine, GroupState::Phase::Before);
    check(mine);
  }
  plan->peers.assign(peers.begin(), peers.end());
  return plan;
}

MethodPlan::How ParallelClient::how(const Divided& divided, const std::vector<int>& driven) {
  {
    const std::lock_guard lock(mutex_);
    const auto listed = listed_.find(divided.argument);
    if (listed != listed_.end()) return listed->second;
  }
  MethodPlan::Sides sides{value_of(divided.mine, "distribution"),
                          value_of(divided.theirs, "distribution")};
  for (const int each : driven) {
    asking(each, divided.argument,
           [&](const Attachment& to) { to.prepare(divided.argument, divided.mine); });
  }
  return sides;
}

// ---- calls
// ---------------------------------------------------------------------------------------

void ParallelClient::call(const sidl_method_info& method, void* const* args, void* result) {
  if ((method.flags & sidl_method_collective) != 0) {
    call_together(method, args, result);
  } else {
    call_alone(method, args, result);
  }
}

void ParallelClient::call_alone(const sidl_method_info& method, void* const* args, void* result) {
  Items items;
  ItemSink sink = sink_of(items, false);
  exception_slot ex;
  sidl_rmi_put_arguments(&sink.base, &method, args, ex.ptr());
  ex.check<>();
  const CallValues arguments = values_of(std::move(items));
  const auto digest = static_cast<std::int64_t>(method.digest);
  CallValues results;
  try {
    const Attachment target = attachment(home_);
    if ((method.flags & sidl_method_oneway) != 0) {
      target.call_send(method.name, digest, arguments);
      return;
    }
    results = target.call(method.name, digest, arguments);
  } catch (::sidl::rmi::NetworkException& failure) {
    explain(failure, "'" + std::string(method.name) + "' on " + name_of(home_));
    throw;
  }
  ItemSource source = source_of(items_in(results));
  sidl_rmi_get_outputs(&source.base, &method, args, result, ex.ptr());
  ex.check<>();
}

void ParallelClient::call_together(const sidl_method_info& method, void* const* args,
                                   void* result) {
  Operation operation(*this);
  const bool is_checked = checks_arguments();
  if (is_checked) operation.compare(method);
  const std::shared_ptr<const Plan> plan = plan_for(method, operation);
  CollectiveCall call(*this, method, *plan, args);
  if (is_checked && group_->size() > 1) {
    operation.agree(call.text(),
                    [&](const std::string& first) { return call.difference_of(first); });
  }
  // The server's ranks look at the deadline as well, and know more.
  operation.deadline().apply(kTelling);
  operation.enter_call(method.name);
  if (operation.deadline().has_passed()) {
    call.refuse(failure<::sidl::rmi::TimeOutException>(
        0, "the deadline of the call that rank " + std::to_string(rank()) +
               " of the callers runs has passed before it calls '" + method.name + "'"));
  } else if (const std::string missing = group_->missing(operation.deadline().until());
             !missing.empty()) {
    call.refuse(failure<::sidl::rmi::UnexpectedCloseException>(0, missing));
  }
  Letter outcome = call.run(operation.number());
  if (group_->size() > 1) {
    outcome = operation.exchange(
        std::move(outcome), GroupState::Phase::AtEnd,
        call.has_lost_rank() ? Clock::now() + kParting : Clock::time_point::max());
  }
  if (outcome.failed && outcome.priority >= Letter::kDisagree) {
    give_up(operation.number(), reason_of(outcome));
  }
  check(outcome);
  call.take_results(result);
}

ParallelClient::Operation::Operation(ParallelClient& client) : client_(client) {
  const std::lock_guard lock(client_.mutex_);
  if (client_.group_->size() > 1 && client_.is_calling_) {
    throw Misfit("two threads call collective methods of '" + client_.name_ +
                 "' at the same time: all ranks have to call them in one order");
  }
  client_.is_calling_ = true;
  // Ranks that have not run the same methods before are in step again within this one.
  client_.operations_ = std::max(client_.operations_, Within::sequence_of(*client_.group_));
  number_ = ++client_.operations_;
}

ParallelClient::Operation::~Operation() {
  if (client_.group_->size() > 1 && number_ != 0) {
    client_.group_->leave(client_.context_, number_);
  }
  const std::lock_guard lock(client_.mutex_);
  client_.is_calling_ = false;
  client_.watched_ = 0;
}

void ParallelClient::Operation::begin(const std::string& what) {
  agree(what, [&](const std::string& first) {
    return "rank " + std::to_string(client_.rank()) + " has come to " + what + ", and rank 0 to " +
           first.substr(0, first.find('\n')) +
           ": all ranks have to call the same methods, and Group.distribute, in one order";
  });
}

void ParallelClient::Operation::agree(const std::string& text, const Difference& difference) {
  if (client_.group_->size() == 1) return;
  par::compare(text, client_.rank(), difference,
               [&](Letter mine) { return exchange(std::move(mine), GroupState::Phase::Before); });
}

void ParallelClient::Operation::compare(const sidl_method_info& method) {
  try {
    client_.group_->compare_calls(method.digest + static_cast<std::uint64_t>(client_.context_),
                                  deadline_.until(2 * kTelling));
  } catch (...) {
    // Those that have called another object have no such operation of this one.
    number_ = 0;
    const std::lock_guard lock(client_.mutex_);
    --client_.operations_;
    throw;
  }
}

Letter ParallelClient::Operation::exchange(Letter mine, GroupState::Phase phase,
                                           Clock::time_point most) {
  if (++exchanges_ >= GroupState::kMostExchanges) throw std::logic_error("too many exchanges");
  const std::int64_t exchange = GroupState::number_of(number_, exchanges_);
  const auto until = std::min(most, deadline_.until(2 * kTelling));
  Letter letter =
      client_.group_->exchange({client_.context_, exchange, until, phase}, std::move(mine));
  // Others may be in a call that this rank was to take part in.
  if (letter.failed && phase == GroupState::Phase::Before) {
    client_.give_up(number_, reason_of(letter));
  }
  return letter;
}

void ParallelClient::Operation::enter_call(const std::string& method) const {
  if (client_.group_->size() == 1) return;
  client_.group_->enter_call(client_.context_, number_, method);
  const std::lock_guard lock(client_.mutex_);
  client_.watched_ = number_;
  client_.next_look_ = Clock::now() + kFirstLook;
  if (!client_.watcher_.joinable()) {
    client_.watcher_ = std::thread([&client = client_] { client.watch(); });
  }
  if (client_.is_watcher_at_rest_) client_.changed_.notify_all();
}

std::string ParallelClient::name_of(int rank) const {
  return "rank " + std::to_string(rank) + " of '" + name_ + "' (" +
         urls_[static_cast<std::size_t>(rank)] + ")";
}

// ---- what ends calls
// -----------------------------------------------------------------------------

// All ranks that this one knows: some may be gone, or have stopped.
void ParallelClient::give_up(std::int64_t number, const Reason& why) {
  std::vector<Attachment> known;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [rank, attachment] : attachments_) known.push_back(attachment);
  }
  const WithDeadline deadline(kTelling.count());
  for (const Attachment& each : known) {
    try {
      each.giveUp(number, why.text, why.is_disagreement);
    } catch (const std::exception&) {
      // The others tell each other.
    }
  }
}

// While this rank waits in a call, it looks after the one before it. It finds out by itself that
// another call has begun: being woken for each would cost that more than the rest of it.
void ParallelClient::watch() {
  std::unique_lock lock(mutex_);
  std::int64_t told = 0;  // the call that is given up
  while (!is_ending_) {
    if (watched_ == 0) {
      is_watcher_at_rest_ = true;
      changed_.wait(lock, [this] { return watched_ != 0 || is_ending_; });
      is_watcher_at_rest_ = false;
      continue;
    }
    if (Clock::now() < next_look_) {
      changed_.wait_until(lock, next_look_, [this] { return is_ending_; });
      continue;
    }
    const std::int64_t number = watched_;
    if (number != told) {
      lock.unlock();
      const std::string why = group_->neighbour_is_gone();
      if (!why.empty()) give_up(number, {why});
      lock.lock();
      if (!why.empty()) told = number;
    }
    if (watched_ == number) next_look_ = Clock::now() + kNextLook;
  }
}

}  // namespace shinar::par
