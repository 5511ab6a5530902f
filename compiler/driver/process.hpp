// In: a program and what to write to its standard input.
// Out: what it wrote to its standard output, and how it ended. Its standard error is ours.
#pragma once

#include <string>

namespace shinar::driver {

struct ProcessResult {
  std::string output;
  std::string error;  // empty: it ran and ended with status 0
};

// `program` is looked up on PATH unless it contains a slash.
ProcessResult run_process(const std::string& program, const std::string& input);

}  // namespace shinar::driver
