/**
 * The audit log of a server: who connected, and what was refused to whom, as JSON lines. It never
 * has secrets, ids of objects or values of arguments; what a peer says is escaped, and cut where it
 * is long. What peers can do any number of times is logged so many times in an interval; the others
 * are counted.
 */
#ifndef SHINAR_CORE_AUDIT_HPP
#define SHINAR_CORE_AUDIT_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "checked_mutex.hpp"
#include "identity.hpp"
#include "socket.hpp"

namespace shinar::wire {

/** Whom a line is about. */
struct AuditSubject {
  std::string peer;       ///< its address
  Identity identity{};    ///< empty: it has proved nothing
  std::string session{};  ///< a short name, which is no secret; empty: none yet
};

/** Any thread. */
class Audit {
 public:
  using Clock = std::chrono::steady_clock;
  using Writer = std::function<void(const std::string& line)>;

  /** Lines in an interval: about refusals of one identity, of all, and about connections. */
  static constexpr std::uint64_t most_refused = 100;
  static constexpr std::uint64_t most_refused_of_all = 1000;
  static constexpr std::uint64_t most_connections = 10000;
  static constexpr std::chrono::seconds interval{10};

  /**
   * `file`: appended to; "-": standard error; empty: there is no log. `complain`: told if it cannot
   * be written. Throws Error if it cannot be opened.
   */
  Audit(std::string file, Writer complain);
  Audit(const Audit&) = delete;
  Audit& operator=(const Audit&) = delete;

  bool is_on() const { return !file_.empty(); }

  void connected(const AuditSubject& who, Clock::time_point now = Clock::now());
  void disconnected(const AuditSubject& who, Clock::time_point now = Clock::now());
  /**
   * `action`: "connect", "create", "attach", "call", "refer", …; `what`: a class, a name, a method,
   * a URL; `rule`: what has decided.
   */
  void refused(const AuditSubject& who, std::string_view action, std::string_view what,
               const std::string& rule, Clock::time_point now = Clock::now());

  /** Opens the file by its name again, as others may have moved it. */
  void reopen();
  /** Logs how many lines were left out in intervals that are over. To be called now and then. */
  void tick(Clock::time_point now = Clock::now());
  /** The same for all intervals: there will be no tick. */
  void finish();

 private:
  enum class Kind : std::uint8_t { refused, connections };
  struct Lines {
    std::uint64_t written = 0;
    std::uint64_t left_out = 0;
  };
  struct Interval {
    Clock::time_point begin{};
    std::uint64_t lines = 0;  ///< that there would be
    std::uint64_t written = 0;
    std::map<std::pair<std::string, std::string>, Lines> of{};  ///< name and proof
  };

  Socket open() const;
  void add(Kind kind, const Identity& who, Clock::time_point now,
           const std::function<std::string()>& line);
  std::string close(Kind kind, Clock::time_point now);
  std::string write(const std::string& line);

  const std::string file_;
  const Writer complain_;
  CheckedMutex<"Audit"> mutex_;
  Socket out_;
  std::array<Interval, 2> intervals_{};
  bool is_cut_ = false;  ///< the last line was not written to its end
  bool has_failed_ = false;
};

}  // namespace shinar::wire
#endif
