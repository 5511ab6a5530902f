/**
 * A way to reach servers: TCP, Unix-domain sockets, … It connects and listens for channels.
 *
 * The core knows none of them. Each registers itself (AddTransport) under the name used in URLs, as
 * in simhandle+unix://…; that of simhandle://… is "tcp". A transport that is not linked into this
 * library is loaded from libsidlx_NAME.so beside it when it is first named.
 */
#ifndef SHINAR_CORE_TRANSPORT_HPP
#define SHINAR_CORE_TRANSPORT_HPP

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel.hpp"
#include "limits.hpp"
#include "url.hpp"

namespace shinar::wire {

/** A listening address of a server, until it is destroyed. */
class Listener {
 public:
  virtual ~Listener() = default;

  /** The actual address, with the port that was chosen. */
  virtual const Endpoint& endpoint() const = 0;
  /** Readable when a connection is pending. */
  virtual int descriptor() const = 0;

  struct Accepted {
    std::unique_ptr<Channel> channel;
    std::string peer;  ///< kept, as some systems forget it when the connection is reset
  };
  /**
   * Accepts a pending connection without waiting; without a channel if there is none, see errno.
   */
  virtual Accepted accept(const Limits& limits) = 0;
  /** Refuses further connections. Any thread. */
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
  /** True if it reaches no other host. */
  virtual bool is_local() const { return false; }
  /** True if it is for networks that are not here, and can do no more than TCP. */
  virtual bool lacks_hardware() const { return false; }
  /**
   * An address of its own at which a server should listen for clients of its host, because they
   * reach it faster there.
   */
  virtual std::optional<Endpoint> local_door() { return std::nullopt; }

  /** The transport of the endpoint; throws Error(malformed_url) if there is none. */
  static Transport& of(const Endpoint& endpoint);
  /** NULL if there is none of that name; `reason`, if not NULL, then says why: ": …" or nothing. */
  static Transport* find(std::string_view name, std::string* reason = nullptr);
  /** The local_door() of all transports. */
  static std::vector<Endpoint> local_doors();

 private:
  static Transport* find_known(std::string_view name);
};

/**
 * Registers a transport under a name, for good. This and both arguments must have static storage
 * duration.
 */
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
