/**
 * TCP: connecting to, and listening on, a host and port.
 */
#ifndef SHINAR_TRANSPORTS_TCP_HPP
#define SHINAR_TRANSPORTS_TCP_HPP

#include <sys/socket.h>

#include <chrono>
#include <string>

#include "sockets.hpp"

namespace shinar::wire::tcp {

/** Throws Error(unknown_host, no_route, connect). */
Socket connect(const Endpoint& endpoint, std::chrono::steady_clock::time_point until);

/** Throws Error(unknown_host, bind). `endpoint.port` becomes the port in use. */
Socket listen(Endpoint& endpoint);

/** TCP_NODELAY and keepalive. */
void prepare(int fd);

/** "127.0.0.1:4711" */
std::string name_of(const sockaddr_storage& address, socklen_t size);

}  // namespace shinar::wire::tcp
#endif
