#include "impl/urls.hpp"

#include "impl/misfits.hpp"
#include "sidl_rmi_ConnectException.hxx"
#include "sidl_rmi_NoServerException.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"

namespace shinar::par {
// Where the server is a file, '/' belongs to its name.
std::string object_url(const std::string& server, const std::string& name) {
  if (server.find(":///") != std::string::npos) return server + "#" + name;
  return server + (server.ends_with('/') ? "" : "/") + name;
}

bool may_still_come(const ::sidl::BaseException& failure) {
  return is_one_of<::sidl::rmi::ObjectDoesNotExistException, ::sidl::rmi::ConnectException,
                   ::sidl::rmi::NoServerException>(failure);
}

}  // namespace shinar::par
