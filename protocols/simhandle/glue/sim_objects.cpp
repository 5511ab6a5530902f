#include "sim_objects.hpp"

#include "reused.hpp"
#include "sidl_exception.hxx"
#include "sidl_protocol.h"
#include "sidlx_rmi_SimHandle_Impl.hxx"

namespace simhandle {

std::shared_ptr<const RemoteObject> remote_object_of(sidl_rmi_InstanceHandle__object* handle) {
  const auto* const ior = static_cast<const sidlx_rmi_SimHandle__object*>(
      sidl_cast_borrowed(handle, &sidlx_rmi_SimHandle__info));
  if (ior == nullptr || sidl_is_remote(ior)) return nullptr;
  return static_cast<const sidlx::rmi::SimHandle_impl*>(ior->d_data)->remote();
}

sidl::BaseInterface make_proxy(std::shared_ptr<Callee> peer, const std::string& id,
                               const std::string& type) {
  const sidlx::rmi::SimHandle handle = sidlx::rmi::SimHandle::_create();
  impl_of<sidlx::rmi::SimHandle_impl>(handle).adopt({std::move(peer), id, type});
  const sidl::rmi::InstanceHandle base = handle;
  sidl_BaseInterface__object* failure = nullptr;
  void* const proxy = sidl_proxy_create(base._get_ior(), sidl_type_find(type.c_str()), &failure);
  if (failure != nullptr) sidl::throw_exception<>(failure);
  return sidl::BaseInterface(sidl::as_base(proxy));
}

}  // namespace simhandle
