/**
 * What `sidl launch` and the front of a rank (front.hpp) say to each other, over a stream: a letter
 * that tells the kind, four bytes with the length, and the content.
 */
#ifndef SIDL_TOOL_MESSAGES_HPP
#define SIDL_TOOL_MESSAGES_HPP

#include <optional>
#include <string>
#include <vector>

namespace sidl_tool {

enum class Kind : char {
  // of the front
  hello = 'h',        ///< program, rank, proof
  out = 'o',          ///< lines of standard output
  err = 'e',          ///< lines of standard error
  ended = 'x',        ///< the status
  not_started = 'n',  ///< why
  // to the front
  welcome = 'w',   ///< it may start its program
  too_late = 'l',  ///< it may not: the job is being ended
  signal = 'k'     ///< the number of a signal for that
};

struct Message {
  Kind kind;
  std::string content;
};

/** Messages out of bytes as they come. */
class Inbox {
 public:
  /** Longer messages are none: the peer speaks something else. */
  explicit Inbox(std::size_t most) : most_(most) {}

  void set_most(std::size_t most) { most_ = most; }
  void take(const char* bytes, std::size_t count) { bytes_.append(bytes, count); }
  /** Throws std::runtime_error if that is no message. */
  std::optional<Message> next();

 private:
  std::size_t most_;
  std::string bytes_;
};

constexpr std::size_t longest_message = std::size_t{1} << 20;

/** Sends all of it; false if the peer is gone. */
bool send_message(int fd, Kind kind, const std::string& content);

/** A host that vanishes says nothing: from now on its end is noticed, within two minutes. */
void keep_alive(int fd);

/** Words of a message, which contain no NUL. */
std::string packed(const std::vector<std::string>& words);
std::vector<std::string> words_of(const std::string& content);

}  // namespace sidl_tool
#endif
