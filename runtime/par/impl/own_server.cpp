#include "impl/own_server.hpp"

#include "impl/urls.hpp"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "sidl_rmi_ServerRegistry.hxx"

namespace shinar::par {

bool listens_at(const std::string& url) {
  const ::sidl::rmi::ServerInfo running = ::sidl::rmi::ServerRegistry::getServer();
  if (running._not_nil()) {
    return !running.isLocalObject(object_url(url, "sidl.server")).empty();
  }
  const ::sidl::rmi::Server server = ::sidl::rmi::ProtocolFactory::createServer(url);
  server.listen(url);
  server.setVerbose(false);
  server.run();
  return true;
}

std::string own_url() {
  const ::sidl::rmi::ServerInfo running = ::sidl::rmi::ServerRegistry::getServer();
  return running._is_nil() ? "" : running.getServerURL("");
}

}  // namespace shinar::par
