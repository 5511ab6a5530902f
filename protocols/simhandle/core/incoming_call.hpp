/**
 * A call of a peer between the frame and the method: read, not run yet.
 */
#ifndef SIMHANDLE_INCOMING_CALL_HPP
#define SIMHANDLE_INCOMING_CALL_HPP

#include <chrono>

#include "message.hpp"
#include "method_numbers.hpp"

namespace simhandle {

struct IncomingCall {
  Message message;
  const Method* method = nullptr;                   ///< NULL: the connection has not named it
  std::chrono::steady_clock::time_point arrived{};  ///< from when its deadline counts
};

}  // namespace simhandle
#endif
