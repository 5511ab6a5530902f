#include "transport.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
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

/**
 * Loads the library of a transport, which stays loaded. Peers may name any in URLs that they send,
 * so only what is installed beside this library is looked for. Returns why that failed, for a
 * message.
 */
std::string load(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  if (name.empty() || name.size() > 32 || !std::ranges::all_of(name, is_letter)) return "";
  const std::string file = own_folder() + "libsidlx_" + std::string(name) + ".so";
  if (::access(file.c_str(), F_OK) != 0) return "";
  if (::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* const why = ::dlerror();
  return ": " + std::string(why == nullptr ? "it cannot be loaded" : why);
}

/** All transports; the list only grows, so it needs no lock. */
std::atomic<const AddTransport*>& first() {
  static std::atomic<const AddTransport*> first{nullptr};
  return first;
}

}  // namespace

Transport* Transport::find_known(std::string_view name) {
  for (const AddTransport* each = first(); each != nullptr; each = each->next_) {
    if (each->name_ == name) return &each->transport_;
  }
  return nullptr;
}

Transport* Transport::find(std::string_view name, std::string* reason) {
  if (Transport* const known = find_known(name)) return known;
  const std::string failed = load(name);
  Transport* const found = find_known(name);
  if (found == nullptr && reason != nullptr) *reason = failed;
  return found;
}

std::vector<Endpoint> Transport::local_doors() {
  std::vector<Endpoint> doors;
  for (const AddTransport* each = first(); each != nullptr; each = each->next_) {
    if (auto door = each->transport_.local_door()) doors.push_back(std::move(*door));
  }
  return doors;
}

Transport& Transport::of(const Endpoint& endpoint) {
  std::string reason;
  if (Transport* const found = find(endpoint.transport(), &reason)) return *found;
  throw Error(Failure::malformed_url,
              "there is no transport '" + std::string(endpoint.transport()) + "' here" + reason);
}

AddTransport::AddTransport(const char* name, Transport& transport)
    : name_(name), transport_(transport), next_(first()) {
  while (!first().compare_exchange_weak(next_, this)) continue;
}

}  // namespace shinar::wire
