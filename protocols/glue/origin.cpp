/**
 * Lets sidl.rmi.Caller know who makes the call that a thread runs.
 */
#include <cstring>
#include <exception>
#include <string>

#include "core/link.hpp"
#include "core/running_call.hpp"
#include "sidl_protocol.h"

namespace shinar::wire {
namespace {

sidl_bool runs_call() {
  return RunningCall::innermost() == nullptr ? FALSE : TRUE;
}

/** What `text` finds out about the link of the thread's call; NULL: no memory. */
template <std::string (*text)(const Link& link)>
char* of_caller() {
  try {
    return ::strdup(text(RunningCall::innermost()->link()).c_str());
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::string name_of(const Link& link) {
  return link.identity().name;
}

std::string proof_of(const Link& link) {
  return link.identity().proof;
}

std::string address_of(const Link& link) {
  return link.other_end();
}

const bool is_added = [] {
  static sidl_rmi_origin functions{runs_call, of_caller<name_of>, of_caller<proof_of>,
                                   of_caller<address_of>, nullptr};
  ::sidl_rmi_add_origin(&functions);
  return true;
}();

}  // namespace
}  // namespace shinar::wire
