#include "impl/urls.hpp"

#include <algorithm>

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

void check_name(const std::string& name) {
  constexpr std::size_t most = 1024;
  const auto is_plain = [](char c) { return c > ' ' && c <= '~'; };
  if (!name.empty() && name.size() <= most && std::ranges::all_of(name, is_plain)) return;
  throw Misfit(
      "'name' is the end of a URL: 1 to 1024 printable characters of ASCII, without blanks");
}

bool may_still_come(const ::sidl::BaseException& failure) {
  return is_one_of<::sidl::rmi::ObjectDoesNotExistException, ::sidl::rmi::ConnectException,
                   ::sidl::rmi::NoServerException>(failure);
}

}  // namespace shinar::par
