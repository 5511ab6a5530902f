#include "impl/urls.hpp"

#include <algorithm>
#include <cerrno>

#include "impl/misfits.hpp"
#include "sidl_rmi_ConnectException.hxx"
#include "sidl_rmi_NoServerException.hxx"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"
#include "sidl_rmi_UnexpectedCloseException.hxx"

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

bool is_silent(const ::sidl::BaseException& failure) {
  const auto closed = ::sidl::babel_cast<::sidl::rmi::UnexpectedCloseException>(failure);
  return closed._not_nil() && closed.getErrno() == ETIMEDOUT;
}

bool may_still_come(const ::sidl::BaseException& failure) {
  return is_one_of<::sidl::rmi::ObjectDoesNotExistException, ::sidl::rmi::ConnectException,
                   ::sidl::rmi::NoServerException>(failure);
}

// What servers say of objects by their numbers, users have not heard of.
void explain(::sidl::BaseException& failure, const std::string& asked) {
  const bool is_forgotten = is_one_of<::sidl::rmi::ObjectDoesNotExistException>(failure);
  const std::string note = failure.getNote();
  failure.setNote(asked + ": " +
                  (is_forgotten ? "this process is not connected with it any more, because it was "
                                  "started anew, or out of reach for too long: connect again (" +
                                      note + ")"
                                : note));
}

}  // namespace shinar::par
