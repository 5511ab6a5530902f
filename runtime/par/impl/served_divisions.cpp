// ServedObject: how its arguments are divided, on its own side and by its clients.
#include <algorithm>

#include "impl/deadlines.hpp"
#include "impl/served_object.hpp"
#include "sidl_par_Distribution_Impl.hxx"

namespace shinar::par {
namespace {

// How long clients wait until a server says how an argument is divided.
constexpr std::chrono::milliseconds kSaying{5000};

}  // namespace

const sidl_arg_info& ServedObject::check_argument(const std::string& argument) const {
  const sidl_type_info& type = *sidl_object_type(object_._get_self());
  if (const sidl_arg_info* const found = find_distributed(type, argument)) return *found;
  throw Misfit("class " + std::string(type.name) + " has no '" + argument +
               "' with %attrib{distributed}: name a method and its argument, \"method.argument\"");
}

// With the lock.
void ServedObject::check_unused(const std::string& argument) const {
  const bool is_used = std::ranges::any_of(
      clients_, [&](const auto& each) { return each.second.divided.contains(argument); });
  if (is_used) {
    throw Misfit("'" + argument + "' is in use: its distribution cannot change any more");
  }
}

void ServedObject::distribute(const std::string& argument, const Distribution& distribution) {
  check_dimension(check_argument(argument), argument, distribution);
  check_ranks(argument, distribution.ranks(), group_->size());
  const auto lock = group_->monitor().lock();
  check_unused(argument);
  indices_.erase(argument);
  distributions_.insert_or_assign(argument, distribution);
  group_->monitor().wake();
}

void ServedObject::distribute(const std::string& argument, std::shared_ptr<const IndexList> list) {
  std::shared_ptr<ServedIndices> made;
  const Letter mine = attempt(group_->rank(), [&] {
    check_argument(argument);
    check_list(argument, *list, group_->rank(), group_->size());
    made = std::make_shared<ServedIndices>(*group_, name_, argument, list);
    const auto lock = group_->monitor().lock();
    check_unused(argument);
    distributions_.erase(argument);
    indices_.insert_or_assign(argument, made);
  });
  check(group_->agree(mine));
  made->gather();
  const auto lock = group_->monitor().lock();
  group_->monitor().wake();
}

// With the lock.
bool ServedObject::has_said(const std::string& argument) const {
  const auto listed = indices_.find(argument);
  return distributions_.contains(argument) ||
         (listed != indices_.end() && listed->second->is_ready());
}

// Servers say it after publish, when clients may be there already, and each rank for itself.
void ServedObject::await_said(std::unique_lock<std::mutex>& lock, const std::string& argument) {
  const auto until = std::min(deadline_of_thread(), Clock::now() + kSaying);
  const auto outcome = group_->monitor().wait(lock, until, [&] { return has_said(argument); });
  if (outcome == Monitor::Outcome::Ready) return;
  // Lists are said together: this rank may have come to it, and another one has not.
  const bool waits_for_others = indices_.contains(argument);
  lock.unlock();
  const int silent = waits_for_others ? group_->late_in_agreement() : group_->rank();
  const std::string others = waits_for_others ? ", with a list of indices as rank " +
                                                    std::to_string(group_->rank()) + " has"
                                              : "";
  throw Misfit("rank " + std::to_string(silent) + " of '" + name_ + "' has not said how '" +
               argument + "' is divided: it has to call sidl.par.Group.distribute after publish" +
               others);
}

::sidl::par::Distribution ServedObject::distribution(const std::string& argument) {
  check_argument(argument);
  auto lock = group_->monitor().lock();
  await_said(lock, argument);
  const auto found = distributions_.find(argument);
  return found == distributions_.end()
             ? to_object(std::make_shared<const IndexList>(group_->size()))
             : to_object(found->second);
}

std::shared_ptr<ServedIndices> ServedObject::gathered_indices(const std::string& argument) {
  const auto lock = group_->monitor().lock();
  const auto found = indices_.find(argument);
  if (found != indices_.end()) return found->second;
  throw Misfit("'" + argument + "' of '" + name_ + "' is not divided by lists of indices");
}

// Of an argument without lists, for clients that have some, made when one comes.
std::shared_ptr<ServedIndices> ServedObject::indices(const std::string& argument) {
  check_argument(argument);
  auto lock = group_->monitor().lock();
  await_said(lock, argument);
  const auto found = indices_.find(argument);
  if (found != indices_.end()) return found->second;
  const Distribution own = distributions_.at(argument);
  lock.unlock();
  check_one_dimension(argument, own);
  const auto made = std::make_shared<ServedIndices>(
      *group_, name_, argument,
      std::make_shared<const IndexList>(IndexList::of(own, group_->rank())));
  made->gather(own);
  lock.lock();
  const auto now = distributions_.find(argument);
  if (now == distributions_.end() || &now->second.division() != &own.division()) {
    throw Misfit("'" + argument + "' of '" + name_ + "' has been divided anew meanwhile");
  }
  return indices_.try_emplace(argument, made).first->second;
}

// With the lock.
void ServedObject::forget_plan(Client& client, const std::string& argument) {
  client.plans.erase(argument.substr(0, argument.find('.')));
}

void ServedObject::prepare(const ClientRank& caller, const std::string& argument,
                           const Distribution& distribution) {
  check_ranks(argument, distribution.ranks(), caller.ranks);
  check_argument(argument);
  auto lock = group_->monitor().lock();
  await_said(lock, argument);
  const auto own = distributions_.find(argument);
  if (own == distributions_.end()) {
    throw Misfit("'" + argument + "' is not divided in one way by both sides");
  }
  Client& client = clients_.at(caller.client);
  client.divided.insert_or_assign(argument, MethodPlan::Sides{own->second, distribution});
  forget_plan(client, argument);
}

void ServedObject::prepare_indices(const ClientRank& caller, const std::string& argument,
                                   std::int64_t turn) {
  const std::shared_ptr<ServedIndices> own = indices(argument);
  const auto listed = std::make_shared<const MethodPlan::Listed>(
      MethodPlan::Listed{own->messages_with(caller.client, turn), own->size()});
  const auto lock = group_->monitor().lock();
  Client& client = clients_.at(caller.client);
  client.divided.insert_or_assign(argument, listed);
  forget_plan(client, argument);
}

}  // namespace shinar::par
