/** What this process lends as a client: set up when the plug-in is loaded, and anew after fork. */
#include <pthread.h>

#include "core/exports.hpp"
#include "orb_host.hpp"

namespace simhandle {
namespace {

/** Never destroyed: objects may be called and given back late in exit. */
void begin() {
  Exports::set_of_process(new Exports(*new OrbHost, Limits::from_environment().session_references));
}

/** A forked child has no threads that would serve what its parent has lent. */
const bool begun = [] {
  begin();
  ::pthread_atfork(nullptr, nullptr, begin);
  return true;
}();

}  // namespace
}  // namespace simhandle
