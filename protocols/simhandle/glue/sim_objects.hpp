/**
 * The plug-in's own SIDL objects, as the glue reaches into them.
 */
#ifndef SIMHANDLE_GLUE_SIM_OBJECTS_HPP
#define SIMHANDLE_GLUE_SIM_OBJECTS_HPP

#include <memory>
#include <string>

#include "core/callee.hpp"
#include "sidl_BaseInterface.hxx"

struct sidl_rmi_InstanceHandle__object;

namespace simhandle {

/** What a SimHandle stands for. */
struct RemoteObject {
  std::shared_ptr<Callee> peer;  ///< where it lives
  std::string id;
  std::string type;
};

/** What the handle stands for, if it is an open SimHandle, else NULL. */
std::shared_ptr<const RemoteObject> remote_object_of(sidl_rmi_InstanceHandle__object* handle);

/** A proxy for an object on which this process's session has a count already. */
sidl::BaseInterface make_proxy(std::shared_ptr<Callee> peer, const std::string& id,
                               const std::string& type);

}  // namespace simhandle
#endif
