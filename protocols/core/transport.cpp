#include "transport.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"

namespace shinar::wire {
namespace {

/** The folder of the library that has this code, with a slash. */
std::string own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0) return "";
  const std::string_view path = info.dli_fname;
  return std::string(path.substr(0, path.rfind('/') + 1));
}

constexpr const char* setting = "SIDL_RMI_TRANSPORTS";

/** One that has registered itself. */
struct Known {
  std::string_view name;
  Transport& transport;
  std::string_view release;  ///< whose headers it was compiled with
  const Known* next;

  bool fits() const { return release == SHINAR_TRANSPORT_RELEASE; }
};

/** All transports, the latest first; the list only grows, so it needs no lock. */
std::atomic<const Known*>& first() {
  static std::atomic<const Known*> first{nullptr};
  return first;
}

const Known* find_known(std::string_view name) {
  const Known* found = first();
  while (found != nullptr && found->name != name) found = found->next;
  return found;
}

/** What may be part of the name of a file that is loaded, because a peer has sent it. */
bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, is_letter);
}

/** The library that the owner of the process has given for the name; may say what is wrong. */
std::string chosen_library(std::string_view name, std::string& wrong) {
  const char* const all = std::getenv(setting);
  std::string_view left = all == nullptr ? "" : all;
  while (!left.empty()) {
    const std::string_view entry = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos || !is_name(entry.substr(0, equals)) ||
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
  const std::string file_name = "libsidlx_" + std::string(name) + ".so";
  std::string wrong;
  std::string file = chosen_library(name, wrong);
  const bool is_chosen = !file.empty();
  if (!is_chosen) {
    file = own_folder() + file_name;
    if (::access(file.c_str(), F_OK) != 0) {
      return ": " + std::string(setting) + " gives no library for it, and there is no " +
             file_name + " beside libsidlx_simhandle.so" + wrong;
    }
  }
  const std::string which = (is_chosen ? std::string(setting) + " names " : "") + file;
  if (::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    const char* const why = ::dlerror();
    return ": " + which + ", which cannot be loaded: " + (why == nullptr ? "no reason given" : why);
  }
  return ": " + which + ", which registers no transport of this name";
}

}  // namespace

Transport* Transport::find(std::string_view name, std::string* reason) {
  const Known* found = find_known(name);
  std::string why;
  if (found == nullptr && is_name(name)) {
    why = load(name);
    found = find_known(name);
  }
  if (found != nullptr && found->fits()) return &found->transport;
  if (found != nullptr) {
    why = ": it was compiled for Shinar " + std::string(found->release) + ", and this is Shinar " +
          SHINAR_TRANSPORT_RELEASE + "; compile it anew";
  }
  if (reason != nullptr) *reason = std::move(why);
  return nullptr;
}

std::vector<Endpoint> Transport::local_doors() {
  std::vector<Endpoint> doors;
  for (const Known* each = first(); each != nullptr; each = each->next) {
    if (!each->fits()) continue;
    if (auto door = each->transport.local_door()) doors.push_back(std::move(*door));
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
  auto* const known = new Known{name, transport, release, first()};
  while (!first().compare_exchange_weak(known->next, known)) continue;
}

}  // namespace shinar::wire
