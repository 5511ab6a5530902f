/**
 * Sets up what this process lends as a client, when the plug-in is loaded and again after fork.
 */
#include "core/exports.hpp"
#include "orb_host.hpp"
#include "sidl_process.h"

namespace shinar::wire {
namespace {

/**
 * A forked child has no threads to serve what its parent has lent, so it starts anew. Nothing is
 * destroyed: objects may be called and released late in exit.
 */
void begin() {
  OrbHost::begin_process();
  Exports::set_of_process(new Exports(*new OrbHost, Limits::from_environment().session_references));
}

const bool begun = [] {
  static sidl_fork_handler handler{sidl_fork_protocol, nullptr, nullptr, begin, nullptr};
  begin();
  ::sidl_at_fork(&handler);
  return true;
}();

}  // namespace
}  // namespace shinar::wire
