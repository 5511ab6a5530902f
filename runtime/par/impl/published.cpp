// ServedObject: those that this process has published.
#include <algorithm>
#include <mutex>

#include "impl/misfits.hpp"
#include "impl/served_object.hpp"

namespace shinar::par {
namespace {

// The objects that this process has published.
struct Published {
  std::mutex mutex;
  std::vector<std::weak_ptr<ServedObject>> objects;
};

Published& published() {
  static Published* const all = new Published;  // objects may be published late in exit
  return *all;
}

template <typename Predicate>
std::shared_ptr<ServedObject> find_published(Predicate is_it) {
  const std::lock_guard lock(published().mutex);
  for (const auto& each : published().objects) {
    std::shared_ptr<ServedObject> served = each.lock();
    if (served != nullptr && is_it(*served)) return served;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<ServedObject> ServedObject::publish(std::shared_ptr<GroupState> group,
                                                    std::string name, ::sidl::BaseClass object) {
  const auto before = find_published(
      [&](const ServedObject& each) { return each.group_ == group && each.name_ == name; });
  if (before != nullptr) {
    throw Misfit("this rank has published '" + name + "' before: " +
                 (before->object_.isSame(object) ? "this object" : "another object"));
  }
  const auto made =
      std::make_shared<ServedObject>(std::move(group), std::move(name), std::move(object));
  const std::lock_guard lock(published().mutex);
  std::erase_if(published().objects, [](const auto& each) { return each.expired(); });
  published().objects.push_back(made);
  return made;
}

std::shared_ptr<ServedObject> ServedObject::find(const ::sidl::BaseInterface& object) {
  return find_published([&](ServedObject& each) { return each.object_.isSame(object); });
}

std::shared_ptr<ServedObject> ServedObject::find(const GroupState& group, const std::string& name) {
  const auto found = find_published(
      [&](const ServedObject& each) { return each.group_.get() == &group && each.name_ == name; });
  if (found != nullptr) return found;
  throw Misfit("this rank has not published '" + name + "'");
}

}  // namespace shinar::par
