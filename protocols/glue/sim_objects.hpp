/**
 * Access to the implementation of the plug-in's own SIDL objects.
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
 * What a SimHandle refers to: an object and a count of this process on it, or, in a forked child,
 * of its parent.
 */
struct RemoteObject {
  RemoteObject(std::shared_ptr<Callee> where, std::string called, std::string of_type)
      : peer(std::move(where)), id(std::move(called)), type(std::move(of_type)) {}

  /** True if the count is this process's. */
  bool is_counted() const {
    return generation.load(std::memory_order_acquire) == ::sidl_fork_generation();
  }
  /** In a forked child: acquires a count of its own if there is none yet. Throws Error. */
  void inherit() const {
    if (!is_counted()) [[unlikely]]
      count_again();
  }
  /** Releases the count, if it is this process's. */
  void release() const noexcept;

  /** Acquires a count for this process. Throws Error. */
  void count_again() const;

  const std::shared_ptr<Callee> peer;  ///< where it lives
  const std::string id;
  const std::string type;
  mutable std::atomic<std::uint32_t> generation{::sidl_fork_generation()};
};

/** What the handle refers to, if it is an open SimHandle, else NULL. */
std::shared_ptr<const RemoteObject> remote_object_of(sidl_rmi_InstanceHandle__object* handle);

/** A proxy for an object on which this process's session has a count already. */
sidl::BaseInterface make_proxy(std::shared_ptr<Callee> peer, std::string id,
                               const std::string& type);

}  // namespace shinar::wire
#endif
