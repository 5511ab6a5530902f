/**
 * How a process proves who it is, as it is set to. The library that does it is loaded when it is
 * first needed: none is because a peer names a method.
 */
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "authentication.hpp"
#include "plug_in.hpp"
#include "sidl_trust.h"

namespace shinar::wire {
namespace {

using Authentications = PlugIns<Authentication>;

struct Way {
  const char* name;
  const char* variable;
  std::optional<sidl_trust> file;  ///< which it needs; none: it may be set to "0" or "off"
};
constexpr Way ways_to_authenticate[] = {{"secret", "SIDL_SECRET_FILE", sidl_trust_secret},
                                        {"munge", "SIDL_MUNGE", std::nullopt}};

/** What the process is set to, and what was made of that. */
struct Chosen {
  std::string name;
  std::string value;
  std::uint32_t generation;  ///< of the files
  std::shared_ptr<const Authenticator> authenticator;
  const Chosen* former;
};

Error cannot(const Way& way, const std::string& why) {
  return Error(Failure::protocol, std::string(way.variable) + " is set, but " + why);
}

Authentication& find_authentication(const Way& way) {
  return loaded_plug_in<Authentication>(way.name, "way to authenticate",
                                        [&](const std::string& why) { return cannot(way, why); });
}

/**
 * None: it is off. An empty name of a file is an error: whoever set it so meant to have a secret.
 */
std::optional<std::string> value_of(const Way& way) {
  if (way.file) {
    const std::unique_ptr<char, decltype(&std::free)> path(::sidl_trust_file(*way.file),
                                                           &std::free);
    return path == nullptr ? std::optional<std::string>() : path.get();
  }
  const char* const text = std::getenv(way.variable);
  const std::string_view value(text == nullptr ? "" : text);
  if (value.empty() || value == "0" || value == "off") return std::nullopt;
  return std::string(value);
}

/** NULL: nothing is asked for. */
const Way* way_of_process(std::string& value) {
  const Way* chosen = nullptr;
  for (const Way& each : ways_to_authenticate) {
    auto set = value_of(each);
    if (!set) continue;
    if (chosen != nullptr) {
      throw cannot(*chosen, "so is " + std::string(each.variable) +
                                ": a process proves who it is in one way");
    }
    chosen = &each;
    value = std::move(*set);
  }
  return chosen;
}

}  // namespace

/**
 * Made once, unless it is set anew or files are to be read again; the former one stays, as others
 * may just look at it.
 * Several threads may make it at once, but none waits for another one, which a forked child would
 * not have.
 */
std::shared_ptr<const Authenticator> Authenticator::of_process() {
  static std::atomic<const Chosen*> made{nullptr};
  std::string value;
  const std::uint32_t generation = ::sidl_trust_generation();
  const Way* const way = way_of_process(value);
  if (way == nullptr) return nullptr;
  const Chosen* const known = made;
  if (known != nullptr && known->name == way->name && known->value == value &&
      (!way->file || known->generation == generation)) {
    return known->authenticator;
  }
  auto authenticator = find_authentication(*way).make(value);
  auto* const chosen = new Chosen{way->name, value, generation, authenticator, made};
  while (!made.compare_exchange_weak(chosen->former, chosen)) continue;
  return authenticator;
}

AddAuthentication::AddAuthentication(const char* name, Authentication& authentication,
                                     const char* release) {
  Authentications::add(name, authentication, release);
}

}  // namespace shinar::wire
