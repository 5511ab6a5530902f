#include "route_report.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "core/error.hpp"
#include "core/json_text.hpp"
#include "core/probe.hpp"

namespace shinar::wire {
namespace {

using Clock = std::chrono::steady_clock;

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string measured(const Routes::Route& route, const Peer::KnownRoutes& known,
                     Clock::time_point until) {
  if (route.at == Endpoint()) return R"("reachable": false, "reason": )" + json_text(route.why_not);
  try {
    const Probe found = probe(route.at, known.server, Limits::from_environment(), until);
    std::string text = R"("reachable": true, "roundTrip": )" + number(found.round_trip.count()) +
                       R"(, "bandwidth": )" + number(found.bytes_per_second);
    if (!found.carriers.empty()) text += R"(, "carriers": )" + json_text(found.carriers);
    const bool is_in_use = route.at == known.in_use;
    if (!is_in_use && !route.why_not.empty()) text += R"(, "reason": )" + json_text(route.why_not);
    return text;
  } catch (const Error& error) {
    return R"("reachable": false, "reason": )" + json_text(error.what());
  }
}

}  // namespace

std::string report_routes(Peer& peer, std::chrono::duration<double> most) {
  constexpr double longest = 3600;
  const Peer::KnownRoutes known = peer.routes();
  const auto share = std::chrono::duration<double>(std::clamp(most.count(), 0.0, longest)) /
                     static_cast<double>(known.all.size());
  std::string text = "[";
  for (const Routes::Route& each : known.all) {
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(share);
    if (text.size() > 1) text += ",";
    text += "\n  {\"url\": " + json_text(each.url) +
            ", \"transport\": " + json_text(transport_named(each.url)) +
            ", \"inUse\": " + (each.at == known.in_use ? "true" : "false") + ", " +
            measured(each, known, until) + "}";
  }
  return text + "\n]";
}

}  // namespace shinar::wire
