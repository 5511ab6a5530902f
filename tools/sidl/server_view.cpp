#include "server_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "answers.hpp"
#include "near.hpp"
#include "printable.hpp"
#include "sidl_rmi_ObjectDoesNotExistException.hxx"
#include "sidl_rmi_ProtocolException.hxx"
#include "usage_error.hpp"

namespace sidl_tool {
namespace {

using json = nlohmann::ordered_json;

std::string description_of(const std::string& type) {
  return "its description of '" + in_one_line(type) + "'";
}

/** True for a server with a path instead of host and port: protocol:///path#object. */
bool is_path(const std::string& url) {
  return url.find(":///") != std::string::npos;
}

std::size_t end_of_server(const std::string& url) {
  if (is_path(url)) return url.find('#');
  const std::size_t host = url.find("://");
  return host == std::string::npos ? std::string::npos : url.find('/', host + 3);
}

/** An object, which all of them are. */
json parse(const std::string& what, const std::string& text) {
  constexpr int deepest = 64;
  return in_answer(what, [&] {
    json answer;
    try {
      answer = parse_json(text, deepest);
    } catch (const std::runtime_error& error) {
      throw WrongAnswer(std::string("this is not valid JSON: ") + error.what());
    }
    if (!answer.is_object()) throw WrongAnswer("this is no JSON object");
    return answer;
  });
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

int with_answers_of(const std::string& url, const std::function<int()>& f) {
  return in_answer("cannot understand the server at '" + server_part(url) + "'", f);
}

ServerView::ServerView(const std::string& url) : inspection_(connect(server_part(url))) {}

json ServerView::description() const {
  return parse(own_description, inspection_.describeServer());
}

json ServerView::counters() const {
  return parse(own_counters, inspection_.getCounters());
}

json ServerView::type_json(const std::string& name) const {
  try {
    return parse(description_of(name), inspection_.describeType(name));
  } catch (const sidl::BaseException& exception) {
    if (!is<sidl::rmi::ProtocolException>(exception)) throw;
    throw UsageError(in_one_line(exception.getNote()) + did_you_mean(name, classes()));
  }
}

TypeInfo ServerView::type(const std::string& name) const {
  const json description = type_json(name);
  return in_answer(description_of(name), [&] { return TypeInfo::parse(description); });
}

std::vector<std::string> ServerView::classes() const {
  const json server = description();
  return in_answer(own_description, [&] {
    std::vector<std::string> names = texts_in(server, "exports");
    for (const json& each : list_in(server, "published")) names.push_back(text_in(each, "class"));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  });
}

}  // namespace sidl_tool
