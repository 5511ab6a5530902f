// An argument that the ranks of a published object have divided by lists of indices. Each rank has
// its own list, and one part of the directory of all.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/directory.hpp"
#include "core/index_list.hpp"
#include "impl/group_state.hpp"

namespace shinar::par {

// Calls work(part, indices) for the indices of a list, of each part of a directory in turn, with
// not too many at a time.
void for_each_part(const IndexList& list, const IndexList::Order& order,
                   const std::function<void(int part, const std::vector<std::int64_t>&)>& work);

// What all ranks of a group do, each step when all have done the one before; throws on all if one
// fails.
void in_steps(GroupState& group, const std::vector<std::function<void()>>& steps);

// Throws Misfit if a distribution of so many ranks is none of a group of `size`; if a list is not
// that of rank `rank` of it.
void check_ranks(const std::string& argument, int ranks, int size);
void check_list(const std::string& argument, const IndexList& list, int rank, int size);
// That lists on the other side can go with a distribution.
void check_one_dimension(const std::string& argument, const Distribution& distribution);

// Throws Misfit if a directory of another process has answered with anything but a rank of `lowest`
// to less than `end` for each index.
void check_owners(const std::vector<std::int32_t>& owners, std::size_t indices, int lowest,
                  int end);

class ServedIndices {
 public:
  ServedIndices(GroupState& group, std::string object, std::string argument,
                std::shared_ptr<const IndexList> list);

  // All ranks tell the directory what they have. Collective; throws on all ranks if lists do not
  // fit each other.
  void gather();
  // Instead, if the list is of this distribution of one dimension, of which all know who has what.
  void gather(const Distribution& distribution);
  // Since then.
  bool is_ready() const;

  // Of a rank that tells: these indices, for this part of the directory.
  void add(int sender, const std::vector<std::int64_t>& indices);

  // A rank of a client has these; returns the ranks of the object that have them. A greater turn
  // forgets what the client has said before; turns count from 1.
  std::vector<std::int32_t> claim(const std::string& client, std::int64_t turn, int rank,
                                  const std::vector<std::int64_t>& indices);
  std::vector<std::int32_t> claimants(const std::string& client, std::int64_t turn,
                                      const std::vector<std::int64_t>& indices) const;
  void forget(const std::string& client);

  // What this rank exchanges with each rank of a client, all of which have claimed theirs.
  std::vector<Message> messages_with(const std::string& client, std::int64_t turn);
  std::int64_t size() const { return list_->size(); }

 private:
  struct Client {
    std::int64_t turn = 0;
    Directory::Claims claims;
  };
  void check_turn(std::int64_t turn, std::int64_t last) const;

  GroupState& group_;
  const std::string object_;
  const std::string argument_;
  const std::shared_ptr<const IndexList> list_;

  mutable std::mutex mutex_;  // guards the following; not held during calls
  Directory directory_;
  bool is_ready_ = false;
  std::map<std::string, Client> clients_;
};

}  // namespace shinar::par
