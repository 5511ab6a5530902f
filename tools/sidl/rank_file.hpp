/**
 * What `sidl launch` writes for the ranks of a program that others start, and their fronts read
 * (front.hpp). It is in a file, and not said over their connection, as it is what they execute:
 * only the owner of the job can write there, whatever happens on the network.
 */
#ifndef SIDL_TOOL_RANK_FILE_HPP
#define SIDL_TOOL_RANK_FILE_HPP

#include <string>
#include <vector>

#include "processes.hpp"

namespace sidl_tool {

/** What a front has to know. */
struct RankOrder {
  std::string address;  ///< of Control
  Milliseconds grace;   ///< that the program has to end when `sidl launch` is gone
  std::string proof;    ///< that this is the front of the rank
  Start start;
};

/** For the ranks of a program, in their order, with the proofs of each. */
std::string packed_orders(const std::string& address, Milliseconds grace,
                          const std::vector<Start>& ranks, const std::vector<std::string>& proofs);

/** Of one of them. Throws std::runtime_error if there is none, or the text is incomplete. */
RankOrder order_in(const std::string& text, const std::string& program, int rank);

}  // namespace sidl_tool
#endif
