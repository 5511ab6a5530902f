#include "transport.hpp"

#include <atomic>
#include <string>
#include <string_view>

#include "error.hpp"

namespace simhandle {
namespace {

/** All that there are; a list that only grows, so that nobody needs a lock. */
std::atomic<const AddTransport*>& first() {
  static std::atomic<const AddTransport*> first{nullptr};
  return first;
}

}  // namespace

Transport& Transport::of(const Endpoint& endpoint) {
  for (const AddTransport* each = first(); each != nullptr; each = each->next_) {
    if (endpoint.transport() == each->name_) return each->transport_;
  }
  throw Error(Failure::malformed_url,
              "there is no transport '" + std::string(endpoint.transport()) + "' here");
}

AddTransport::AddTransport(const char* name, Transport& transport)
    : name_(name), transport_(transport), next_(first()) {
  while (!first().compare_exchange_weak(next_, this)) continue;
}

}  // namespace simhandle
