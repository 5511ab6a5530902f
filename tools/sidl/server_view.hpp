/**
 * A client's view of a server: what it offers, and its types.
 *
 * Uses only sidl.rmi.Inspection, so it works with every protocol.
 */
#ifndef SIDL_TOOL_SERVER_VIEW_HPP
#define SIDL_TOOL_SERVER_VIEW_HPP

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sidl_rmi_Inspection.hxx"
#include "types.hpp"

namespace sidl_tool {

/** The name under which servers publish their inspection. */
constexpr const char* inspection_name = "sidl.server";

/** The part of a URL up to the object: "simhandle://host:port", "simhandle+unix:///path". */
std::string server_part(const std::string& url);

/** The URL of an object of the server of `url`. */
std::string object_url(const std::string& url, const std::string& name);

/** True if the URL has an object part. */
bool names_object(const std::string& url);

/** A time-out rounded up to whole milliseconds. */
std::int64_t milliseconds(double seconds);

/** Sets the deadline of stub calls and of connecting to objects; 0: none. Before the first call. */
void set_deadline(double seconds);

/** Of what description() and counters() are, for in_answer (answers.hpp). */
constexpr const char* own_description = "its description of itself";
constexpr const char* own_counters = "its counters";

/** Runs `f`; answers of the server of `url` that make no sense are an error that names it. */
int with_answers_of(const std::string& url, const std::function<int()>& f);

/** What the server answers throws WrongAnswer if it makes no sense. */
class ServerView {
 public:
  /** Connects to the server of a URL; throws if it cannot be inspected. */
  explicit ServerView(const std::string& url);

  // JSON objects, of which nothing else is certain.
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
