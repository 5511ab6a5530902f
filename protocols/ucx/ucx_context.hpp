/**
 * UCX in this process: one context, made when it is first needed, for good.
 *
 * What UCX uses (networks, shared memory, thresholds) is the user's choice by UCX's own environment
 * variables, of which UCX_TLS matters most.
 */
#ifndef SHINAR_UCX_CONTEXT_HPP
#define SHINAR_UCX_CONTEXT_HPP

#include <ucp/api/ucp.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace shinar::wire::ucx {

/** The context of this process; throws Error(connect) if UCX does not work here. Any thread. */
ucp_context_h context();

/** True if it has found a network that TCP does not use, as InfiniBand. Any thread. */
bool has_fast_network();

/** Ends a text that says what cannot be reached; empty if this process is not a forked child. */
const char* note_for_child();

/** Release of UCX in use: major * 1000 + minor. Peers must have the same. */
std::uint32_t release();

/** What is written to the file. */
std::string text_printed(const std::function<void(std::FILE*)>& print);

/** "Destination is unreachable". */
std::string text_of(ucs_status_t status);

/**
 * UCX logs nothing to standard error while one of these exists: what it warns of is meant, or
 * thrown as an Error. Any thread.
 */
class Quiet {
 public:
  Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet();
};

}  // namespace shinar::wire::ucx
#endif
