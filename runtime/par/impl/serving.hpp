// A program that has nothing to do but to serve.
#pragma once

namespace shinar::par {

// Returns when the process was told to end, after calls that run have ended; throws if a signal
// handler of the language wants the thread.
void serve_until_told_to_end();

}  // namespace shinar::par
