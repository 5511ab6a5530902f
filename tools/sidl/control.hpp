/**
 * The side of `sidl launch` of its connections to the fronts of ranks (front.hpp), which run what
 * it tells them, and tell it what their programs write and how they end.
 */
#ifndef SIDL_TOOL_CONTROL_HPP
#define SIDL_TOOL_CONTROL_HPP

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "messages.hpp"
#include "processes.hpp"

namespace sidl_tool {

class Control {
 public:
  /**
   * Listens on a Unix-domain socket in the folder, or with a host, which may be "0.0.0.0", on a
   * free TCP port. Fronts find that, and what proves who they are, in files of the folder.
   */
  Control(const std::string& folder, const std::string& host, Milliseconds grace);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  /** Where fronts of a program find what they need. */
  static std::string file_of(const std::string& folder, const std::string& program);

  /** Before a program's launcher is started: what its ranks are to run, in their order. */
  void expect(const std::string& program, const std::vector<Start>& ranks);

  /** Can be read when there is something to do. */
  int descriptor() const { return epoll_; }

  /** Does it; returns the ranks that have ended. */
  std::vector<Ended> handle();

  /** The first rank of a program that has not come yet; none if all have. */
  std::optional<std::string> missing(const std::string& program) const;
  /** The first rank of a program that has not told its end; none if all have. */
  std::optional<std::string> unfinished(const std::string& program) const;

  /** Ends the job: passes a signal on to the programs of all ranks. Those to come are sent away. */
  void send(int signal);

 private:
  enum class State : char { awaited, there, over };
  struct Rank {
    std::string program, label;
    bool is_server;
    std::string proof;  ///< a secret, which is used once
    State state = State::awaited;
  };
  struct Peer {
    Inbox inbox;
    std::chrono::steady_clock::time_point since;
    Rank* rank = nullptr;  ///< none: it has not proved anything yet
  };

  void listen_locally();
  void listen_at(const std::string& host);
  void watch(int fd) const;
  void accept_all();
  void read(int fd, std::vector<Ended>& ended);
  void take(int fd, Peer& peer, const Message& message, std::vector<Ended>& ended);
  void admit(int fd, Peer& peer, const Message& message);
  void drop(int fd, std::vector<Ended>& ended);
  void drop_silent(std::vector<Ended>& ended);
  const Rank* first(const std::string& program, bool (*fits)(const Rank&)) const;

  const std::string folder_;
  const Milliseconds grace_;
  std::string address_;  ///< "unix PATH" or "tcp HOST PORT"
  int epoll_ = -1;
  int listener_ = -1;
  bool is_ending_ = false;
  std::map<std::string, std::vector<Rank>> programs_;
  std::map<int, Peer> peers_;
};

}  // namespace sidl_tool
#endif
