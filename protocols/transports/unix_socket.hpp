/**
 * Unix-domain sockets: how connections to a path of this machine are made, and listened for.
 *
 * The file of a server belongs to its user and nobody else may connect (mode 0600): an owner who
 * wants others in changes that. It goes with the server; what a server that was killed has left is
 * replaced, but nothing else that has the name.
 */
#ifndef SHINAR_TRANSPORTS_UNIX_SOCKET_HPP
#define SHINAR_TRANSPORTS_UNIX_SOCKET_HPP

#include <sys/socket.h>
#include <sys/stat.h>

#include <chrono>
#include <string>

#include "core/forking.hpp"
#include "sockets.hpp"

namespace shinar::wire::unix_socket {

/** Throws Error(connect). */
Socket connect(const Endpoint& endpoint, std::chrono::steady_clock::time_point until);

/** Throws Error(bind). */
Socket listen(const Endpoint& endpoint);

/** "process 4711", or the path that the peer listens on. */
std::string name_of(int fd, const sockaddr_storage& address, socklen_t size);

/**
 * What a server listens on, from when it does: removes the file, at the end of the program at the
 * latest, unless it is another one by then.
 */
class File {
 public:
  File() = default;
  explicit File(const std::string& path);
  File(File&&) = delete;
  File& operator=(File&&) = delete;
  ~File();

  void remove();

 private:
  std::string path_;  ///< empty: there is nothing to remove
  struct stat made_ {};
  Generation made_by_;  ///< in a forked child the file is the parent's
};

}  // namespace shinar::wire::unix_socket
#endif
