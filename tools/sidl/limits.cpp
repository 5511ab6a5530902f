#include "limits.hpp"

#include <CLI/CLI.hpp>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace sidl_tool {
namespace {

constexpr std::uint64_t hour_ms = 3600u * 1000u;

/** A limit that docs/simhandle-protocol.md lists, with what the protocol takes for it. */
struct Limit {
  const char* option;
  const char* setting;
  const char* about;
  std::uint64_t lowest, highest;
  bool bytes;  ///< may be written with a unit: 64M
};

constexpr Limit limits[] = {
    {"--max-inline", "SIDL_RMI_MAX_INLINE", "Bytes of a message without its big arrays", 8192,
     std::uint64_t{1} << 30, true},
    {"--max-message", "SIDL_RMI_MAX_MESSAGE", "Bytes of the big arrays of a message", 4096,
     std::uint64_t{1} << 50, true},
    {"--memory", "SIDL_RMI_MEMORY", "Bytes that the messages of a connection may hold", 4096,
     std::uint64_t{1} << 50, true},
    {"--max-unsent", "SIDL_RMI_MAX_UNSENT", "Bytes of answers that wait for a slow client", 4096,
     std::uint64_t{1} << 50, true},
    {"--max-connections", "SIDL_RMI_MAX_CONNECTIONS", "Connections at the same time", 1, 1u << 24,
     false},
    {"--max-calls", "SIDL_RMI_MAX_CALLS",
     "Calls of a connection that are read before one has ended", 1, 1u << 20, false},
    {"--max-waiting", "SIDL_RMI_MAX_WAITING",
     "Threads that may wait for peers in calls of one client", 1, 1024, false},
    {"--max-references", "SIDL_RMI_MAX_REFERENCES", "Objects that a client may hold", 1, 1u << 30,
     false},
    {"--max-elements", "SIDL_RMI_MAX_ELEMENTS", "Elements of an array", 1, std::uint64_t{1} << 48,
     false},
    {"--max-string", "SIDL_RMI_MAX_STRING", "Bytes of a string", 4096, std::uint64_t{1} << 50,
     true},
    {"--connect-ms", "SIDL_RMI_CONNECT_MS", "Milliseconds for a client to say who it is", 10,
     hour_ms, false},
    {"--keepalive-ms", "SIDL_RMI_KEEPALIVE_MS", "Milliseconds between signs of life", 50, hour_ms,
     false},
    {"--spin-us", "SIDL_SPIN_US", "Microseconds to poll before sleeping, 0: never", 0, 1000000,
     false},
};

/** "64M" as bytes, or a plain number; false if it is neither. */
bool read_number(const std::string& text, bool bytes, std::uint64_t& value) {
  static const std::string units = "kmgt";
  char* end = nullptr;
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  value = std::strtoull(text.c_str(), &end, 10);
  if (errno == ERANGE) return false;
  if (bytes && *end != '\0') {
    const std::size_t unit = units.find(static_cast<char>(std::tolower(*end)));
    if (unit == std::string::npos) return false;
    const auto shift = 10 * (unit + 1);
    if (value > (UINT64_MAX >> shift)) return false;
    value <<= shift;
    ++end;
  }
  return *end == '\0';
}

void set_limit(const Limit& limit, const std::string& text) {
  std::uint64_t value = 0;
  if (!read_number(text, limit.bytes, value) || value < limit.lowest || value > limit.highest) {
    throw CLI::ValidationError(std::string(limit.option),
                               "'" + text + "' is no number from " + std::to_string(limit.lowest) +
                                   " to " + std::to_string(limit.highest) +
                                   (limit.bytes ? " (units: k, M, G, T)" : ""));
  }
  ::setenv(limit.setting, std::to_string(value).c_str(), 1);
}

}  // namespace

void add_limits(CLI::App& command) {
  for (const Limit& limit : limits) {
    const auto set = [&limit](const std::string& text) { set_limit(limit, text); };
    command
        .add_option_function<std::string>(limit.option, set,
                                          std::string(limit.about) + " (" + limit.setting + ")")
        ->type_name(limit.bytes ? "BYTES" : "N")
        ->group("Limits");
  }
}

}  // namespace sidl_tool
