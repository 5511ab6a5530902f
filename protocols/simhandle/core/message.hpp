/**
 * One frame as it was received: header, inline part, bulk segments in their final homes.
 *
 * Plain data that moves from the thread that read it to the one that uses it.
 */
#ifndef SIMHANDLE_MESSAGE_HPP
#define SIMHANDLE_MESSAGE_HPP

#include <vector>

#include "memory.hpp"
#include "wire.hpp"

namespace simhandle {

struct Message {
  FrameHeader header;
  Buffer body;
  std::vector<Block> segments;
  Share share;  ///< of the connection's memory, given back with the message

  FrameType type() const { return static_cast<FrameType>(header.type); }
};

}  // namespace simhandle
#endif
