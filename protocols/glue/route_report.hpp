/** The ways to a server, measured, as text for `sidl ping`. */
#ifndef SHINAR_GLUE_ROUTE_REPORT_HPP
#define SHINAR_GLUE_ROUTE_REPORT_HPP

#include <chrono>
#include <string>

#include "core/peer.hpp"

namespace shinar::wire {

/** JSON: see docs/sidl-tool.md. Takes at most that long. */
std::string report_routes(Peer& peer, std::chrono::duration<double> most);

}  // namespace shinar::wire
#endif
