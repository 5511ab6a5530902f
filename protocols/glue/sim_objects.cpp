#include "sim_objects.hpp"

#include <mutex>

#include "reused.hpp"
#include "sidl_exception.hxx"
#include "sidl_protocol.h"
#include "sidlx_rmi_SimHandle_Impl.hxx"

namespace shinar::wire {
namespace {

/**
 * Held while a handle is inherited, which takes time; one per process, as a fork may come
 * meanwhile.
 */
std::mutex& inheriting() {
  struct OfProcess {
    std::uint32_t generation = ::sidl_fork_generation();
    std::mutex mutex;
  };
  constinit static std::atomic<OfProcess*> current{nullptr};
  OfProcess* known = current.load();
  while (known == nullptr || known->generation != ::sidl_fork_generation()) {
    auto* const made = new OfProcess;
    if (current.compare_exchange_strong(known, made)) return made->mutex;
    delete made;
  }
  return known->mutex;
}

}  // namespace

void RemoteObject::count_again() const {
  const std::lock_guard lock(inheriting());
  if (is_counted()) return;
  peer->inherit(id);
  generation.store(::sidl_fork_generation(), std::memory_order_release);
}

void RemoteObject::release() const noexcept {
  if (is_counted()) peer->release(id, 1);
}

std::shared_ptr<const RemoteObject> remote_object_of(sidl_rmi_InstanceHandle__object* handle) {
  const auto* const ior = static_cast<const sidlx_rmi_SimHandle__object*>(
      sidl_cast_borrowed(handle, &sidlx_rmi_SimHandle__info));
  if (ior == nullptr || sidl_is_remote(ior)) return nullptr;
  return static_cast<const sidlx::rmi::SimHandle_impl*>(ior->d_data)->remote();
}

sidl::BaseInterface make_proxy(std::shared_ptr<Callee> peer, std::string id,
                               const std::string& type) {
  const sidlx::rmi::SimHandle handle = sidlx::rmi::SimHandle::_create();
  impl_of<sidlx::rmi::SimHandle_impl>(handle).adopt(std::move(peer), std::move(id), type);
  const sidl::rmi::InstanceHandle base = handle;
  sidl_BaseInterface__object* failure = nullptr;
  void* const proxy = sidl_proxy_create(base._get_ior(), sidl_type_find(type.c_str()), &failure);
  if (failure != nullptr) sidl::throw_exception<>(failure);
  return sidl::BaseInterface(sidl::as_base(proxy));
}

}  // namespace shinar::wire
