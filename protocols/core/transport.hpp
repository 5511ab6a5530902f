/**
 * A way to reach servers: TCP, Unix-domain sockets, … It makes channels, and listens for them.
 *
 * The core knows none of them. Each makes itself known (AddTransport) in whatever is linked with
 * the core, under the name that stands in URLs, simhandle+unix://… for one; that of simhandle://…
 * is "tcp".
 */
#ifndef SHINAR_CORE_TRANSPORT_HPP
#define SHINAR_CORE_TRANSPORT_HPP

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "channel.hpp"
#include "limits.hpp"
#include "url.hpp"

namespace shinar::wire {

/** Where a server listens; nobody can connect any more when it is gone. */
class Listener {
 public:
  virtual ~Listener() = default;

  /** With what was chosen, if something was left open. */
  virtual const Endpoint& endpoint() const = 0;
  /** Readable when somebody wants to connect. */
  virtual int descriptor() const = 0;

  struct Accepted {
    std::unique_ptr<Channel> channel;
    std::string peer;  ///< of the channel: some systems forget that when it is reset
  };
  /** Whoever comes next, without waiting. No channel: there is none, and errno says why. */
  virtual Accepted accept(const Limits& limits) = 0;
  /** Who connects from now on is refused. Any thread. */
  virtual void close() = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  /** Throws Error(unknown_host, no_route, connect), Interrupted. */
  virtual std::unique_ptr<Channel> connect(const Endpoint& endpoint,
                                           std::chrono::milliseconds patience,
                                           const Limits& limits) = 0;
  /** Throws Error(unknown_host, bind). */
  virtual std::unique_ptr<Listener> listen(const Endpoint& endpoint) = 0;

  /** That of the endpoint; throws Error(malformed_url) if there is none. */
  static Transport& of(const Endpoint& endpoint);
  /** NULL: there is none of that name. */
  static Transport* find(std::string_view name);
};

/** Makes a transport known under a name, for good: of static storage, as both arguments are. */
class AddTransport {
 public:
  AddTransport(const char* name, Transport& transport);
  AddTransport(const AddTransport&) = delete;
  AddTransport& operator=(const AddTransport&) = delete;

 private:
  friend class Transport;
  const std::string_view name_;
  Transport& transport_;
  const AddTransport* next_;
};

}  // namespace shinar::wire
#endif
