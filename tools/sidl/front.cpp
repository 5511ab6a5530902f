#include "front.hpp"

#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "messages.hpp"
#include "processes.hpp"
#include "rank_file.hpp"
#include "sidl_name_file.hxx"

namespace sidl_tool {
namespace {

std::string name_of_host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

int rank_of(const FrontOptions& options) {
  std::string names;
  for (const std::string& each : options.variables) {
    names += (names.empty() ? "" : ", ") + each;
    const char* const text = std::getenv(each.c_str());
    if (text == nullptr) continue;
    int rank = -1;
    const auto [end, error] = std::from_chars(text, text + std::strlen(text), rank);
    if (error == std::errc() && *end == '\0' && rank >= 0) return rank;
    throw std::runtime_error(each + "=" + text + " of the launcher is no rank");
  }
  throw std::runtime_error("the launcher has told a process of " + options.program +
                           " no rank: none of " + names + " is set on " + name_of_host());
}

RankOrder order_of(const FrontOptions& options) {
  const int rank = rank_of(options);
  const std::string text = sidl::job::read_new_file(options.file);
  if (!text.empty()) return order_in(text, options.program, rank);
  throw std::runtime_error(options.program + "." + std::to_string(rank) + " is on " +
                           name_of_host() + ", which does not have " + options.file +
                           ": for ranks on several hosts use --hosts=many, with a --shared folder "
                           "that all have");
}

int connect_locally(const std::string& path) {
  struct sockaddr_un at = {};
  at.sun_family = AF_UNIX;
  path.copy(at.sun_path, sizeof at.sun_path - 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const auto* const any = reinterpret_cast<const struct sockaddr*>(&at);
  if (fd >= 0 && ::connect(fd, any, sizeof at) == 0) return fd;
  throw std::runtime_error(name_of_host() + " cannot connect to sidl launch at " + path + ": " +
                           std::strerror(errno));
}

int connect_to(const std::string& host, const std::string& port) {
  const std::string what =
      name_of_host() + " cannot connect to sidl launch at " + host + ", port " + port + ": ";
  struct addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  struct addrinfo* found = nullptr;
  if (const int why = ::getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); why != 0) {
    throw std::runtime_error(what + ::gai_strerror(why));
  }
  int why = 0;
  for (const auto* each = found; each != nullptr; each = each->ai_next) {
    const int fd = ::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && ::connect(fd, each->ai_addr, each->ai_addrlen) == 0) {
      ::freeaddrinfo(found);
      keep_alive(fd);
      return fd;
    }
    why = errno;
    if (fd >= 0) ::close(fd);
  }
  ::freeaddrinfo(found);
  throw std::runtime_error(what + std::strerror(why));
}

int connected(const std::string& address) {
  std::istringstream words(address);
  std::string kind, host, port;
  words >> kind >> host >> port;
  // A path may have blanks.
  return kind == "unix" ? connect_locally(address.substr(5)) : connect_to(host, port);
}

/** The connection to `sidl launch`. */
class Line {
 public:
  explicit Line(const RankOrder& order) : inbox_(longest_message), fd_(connected(order.address)) {
    const Start& start = order.start;
    send(Kind::hello, packed({start.program, start.environment.at("SIDL_RANK"), order.proof}));
  }
  ~Line() { ::close(fd_); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  int descriptor() const { return fd_; }
  bool is_open() const { return is_open_; }
  void send(Kind kind, const std::string& content) {
    is_open_ = is_open_ && send_message(fd_, kind, content);
  }
  /** With `waits`, until something comes; without, what is there. */
  void receive(bool waits) {
    char bytes[1 << 14];
    const ssize_t count = ::recv(fd_, bytes, sizeof bytes, waits ? 0 : MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) {
      is_open_ = false;
    } else {
      inbox_.take(bytes, static_cast<std::size_t>(count));
    }
  }
  std::optional<Message> next() { return inbox_.next(); }

 private:
  Inbox inbox_;
  const int fd_;
  bool is_open_ = true;
};

/** Runs the program of a rank to its end. */
class Front {
 public:
  Front(Line& line, const RankOrder& order)
      : line_(line),
        order_(order),
        processes_([this](const Start&, int to, const std::string& lines) {
          line_.send(to == STDOUT_FILENO ? Kind::out : Kind::err, lines);
        }) {
    processes_.guard().set_grace(order.grace);
  }

  int run() {
    if (!is_welcome()) return 0;
    try {
      processes_.start(order_.start);
    } catch (const std::runtime_error& failure) {
      line_.send(Kind::not_started, failure.what());
      return await_goodbye();
    }
    while (true) {
      obey();  // what has come with the welcome, at first
      for (const Ended& each :
           processes_.wait(time_left(), line_.is_open() ? line_.descriptor() : -1)) {
        line_.send(Kind::ended, std::to_string(each.status));
        return await_goodbye();
      }
    }
  }

 private:
  /** False: the job is being ended, which `sidl launch` knows. */
  bool is_welcome() {
    while (line_.is_open()) {
      const auto message = line_.next();
      if (message && message->kind == Kind::welcome) return true;
      if (message && message->kind == Kind::too_late) return false;
      line_.receive(true);
    }
    throw std::runtime_error("sidl launch does not want " + order_.start.label + ", or has ended");
  }

  /** Signals of the launcher's, and what `sidl launch` says, or that it says nothing any more. */
  void obey() {
    if (processes_.take_signal() != 0) end();
    line_.receive(false);
    while (const auto message = line_.next()) {
      if (message->kind != Kind::signal) continue;
      processes_.send(std::atoi(message->content.c_str()));
    }
    if (!line_.is_open()) end();
    if (is_ending_ && Clock::now() >= end_) processes_.send(SIGKILL);
  }

  void end() {
    if (is_ending_) return;
    is_ending_ = true;
    end_ = Clock::now() + order_.grace;
    processes_.send(SIGTERM);
  }

  Milliseconds time_left() const {
    constexpr Milliseconds long_time(60'000);
    if (!is_ending_) return long_time;
    const auto left = std::chrono::duration_cast<Milliseconds>(end_ - Clock::now());
    return std::clamp(left, Milliseconds(10), long_time);
  }

  /** The peer reads all before this end closes, or is gone. */
  int await_goodbye() {
    ::shutdown(line_.descriptor(), SHUT_WR);
    while (line_.is_open()) line_.receive(true);
    return 0;
  }

  using Clock = std::chrono::steady_clock;

  Line& line_;
  const RankOrder& order_;
  Processes processes_;
  bool is_ending_ = false;
  Clock::time_point end_;
};

}  // namespace

std::vector<std::string> front_command(const FrontOptions& options) {
  std::error_code failure;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", failure);
  std::string variables;
  for (const std::string& each : options.variables) {
    variables += (variables.empty() ? "" : ",") + each;
  }
  return {failure ? "sidl" : own.string(), "rank", "--from=" + variables, options.file,
          options.program};
}

CLI::App* add_front(CLI::App& app, FrontOptions& options) {
  CLI::App* const command = app.add_subcommand("rank", "What `sidl launch` has others start");
  command->group("");
  command->add_option("--from", options.variables, "Variables that may have the rank")
      ->delimiter(',')
      ->required();
  command->add_option("FILE", options.file, "Where `sidl launch` is")->required();
  command->add_option("PROGRAM", options.program, "Of the job")->required();
  return command;
}

int front(const FrontOptions& options) {
  const RankOrder order = order_of(options);
  Line line(order);
  return Front(line, order).run();
}

}  // namespace sidl_tool
