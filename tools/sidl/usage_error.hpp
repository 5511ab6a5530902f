/**
 * Invalid usage: a message, and exit status 2.
 */
#ifndef SIDL_TOOL_USAGE_ERROR_HPP
#define SIDL_TOOL_USAGE_ERROR_HPP

#include <stdexcept>

namespace sidl_tool {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace sidl_tool
#endif
