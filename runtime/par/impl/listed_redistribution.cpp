#include "impl/listed_redistribution.hpp"

#include <algorithm>

#include "impl/served_indices.hpp"
#include "impl/spread_directory.hpp"
#include "sidl_par_Distribution_Impl.hxx"

namespace shinar::par {
namespace {

// One side of a redistribution, as it is called in messages.
struct NamedSide {
  const ::sidl::par::Distribution& distribution;
  const char* name;

  std::shared_ptr<const IndexList> list() const { return list_of(distribution, name); }
  const Distribution& value() const { return value_of(distribution, name); }
  std::string text() const { return std::string("'") + name + "'"; }
};

IndexList list_of_rank(const NamedSide& mine, int rank) {
  const auto list = mine.list();
  if (list == nullptr) {
    check_one_dimension(mine.name, mine.value());
    return IndexList::of(mine.value(), rank);
  }
  if (list->rank() == rank) return *list;
  throw Misfit(mine.text() + " has the list of " +
               (list->rank() < 0 ? "another process" : "rank " + std::to_string(list->rank())) +
               ", not that of rank " + std::to_string(rank) + ": each rank knows only its own");
}

const SpreadDirectory& asked(const NamedSide& theirs) {
  const auto found = directory_of(theirs.distribution, theirs.name);
  if (found != nullptr) return *found;
  throw Misfit("nobody can be asked who has what of " + theirs.text() +
               ": its lists are from Distribution.indices, or from a group without servers; "
               "use Group.indices");
}

std::vector<std::int32_t> owners_in(const Distribution& distribution, const IndexList& list,
                                    const IndexList::Order& order) {
  std::vector<std::int32_t> owners;
  owners.reserve(order.positions.size());
  std::vector<std::int64_t> position;
  for (const std::uint32_t at : order.positions) {
    const std::int64_t index = list[at];
    const std::span each(&index, 1);
    owners.push_back(distribution.bounds().has(each) ? distribution.owner(each, position) : -1);
  }
  return owners;
}

}  // namespace

Redistribution redistribution_of_lists(const ::sidl::par::Distribution& source,
                                       const ::sidl::par::Distribution& target,
                                       Redistribution::Side side, int rank) {
  const bool sends = side == Redistribution::Side::Sends;
  const NamedSide of_source{source, "source"};
  const NamedSide of_target{target, "target"};
  const NamedSide& mine = sends ? of_source : of_target;
  const NamedSide& theirs = sends ? of_target : of_source;
  const bool is_listed = theirs.list() != nullptr;
  if (!is_listed) check_one_dimension(theirs.name, theirs.value());
  const IndexList list = list_of_rank(mine, rank);
  const IndexList::Order order = list.order(is_listed ? asked(theirs).parts() : 1);
  const std::vector<std::int32_t> owners =
      is_listed ? asked(theirs).owners(list, order) : owners_in(theirs.value(), list, order);
  const auto missing = std::ranges::find_if(owners, [](std::int32_t each) { return each < 0; });
  if (missing != owners.end()) {
    const std::uint32_t at = order.positions[static_cast<std::size_t>(missing - owners.begin())];
    throw Misfit("index " + std::to_string(list[at]) + " of rank " + std::to_string(rank) + " of " +
                 mine.text() + " is on no rank of " + theirs.text() +
                 (is_listed ? std::string() : ", " + theirs.value().text()));
  }
  return {messages_by_index(list, order, owners), list.size(), rank};
}

}  // namespace shinar::par
