#include "server_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "near.hpp"
#include "printable.hpp"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"
#include "sidl_rmi_ProtocolException.hxx"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

/** True for a server with a path instead of host and port: protocol:///path#object. */
bool is_path(const std::string& url) {
  return url.find(":///") != std::string::npos;
}

std::size_t end_of_server(const std::string& url) {
  if (is_path(url)) return url.find('#');
  const std::size_t host = url.find("://");
  return host == std::string::npos ? std::string::npos : url.find('/', host + 3);
}

/** Rejects deeply nested JSON, which would overflow the stack when it is copied. */
bool is_shallow(int depth, json::parse_event_t /*event*/, json& /*parsed*/) {
  constexpr int deepest = 64;
  if (depth > deepest) {
    throw std::runtime_error("the server's answer is JSON nested more than " +
                             std::to_string(deepest) + " deep");
  }
  return true;
}

json parse(const std::string& text) {
  try {
    return json::parse(text, is_shallow);
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("the server's answer is not valid JSON: ") + error.what());
  }
}

template <class Type>
bool is(const sidl::BaseException& exception) {
  return sidl::babel_cast<Type>(exception)._not_nil();
}

sidl::rmi::Inspection connect(const std::string& server) {
  try {
    return sidl::rmi::Inspection::_connect(object_url(server, inspection_name));
  } catch (const sidl::BaseException& exception) {
    if (!is<sidl::rmi::ObjectDoesNotExistException>(exception)) throw;
    throw std::runtime_error("the server at '" + server +
                             "' does not allow inspection: it was started with "
                             "--no-inspect, or calls setInspection(false)");
  }
}

}  // namespace

std::string server_part(const std::string& url) {
  return url.substr(0, end_of_server(url));
}

std::string object_url(const std::string& url, const std::string& name) {
  return server_part(url) + (is_path(url) ? "#" : "/") + name;
}

bool names_object(const std::string& url) {
  const std::size_t end = end_of_server(url);
  return end != std::string::npos && end + 1 < url.size();
}

std::int64_t milliseconds(double seconds) {
  constexpr double year = 366.0 * 24 * 3600;
  return static_cast<std::int64_t>(std::ceil(std::min(seconds, year) * 1000.0));
}

void set_deadline(double seconds) {
  if (seconds <= 0) return;
  ::setenv("SIDL_RMI_DEADLINE_MS", std::to_string(milliseconds(seconds)).c_str(), 1);
}

ServerView::ServerView(const std::string& url) : inspection_(connect(server_part(url))) {}

json ServerView::description() const {
  return parse(inspection_.describeServer());
}

json ServerView::counters() const {
  return parse(inspection_.getCounters());
}

json ServerView::type_json(const std::string& name) const {
  try {
    return parse(inspection_.describeType(name));
  } catch (const sidl::BaseException& exception) {
    if (!is<sidl::rmi::ProtocolException>(exception)) throw;
    throw UsageError(in_one_line(exception.getNote()) + did_you_mean(name, classes()));
  }
}

TypeInfo ServerView::type(const std::string& name) const {
  return TypeInfo::parse(type_json(name));
}

std::vector<std::string> ServerView::classes() const {
  const json server = description();
  try {
    auto names = server.at("exports").get<std::vector<std::string>>();
    for (const json& each : server.at("published")) {
      names.push_back(each.at("class").get<std::string>());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  } catch (const json::exception& error) {
    throw std::runtime_error(std::string("cannot understand the server's description of itself: ") +
                             error.what());
  }
}

}  // namespace sidl_tool
