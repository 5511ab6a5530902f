/**
 * The plug-in's own SIDL objects, as the glue reaches into them.
 */
#ifndef SHINAR_GLUE_SIM_OBJECTS_HPP
#define SHINAR_GLUE_SIM_OBJECTS_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/callee.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_process.h"

struct sidl_rmi_InstanceHandle__object;

namespace shinar::wire {

/**
 * What a SimHandle stands for: an object and a count that this process has on it, or, in a forked
 * child, that its parent has.
 */
struct RemoteObject {
  RemoteObject(std::shared_ptr<Callee> where, std::string called, std::string of_type)
      : peer(std::move(where)), id(std::move(called)), type(std::move(of_type)) {}

  /** Whether the count is this process's. */
  bool is_counted() const {
    return generation.load(std::memory_order_acquire) == ::sidl_fork_generation();
  }
  /** In a forked child: sees to it that there is such a count. Throws Error. */
  void inherit() const {
    if (!is_counted()) [[unlikely]]
      count_again();
  }
  /** Gives the count back, if it is this process's. */
  void release() const noexcept;

  /** Takes a count for this process. Throws Error. */
  void count_again() const;

  const std::shared_ptr<Callee> peer;  ///< where it lives
  const std::string id;
  const std::string type;
  mutable std::atomic<std::uint32_t> generation{::sidl_fork_generation()};
};

/** What the handle stands for, if it is an open SimHandle, else NULL. */
std::shared_ptr<const RemoteObject> remote_object_of(sidl_rmi_InstanceHandle__object* handle);

/** A proxy for an object on which this process's session has a count already. */
sidl::BaseInterface make_proxy(std::shared_ptr<Callee> peer, std::string id,
                               const std::string& type);

}  // namespace shinar::wire
#endif
