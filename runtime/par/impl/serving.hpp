// Programs that serve, and have nothing else to do.
#pragma once

namespace shinar::par {

// Returns when the process was told to end, after calls that run have ended; throws if a signal
// handler of the language wants the thread.
void serve_until_told_to_end();

// Throws a CancelledException if a signal handler of the language wants this thread.
void throw_if_interrupted(const char* what);

}  // namespace shinar::par
