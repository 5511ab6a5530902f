/**
 * Unix-domain sockets: connecting to, and listening on, a path of this machine.
 *
 * The socket file of a server has mode 0600, so only its user may connect unless the mode is
 * changed. It is removed with the server; a stale socket of a killed server is replaced, but no
 * other file of that name.
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
 * The socket file of a listening server. Removes it, at exit at the latest, unless it was replaced
 * by another file meanwhile.
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
