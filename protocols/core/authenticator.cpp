/**
 * How a process proves who it is, by its environment. The library that does it is loaded when it is
 * first needed: none is because a peer names a method.
 */
#include <atomic>
#include <cstdlib>
#include <string>

#include "authentication.hpp"
#include "plug_in.hpp"

namespace shinar::wire {
namespace {

using Authentications = PlugIns<Authentication>;

struct Way {
  const char* name;
  const char* variable;
  bool is_switch;  ///< it may be set to "0" or "off"; a file of that name is a file
};
constexpr Way ways_to_authenticate[] = {{"secret", "SIDL_SECRET_FILE", false},
                                        {"munge", "SIDL_MUNGE", true}};

/** What the environment says, and what was made of that. */
struct Chosen {
  std::string name;
  std::string value;
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

/** An empty name of a file is an error: whoever set it so meant to have a secret. */
bool is_off(const Way& way, std::string_view value) {
  return way.is_switch && (value.empty() || value == "0" || value == "off");
}

/** NULL: nothing is asked for. */
const Way* way_of_environment(std::string& value) {
  const Way* chosen = nullptr;
  for (const Way& each : ways_to_authenticate) {
    const char* const text = std::getenv(each.variable);
    if (text == nullptr || is_off(each, text)) continue;
    if (chosen != nullptr) {
      throw cannot(*chosen, "so is " + std::string(each.variable) +
                                ": a process proves who it is in one way");
    }
    chosen = &each;
    value = text;
  }
  return chosen;
}

}  // namespace

/**
 * Made once, unless the environment changes; the former one stays, as others may just look at it.
 * Several threads may make it at once, but none waits for another one, which a forked child would
 * not have.
 */
std::shared_ptr<const Authenticator> Authenticator::of_process() {
  static std::atomic<const Chosen*> made{nullptr};
  std::string value;
  const Way* const way = way_of_environment(value);
  if (way == nullptr) return nullptr;
  const Chosen* const known = made;
  if (known != nullptr && known->name == way->name && known->value == value) {
    return known->authenticator;
  }
  auto authenticator = find_authentication(*way).make(value);
  auto* const chosen = new Chosen{way->name, value, authenticator, made};
  while (!made.compare_exchange_weak(chosen->former, chosen)) continue;
  return authenticator;
}

AddAuthentication::AddAuthentication(const char* name, Authentication& authentication,
                                     const char* release) {
  Authentications::add(name, authentication, release);
}

}  // namespace shinar::wire
