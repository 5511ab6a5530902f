#include "policy_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/json_text.hpp"
#include "core/policy_reader.hpp"
#include "core/url.hpp"

namespace shinar::wire {
namespace {

struct Right {
  const char* name;
  Patterns Role::*patterns;
};
constexpr std::array<Right, 4> rights = {{{"create", &Role::create},
                                          {"attach", &Role::attach},
                                          {"call", &Role::call},
                                          {"refer", &Role::refer}}};

std::string number_text(double number) {
  return number == std::floor(number) ? std::to_string(static_cast<long long>(number))
                                      : std::to_string(number);
}

/** What is limited. */
std::string json_of(const Quota& quota) {
  std::string text;
  const auto add = [&](const char* name, auto value) {
    if (value == 0) return;
    text +=
        (text.empty() ? "" : ",") + json_text(name) + ":" + number_text(static_cast<double>(value));
  };
  add("connections", quota.connections);
  add("objects", quota.objects);
  add("calls-in-work", quota.calls_in_work);
  add("calls-per-second", quota.calls_per_second);
  add("bytes-per-second", quota.bytes_per_second);
  if (quota.weight != 1) add("weight", quota.weight);
  return "{" + text + "}";
}

std::string json_of(const Role& role) {
  std::string text =
      "{\"name\":" + json_text(role.name) + ",\"who\":" + json_texts(role.who.texts());
  for (const Right& each : rights) {
    text += "," + json_text(each.name) + ":" + json_texts((role.*each.patterns).texts());
  }
  return text + ",\"quota\":" + json_of(role.quota) + "}";
}

/** Of a pattern without "!". */
bool has_known_proof(std::string_view pattern) {
  constexpr std::array<std::string_view, 4> known = {"tls", "secret", "munge", "uid"};
  return std::ranges::find(known, pattern.substr(0, pattern.find(':'))) != known.end();
}

/** As servers compare it; nothing if it is no URL of theirs, which they refuse. */
std::optional<std::string> plain_url(const std::string& text) {
  try {
    return make_url(plain(parse_url(text).endpoint), {});
  } catch (const Error&) {
    return std::nullopt;
  }
}

/** Of a pattern that stands for one address. */
void warn_of_spelling(const std::string& role, const std::string& pattern,
                      std::vector<std::string>& warnings) {
  const std::string address = pattern.substr(pattern.front() == '!' ? 1 : 0);
  if (address.find('*') != std::string::npos) return;
  const std::optional<std::string> url = plain_url(address);
  if (url == address) return;
  warnings.push_back("'" + pattern + "' in 'refer' of " + role + " fits no address" +
                     (url ? ": write \"" + *url + "\"" : ", as it is no URL of a server"));
}

/** What is allowed by the file and hardly meant. */
void add_warnings(const Role& role, std::vector<std::string>& warnings) {
  const std::string it = "role '" + role.name + "'";
  const bool is_for_anyone = role.who.has(anyone);
  const std::string whom = is_for_anyone ? ", which is for anyone," : "";
  for (const Right& each : rights) {
    const bool is_all = (role.*each.patterns).has("*") && !(role.*each.patterns).has_exceptions();
    if (!is_all || (!is_for_anyone && each.patterns != &Role::refer)) continue;
    warnings.push_back(it + whom + " has \"*\" in '" + each.name + "': no exception is made");
  }
  for (const std::string& each : role.who.texts()) {
    const std::string_view pattern = std::string_view(each).substr(each.front() == '!' ? 1 : 0);
    if (each == anyone || has_known_proof(pattern)) continue;
    warnings.push_back("'" + each + "' in 'who' of " + it +
                       " fits none of the proofs of Shinar's own: tls, secret, munge, uid");
  }
  for (const std::string& each : role.refer.texts()) warn_of_spelling(it, each, warnings);
  const bool calls = !role.call.texts().empty();
  const std::vector<std::string> attach = role.attach.texts();
  const bool inspects_only = attach == std::vector<std::string>{"sidl.server"};
  if (!calls && (!role.create.texts().empty() || (!attach.empty() && !inspects_only))) {
    warnings.push_back(it + " may have objects, but call none of their methods: 'call' is empty");
  }
  if (calls && role.create.texts().empty() && attach.empty()) {
    warnings.push_back(it +
                       " may call methods, but get no objects by itself: 'create' and 'attach' "
                       "are empty");
  }
}

Identity identity_of(const std::string& who) {
  if (who.empty()) return {};
  const std::size_t colon = who.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == who.size()) {
    throw Error(Failure::protocol, "'" + in_one_line(who) +
                                       "' is no identity: write tls:NAME, "
                                       "secret:FILE, munge:USER or uid:NUMBER");
  }
  return {.name = who.substr(colon + 1), .proof = who.substr(0, colon)};
}

}  // namespace

std::string describe_policy(const std::string& file) {
  const auto policy = read_policy(file);
  std::vector<std::string> warnings;
  std::string roles;
  for (const auto& role : policy->roles()) {
    roles += (roles.empty() ? "" : ",") + json_of(*role);
    add_warnings(*role, warnings);
  }
  return "{\"roles\":[" + roles + "],\"warnings\":" + json_texts(warnings) + "}";
}

std::string ask_policy(const std::string& file, const std::string& who, const std::string& what,
                       const std::string& name) {
  const auto role = read_policy(file)->role_of(identity_of(who));
  Patterns::Decision decision;
  if (!what.empty()) {
    const auto right = std::ranges::find(rights, what, &Right::name);
    if (right == rights.end()) {
      throw Error(Failure::protocol, "'" + in_one_line(what) +
                                         "' is none of create, attach, call, "
                                         "refer");
    }
    const bool is_place = right->patterns == &Role::refer;
    const std::optional<std::string> asked = is_place ? plain_url(name) : name;
    if (role != nullptr && asked) decision = (role.get()->*right->patterns).decide(*asked);
  }
  return "{\"role\":" + (role == nullptr ? "null" : json_text(role->name)) +
         ",\"allowed\":" + (decision.is_allowed ? "true" : "false") +
         ",\"pattern\":" + json_text(decision.pattern) + "}";
}

}  // namespace shinar::wire
