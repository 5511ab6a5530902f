#include "transport.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"

namespace shinar::wire {
namespace {

/** All transports; the list only grows, so it needs no lock. */
std::atomic<const AddTransport*>& first() {
  static std::atomic<const AddTransport*> first{nullptr};
  return first;
}

}  // namespace

Transport* Transport::find(std::string_view name) {
  for (const AddTransport* each = first(); each != nullptr; each = each->next_) {
    if (each->name_ == name) return &each->transport_;
  }
  return nullptr;
}

std::vector<Endpoint> Transport::local_doors() {
  std::vector<Endpoint> doors;
  for (const AddTransport* each = first(); each != nullptr; each = each->next_) {
    if (auto door = each->transport_.local_door()) doors.push_back(std::move(*door));
  }
  return doors;
}

Transport& Transport::of(const Endpoint& endpoint) {
  if (Transport* const found = find(endpoint.transport())) return *found;
  throw Error(Failure::malformed_url,
              "there is no transport '" + std::string(endpoint.transport()) + "' here");
}

AddTransport::AddTransport(const char* name, Transport& transport)
    : name_(name), transport_(transport), next_(first()) {
  while (!first().compare_exchange_weak(next_, this)) continue;
}

}  // namespace shinar::wire
