#include "impl/served_indices.hpp"

#include <algorithm>
#include <limits>

#include "impl/misfits.hpp"
#include "impl/values.hpp"

namespace shinar::par {
namespace {

// Indices of one message.
constexpr std::size_t kMostAtOnce = std::size_t{1} << 16;

}  // namespace

void for_each_part(const IndexList& list, const IndexList::Order& order,
                   const std::function<void(int part, const std::vector<std::int64_t>&)>& work) {
  std::vector<std::int64_t> indices;
  for (std::size_t part = 0; part + 1 < order.first.size(); ++part) {
    for (std::size_t at = order.first[part]; at < order.first[part + 1]; at += indices.size()) {
      indices.clear();
      const std::size_t end = std::min(at + kMostAtOnce, order.first[part + 1]);
      for (std::size_t i = at; i < end; ++i) indices.push_back(list[order.positions[i]]);
      work(static_cast<int>(part), indices);
    }
  }
}

// All ranks make all exchanges, also where something has failed.
void in_steps(GroupState& group, const std::vector<std::function<void()>>& steps) {
  Letter so_far;
  for (const auto& step : steps) {
    so_far = group.agree(so_far.failed ? so_far : attempt(group.rank(), step));
  }
  check(so_far);
}

void check_ranks(const std::string& argument, int ranks, int size) {
  if (ranks == size) return;
  throw Misfit("the distribution of '" + argument + "' has " + std::to_string(ranks) +
               " ranks; the group has " + std::to_string(size));
}

void check_list(const std::string& argument, const IndexList& list, int rank, int size) {
  check_ranks(argument, list.ranks(), size);
  if (list.rank() == rank) return;
  throw Misfit("'" + argument + "' is divided by the list of another rank than this one, " +
               std::to_string(rank));
}

void check_one_dimension(const std::string& argument, const Distribution& distribution) {
  if (distribution.dimension() == 1) return;
  throw Misfit("'" + argument +
               "' is divided by lists of indices on one side, and on the other in " +
               distribution.text() + "; lists divide arrays of one dimension");
}

void check_owners(const std::vector<std::int32_t>& owners, std::size_t indices, int lowest,
                  int end) {
  if (owners.size() != indices) throw Misfit("a directory has not answered for each index");
  const auto is_none = [&](std::int32_t each) { return each < lowest || each >= end; };
  const auto none = std::ranges::find_if(owners, is_none);
  if (none == owners.end()) return;
  throw Misfit("a directory has named rank " + std::to_string(*none) + ", which there is not");
}

ServedIndices::ServedIndices(GroupState& group, std::string object, std::string argument,
                             std::shared_ptr<const IndexList> list)
    : group_(group),
      object_(std::move(object)),
      argument_(std::move(argument)),
      list_(std::move(list)) {}

void ServedIndices::gather() {
  const auto tell = [this](int part, const std::vector<std::int64_t>& indices) {
    if (part == group_.rank()) return add(group_.rank(), indices);
    group_.member(part).addIndices(object_, argument_, group_.rank(), to_array(indices));
  };
  const auto all_have_a_directory = [] {};
  const auto tell_all = [&] { for_each_part(*list_, list_->order(group_.size()), tell); };
  const auto seal = [this] {
    const std::lock_guard lock(mutex_);
    directory_.seal();
    is_ready_ = true;
  };
  in_steps(group_, {all_have_a_directory, tell_all, seal});
}

void ServedIndices::gather(const Distribution& distribution) {
  const std::lock_guard lock(mutex_);
  for (int rank = 0; rank < group_.size(); ++rank) {
    std::vector<std::int64_t> indices = indices_of(distribution, rank);
    std::erase_if(indices, [&](std::int64_t index) {
      return part_of_directory(index, group_.size()) != group_.rank();
    });
    directory_.add(rank, indices);
  }
  directory_.seal();
  is_ready_ = true;
}

bool ServedIndices::is_ready() const {
  const std::lock_guard lock(mutex_);
  return is_ready_;
}

void ServedIndices::add(int sender, const std::vector<std::int64_t>& indices) {
  const std::lock_guard lock(mutex_);
  if (is_ready_ || sender < 0 || sender >= group_.size()) {
    throw Misfit("rank " + std::to_string(sender) + " has no more indices to tell");
  }
  directory_.add(sender, indices);
}

// With the lock.
void ServedIndices::check_turn(std::int64_t turn, std::int64_t last) const {
  if (turn >= last && is_ready_) return;
  throw Misfit("'" + argument_ + "' has been divided anew meanwhile");
}

std::vector<std::int32_t> ServedIndices::claim(const std::string& name, std::int64_t turn, int rank,
                                               const std::vector<std::int64_t>& indices) {
  const std::lock_guard lock(mutex_);
  const auto known = clients_.find(name);
  check_turn(turn, known == clients_.end() ? 1 : known->second.turn);
  Client& client = known == clients_.end() ? clients_[name] : known->second;
  if (turn > client.turn) client = {turn, directory_.no_claims()};
  return directory_.claim(client.claims, rank, indices);
}

// A client may have no indices here: nothing is kept of one that has claimed none.
std::vector<std::int32_t> ServedIndices::claimants(const std::string& name, std::int64_t turn,
                                                   const std::vector<std::int64_t>& indices) const {
  const std::lock_guard lock(mutex_);
  const auto known = clients_.find(name);
  check_turn(turn, known == clients_.end() ? 0 : known->second.turn);
  const bool has_claimed = known != clients_.end() && known->second.turn == turn;
  return directory_.claimants(has_claimed ? known->second.claims : Directory::Claims(), indices);
}

void ServedIndices::forget(const std::string& client) {
  const std::lock_guard lock(mutex_);
  clients_.erase(client);
}

std::vector<Message> ServedIndices::messages_with(const std::string& client, std::int64_t turn) {
  const IndexList::Order order = list_->order(group_.size());
  std::vector<std::int32_t> peers;
  peers.reserve(static_cast<std::size_t>(list_->size()));
  for_each_part(*list_, order, [&](int part, const std::vector<std::int64_t>& indices) {
    const std::vector<std::int32_t> found =
        part == group_.rank() ? claimants(client, turn, indices)
                              : to_vector(group_.member(part).getClaimants(
                                              object_, argument_, client, turn, to_array(indices)),
                                          "claimants");
    check_owners(found, indices.size(), 0, std::numeric_limits<int>::max());
    peers.insert(peers.end(), found.begin(), found.end());
  });
  return messages_of(order, peers);
}

}  // namespace shinar::par
