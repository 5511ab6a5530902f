#include "audit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <utility>

#include "error.hpp"
#include "json_text.hpp"

namespace shinar::wire {
namespace {

/** What a peer says is cut here. */
constexpr std::size_t longest_text = 256;

constexpr const char* standard_error = "-";

/** "2026-11-26T15:22:36.123Z" */
std::string time_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(text.data() + size, text.size() - size, ".%03ldZ", now.tv_nsec / 1000000);
  return text.data();
}

std::string member(const char* name, std::string_view value) {
  return ",\"" + std::string(name) + "\":" + json_text(value, longest_text);
}

std::string beginning(const char* event) {
  return "{\"time\":\"" + time_text() + "\"" + member("event", event);
}

std::string line_about(const char* event, const AuditSubject& who) {
  return beginning(event) + member("peer", who.peer) + member("identity", who.identity.name) +
         member("proof", who.identity.proof) + member("session", who.session);
}

/** Nobody has proved anything, or more have than are told apart. */
const std::pair<std::string, std::string> nobody;

constexpr std::array<const char*, 2> kind_names = {"refused", "connections"};

}  // namespace

Audit::Audit(std::string file, Writer complain)
    : file_(std::move(file)), complain_(std::move(complain)) {
  if (!is_on()) return;
  out_ = open();
  if (!out_.is_open()) {
    const int err = errno;
    throw Error(Failure::bind,
                "the audit log '" + file_ +
                    "' (--audit, SIDL_AUDIT_FILE) cannot be opened: " + std::strerror(err),
                Fate::not_sent, err);
  }
}

/** For others not to be read. Not waiting: it may be a pipe that nobody reads. */
Socket Audit::open() const {
  if (file_ == standard_error) return Socket(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3));
  constexpr int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  return Socket(::open(file_.c_str(), flags, S_IRUSR | S_IWUSR));
}

void Audit::connected(const AuditSubject& who, Clock::time_point now) {
  add(Kind::connections, who.identity, now, [&] { return line_about("connected", who); });
}

void Audit::disconnected(const AuditSubject& who, Clock::time_point now) {
  add(Kind::connections, who.identity, now, [&] { return line_about("disconnected", who); });
}

void Audit::refused(const AuditSubject& who, std::string_view action, std::string_view what,
                    const std::string& rule, Clock::time_point now) {
  add(Kind::refused, who.identity, now, [&] {
    return line_about("refused", who) + member("action", action) + member("what", what) +
           member("rule", rule);
  });
}

/** Of connections all together are limited, of refusals those of each identity. */
void Audit::add(Kind kind, const Identity& who, Clock::time_point now,
                const std::function<std::string()>& line) {
  if (!is_on()) return;
  constexpr std::size_t most_told_apart = 1000;
  std::string trouble;
  {
    const std::lock_guard lock(mutex_);
    Interval& current = intervals_[static_cast<std::size_t>(kind)];
    if (current.lines != 0 && now - current.begin >= interval) {
      const std::string left_out = close(kind, now);
      if (!left_out.empty()) trouble = write(left_out);
    }
    if (current.lines++ == 0) current.begin = now;
    const bool is_one = kind == Kind::refused && current.of.size() < most_told_apart;
    Lines& own = current.of[is_one ? std::pair(who.name, who.proof) : nobody];
    const bool fits = kind == Kind::connections
                          ? current.written < most_connections
                          : own.written < most_refused && current.written < most_refused_of_all;
    if (fits) {
      ++current.written;
      ++own.written;
      trouble += write(line() + "}\n");
    } else {
      ++own.left_out;
    }
  }
  if (!trouble.empty()) complain_(trouble);
}

/** Ends the interval; returns the lines about what was left out, or nothing. Under the lock. */
std::string Audit::close(Kind kind, Clock::time_point now) {
  const auto at = static_cast<std::size_t>(kind);
  const Interval over = std::exchange(intervals_[at], {});
  const auto length = std::chrono::ceil<std::chrono::seconds>(now - over.begin);
  std::string lines;
  for (const auto& [who, own] : over.of) {
    if (own.left_out == 0) continue;
    lines += beginning("left out") + member("of", kind_names[at]);
    if (kind == Kind::refused) lines += member("identity", who.first) + member("proof", who.second);
    lines += ",\"count\":" + std::to_string(own.left_out) +
             ",\"seconds\":" + std::to_string(length.count()) + "}\n";
  }
  return lines;
}

void Audit::tick(Clock::time_point now) {
  if (!is_on()) return;
  std::string trouble;
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (intervals_[i].lines == 0 || now - intervals_[i].begin < interval) continue;
      const std::string line = close(static_cast<Kind>(i), now);
      if (!line.empty()) trouble += write(line);
    }
  }
  if (!trouble.empty()) complain_(trouble);
}

void Audit::finish() {
  tick(Clock::now() + interval);
}

/**
 * Under the lock, so that lines stay whole. Returns what to complain of: once, until it works
 * again, as a server whose disk is full goes on.
 */
std::string Audit::write(const std::string& line) {
  const std::string whole = (is_cut_ ? "\n" : "") + line;
  ssize_t got = 0;
  do {
    got = ::write(out_.fd(), whole.data(), whole.size());
  } while (got < 0 && errno == EINTR);
  const int err = got < 0 ? errno : got == static_cast<ssize_t>(whole.size()) ? 0 : ENOSPC;
  if (got > 0) is_cut_ = err != 0;
  if (std::exchange(has_failed_, err != 0) || err == 0) return {};
  return "the audit log '" + file_ + "' cannot be written: " + std::strerror(err) +
         "; the server goes on without";
}

void Audit::reopen() {
  if (!is_on()) return;
  Socket again = open();
  const int err = errno;
  if (!again.is_open()) {
    complain_("the audit log '" + file_ + "' cannot be opened again: " + std::strerror(err) +
              "; the old file is written on");
    return;
  }
  const std::lock_guard lock(mutex_);
  std::swap(out_, again);
  is_cut_ = false;
}

}  // namespace shinar::wire
