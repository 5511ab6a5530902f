// In: a program and its standard input.
// Out: its standard output and exit status. It inherits our standard error.
#pragma once

#include <string>

namespace shinar::driver {

struct ProcessResult {
  std::string output;
  std::string error;  // empty: it exited with status 0
};

// `program` is looked up on PATH unless it contains a slash.
ProcessResult run_process(const std::string& program, const std::string& input);

}  // namespace shinar::driver
