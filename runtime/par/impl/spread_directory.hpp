// Who has what of lists of indices: a directory with a part on each rank of the group whose lists
// they are, which whoever has a copy of the distribution may ask.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/directory.hpp"
#include "core/index_list.hpp"
#include "impl/group_state.hpp"
#include "sidl_cxx.hxx"
#include "sidl_par_Directory.hxx"

namespace shinar::par {

// One part, on its rank.
class DirectoryPart {
 public:
  explicit DirectoryPart(int ranks) : ranks_(ranks), directory_("the group") {}

  // Throws Misfit when it is sealed.
  void add(int sender, const std::vector<std::int64_t>& indices);
  void seal();
  // As Directory has it; throws Misfit before it is sealed.
  std::vector<std::int32_t> owners(const std::vector<std::int64_t>& indices) const;

 private:
  const int ranks_;
  mutable std::mutex mutex_;  // guards the following
  Directory directory_;
  bool is_sealed_ = false;
};

class SpreadDirectory {
 public:
  struct Gathered {
    std::shared_ptr<const IndexList> list;  // of this rank
    std::shared_ptr<const SpreadDirectory> directory;
  };
  // All ranks of a group tell each other what they have, together; throws on all if lists do not
  // fit each other.
  static Gathered gathered(GroupState& group, const ::sidl::array<std::int64_t>& own);
  // That of another process; the URL of each part.
  explicit SpreadDirectory(std::vector<std::string> urls);
  SpreadDirectory(const SpreadDirectory&) = delete;
  SpreadDirectory& operator=(const SpreadDirectory&) = delete;
  ~SpreadDirectory();

  int parts() const { return parts_; }
  // None if no other process can ask.
  const std::vector<std::string>& urls() const { return urls_; }
  // The ranks that have the indices of a list, in an order for the parts; -1 where none has.
  std::vector<std::int32_t> owners(const IndexList& list, const IndexList::Order& order) const;

 private:
  explicit SpreadDirectory(GroupState& group);
  ::sidl::par::Directory part(int rank) const;
  void tell_all(const IndexList& list, int rank) const;

  int parts_;
  std::vector<std::string> urls_;
  std::string name_;  // of the part of this process; empty: it has none that others can ask
  std::shared_ptr<DirectoryPart> own_;  // null: it has none
  mutable std::mutex mutex_;            // guards the following
  mutable std::map<int, ::sidl::par::Directory> known_;
};

}  // namespace shinar::par
