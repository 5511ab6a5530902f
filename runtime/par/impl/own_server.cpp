#include "impl/own_server.hpp"

#include "core/distribution.hpp"
#include "impl/urls.hpp"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "sidl_rmi_Server.hxx"
#include "sidl_rmi_ServerRegistry.hxx"

namespace shinar::par {
namespace {

std::string start_server(const std::string& address) {
  const ::sidl::rmi::Server server = ::sidl::rmi::ProtocolFactory::createServer(address);
  const std::string url = server.listen(address);
  server.setVerbose(false);
  server.run();
  return url;
}

}  // namespace

void serve_at(const std::string& url) {
  const ::sidl::rmi::ServerInfo running = ::sidl::rmi::ServerRegistry::getServer();
  if (running._is_nil()) {
    start_server(url);
  } else if (running.isLocalObject(object_url(url, "sidl.server")).empty()) {
    throw Misfit("the server of this process does not listen at " + url + ", but at " + own_url());
  }
}

std::string serve_somewhere(const std::string& address) {
  const std::string running = own_url();
  return running.empty() ? start_server(address) : running;
}

std::string own_url() {
  const ::sidl::rmi::ServerInfo running = ::sidl::rmi::ServerRegistry::getServer();
  return running._is_nil() ? "" : running.getServerURL("");
}

}  // namespace shinar::par
