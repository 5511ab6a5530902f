#include "impl/spread_directory.hpp"

#include "impl/own_server.hpp"
#include "impl/served_indices.hpp"
#include "impl/urls.hpp"
#include "impl/values.hpp"
#include "sidl_par_Directory_Impl.hxx"
#include "sidl_protocol.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_NetworkException.hxx"

namespace shinar::par {

void DirectoryPart::add(int sender, const std::vector<std::int64_t>& indices) {
  const std::lock_guard lock(mutex_);
  if (is_sealed_ || sender < 0 || sender >= ranks_) {
    throw Misfit("rank " + std::to_string(sender) + " has no more indices to tell");
  }
  directory_.add(sender, indices);
}

void DirectoryPart::seal() {
  const std::lock_guard lock(mutex_);
  directory_.seal();
  is_sealed_ = true;
}

std::vector<std::int32_t> DirectoryPart::owners(const std::vector<std::int64_t>& indices) const {
  const std::lock_guard lock(mutex_);
  if (!is_sealed_) throw Misfit("the ranks of the group have not told each other who has what");
  return directory_.owners(indices);
}

SpreadDirectory::SpreadDirectory(std::vector<std::string> urls)
    : parts_(static_cast<int>(urls.size())), urls_(std::move(urls)) {}

SpreadDirectory::SpreadDirectory(GroupState& group)
    : parts_(group.size()), own_(std::make_shared<DirectoryPart>(group.size())) {
  std::vector<std::string> servers = group.urls();
  if (servers.empty() && !own_url().empty()) servers.push_back(own_url());
  const std::string name = group.new_name();
  const ::sidl::par::Directory made = ::sidl::par::Directory::_create();
  ::sidl::protocol::impl_of<::sidl::par::Directory_impl>(made).part = own_;
  known_.emplace(group.rank(), made);
  if (servers.empty()) return;
  for (const std::string& each : servers) urls_.push_back(object_url(each, name));
  ::sidl::rmi::InstanceRegistry::registerInstance(made, name);
  name_ = name;
}

SpreadDirectory::~SpreadDirectory() {
  if (name_.empty()) return;
  try {
    ::sidl::rmi::InstanceRegistry::removeInstance(name_);
  } catch (const ::sidl::BaseException&) {
    // The name stays, and what it leads to.
  }
}

::sidl::par::Directory SpreadDirectory::part(int rank) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(rank);
    if (found != known_.end()) return found->second;
  }
  const auto made = ::sidl::par::Directory::_connect(urls_[static_cast<std::size_t>(rank)]);
  const std::lock_guard lock(mutex_);
  return known_.emplace(rank, made).first->second;
}

void SpreadDirectory::tell_all(const IndexList& list, int rank) const {
  for_each_part(list, list.order(parts_), [&](int to, const std::vector<std::int64_t>& indices) {
    part(to).add(rank, to_array(indices));
  });
}

SpreadDirectory::Gathered SpreadDirectory::gathered(GroupState& group,
                                                    const ::sidl::array<std::int64_t>& own) {
  std::shared_ptr<SpreadDirectory> made;
  std::shared_ptr<const IndexList> list;
  const auto make = [&] {
    made.reset(new SpreadDirectory(group));
    list = to_list(own, group.rank(), group.size());
  };
  const auto tell = [&] { made->tell_all(*list, group.rank()); };
  in_steps(group, {make, tell, [&] { made->own_->seal(); }});
  return {list, made};
}

std::vector<std::int32_t> SpreadDirectory::owners(const IndexList& list,
                                                  const IndexList::Order& order) const {
  std::vector<std::int32_t> owners;
  owners.reserve(static_cast<std::size_t>(list.size()));
  for_each_part(list, order, [&](int of, const std::vector<std::int64_t>& indices) {
    std::vector<std::int32_t> found;
    try {
      found = to_vector(part(of).getOwners(to_array(indices)), "owners");
    } catch (::sidl::rmi::NetworkException& failure) {
      failure.setNote(
          "rank " + std::to_string(of) + " of the group with the lists (" +
          urls_[static_cast<std::size_t>(of)] +
          ") does not tell who has what, or has released its distribution: " + failure.getNote());
      throw;
    }
    check_owners(found, indices.size(), -1, parts_);
    owners.insert(owners.end(), found.begin(), found.end());
  });
  return owners;
}

}  // namespace shinar::par
