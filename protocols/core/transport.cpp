#include "transport.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"
#include "plug_in.hpp"

namespace shinar::wire {
namespace {

using Transports = PlugIns<Transport>;

constexpr const char* setting = "SIDL_RMI_TRANSPORTS";

/** The library that the owner of the process has given for the name; may say what is wrong. */
std::string chosen_library(std::string_view name, std::string& wrong) {
  const char* const all = std::getenv(setting);
  std::string_view left = all == nullptr ? "" : all;
  while (!left.empty()) {
    const std::string_view entry = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_plug_in_name(entry.substr(0, equals)) ||
        equals + 1 == entry.size()) {
      wrong = "; '" + std::string(entry) + "' in " + setting +
              " is not NAME=LIBRARY with a name of lower-case letters and digits";
    } else if (entry.substr(0, equals) == name) {
      return std::string(entry.substr(equals + 1));
    }
  }
  return {};
}

/**
 * Loads the library of a transport, which stays loaded. Peers may name any in URLs that they send:
 * only what the owner of the process has chosen by name, and what is installed beside this library,
 * is looked for. Returns what failed, for a message.
 */
std::string load(std::string_view name) {
  std::string wrong;
  std::string file = chosen_library(name, wrong);
  const bool is_chosen = !file.empty();
  if (!is_chosen) {
    file = plug_in_file(name);
    if (!has_plug_in(file)) {
      return ": " + std::string(setting) + " gives no library for it, and there is no " +
             file.substr(file.rfind('/') + 1) + " beside libsidlx_simhandle.so" + wrong;
    }
  }
  const std::string which = (is_chosen ? std::string(setting) + " names " : "") + file;
  const std::string failure = load_plug_in(file);
  if (!failure.empty()) return ": " + which + ", which cannot be loaded: " + failure;
  return ": " + which + ", which registers no transport of this name";
}

}  // namespace

Transport* Transport::find(std::string_view name, std::string* reason) {
  const Transports::Known* found = Transports::find(name);
  std::string why;
  if (found == nullptr && is_plug_in_name(name)) {
    why = load(name);
    found = Transports::find(name);
  }
  if (found != nullptr && found->fits()) return &found->it;
  if (found != nullptr) why = ": " + found->misfit();
  if (reason != nullptr) *reason = std::move(why);
  return nullptr;
}

std::vector<Endpoint> Transport::local_doors() {
  std::vector<Endpoint> doors;
  for (const auto* each = Transports::first(); each != nullptr; each = each->next) {
    if (!each->fits()) continue;
    if (auto door = each->it.local_door()) doors.push_back(std::move(*door));
  }
  return doors;
}

Transport& Transport::of(const Endpoint& endpoint) {
  std::string reason;
  if (Transport* const found = find(endpoint.transport(), &reason)) return *found;
  throw Error(Failure::malformed_url,
              "there is no transport '" + std::string(endpoint.transport()) + "' here" + reason);
}

AddTransport::AddTransport(const char* name, Transport& transport, const char* release) {
  Transports::add(name, transport, release);
}

}  // namespace shinar::wire
