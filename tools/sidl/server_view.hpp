/**
 * A server as seen from outside: what it offers and what its types are.
 *
 * Built on sidl.rmi.Inspection alone, so it works with every protocol.
 */
#ifndef SIDL_TOOL_SERVER_VIEW_HPP
#define SIDL_TOOL_SERVER_VIEW_HPP

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sidl_rmi_Inspection.hxx"
#include "types.hpp"

namespace sidl_tool {

/** The name under which servers publish their inspection. */
constexpr const char* inspection_name = "sidl.server";

/** The part of a URL up to the object: "simhandle://host:port", "simhandle+unix:///path". */
std::string server_part(const std::string& url);

/** The URL of an object of the server that `url` leads to. */
std::string object_url(const std::string& url, const std::string& name);

/** True if the URL has a part behind that. */
bool names_object(const std::string& url);

/** The whole milliseconds of a time-out that is not shorter. */
std::int64_t milliseconds(double seconds);

/** Gives calls by stubs a deadline, and connecting to objects; 0: none. Before the first call. */
void set_deadline(double seconds);

class ServerView {
 public:
  /** Connects to the server of a URL; throws if it does not let itself be inspected. */
  explicit ServerView(const std::string& url);

  nlohmann::ordered_json description() const;
  nlohmann::ordered_json counters() const;
  nlohmann::ordered_json type_json(const std::string& name) const;
  TypeInfo type(const std::string& name) const;

  /** Names of the classes that can be created, and of those of published objects, each once. */
  std::vector<std::string> classes() const;

 private:
  sidl::rmi::Inspection inspection_;
};

}  // namespace sidl_tool
#endif
