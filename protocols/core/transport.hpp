/**
 * A way to reach servers: TCP, Unix-domain sockets, … It connects and listens for channels.
 *
 * The core knows none of them. Each registers itself (AddTransport) under the name used in URLs, as
 * in simhandle+unix://…; that of simhandle://… is "tcp". A transport that is in no library of the
 * process yet is loaded when it is first named: from the library that SIDL_RMI_TRANSPORTS gives for
 * the name (name=/path/lib.so,…), or from libsidlx_NAME.so beside this library.
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

#ifndef SHINAR_TRANSPORT_RELEASE
#error "SHINAR_TRANSPORT_RELEASE is missing: link with the CMake target Shinar::transport"
#endif

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
  /** True if only the peer, whom it verifies, can read or change what it carries. */
  virtual bool is_private() const { return false; }
  /** True if it is for networks that are not here, and can do no more than TCP. */
  virtual bool lacks_hardware() const { return false; }
  /** True if its addresses are paths, simhandle+name:///path#object, not hosts with ports. */
  virtual bool has_paths() const { return false; }
  /**
   * An address of its own at which a server should listen for clients of its host, because they
   * reach it faster there.
   */
  virtual std::optional<Endpoint> local_door() { return std::nullopt; }

  /** The transport of the endpoint; throws Error(malformed_url) if there is none. */
  static Transport& of(const Endpoint& endpoint);
  /** NULL if there is none of that name; `reason`, if not NULL, then says why: ": …". */
  static Transport* find(std::string_view name, std::string* reason = nullptr);
  /** The local_door() of all transports. */
  static std::vector<Endpoint> local_doors();
};

/**
 * Registers a transport under a name of lower-case letters and digits, for good. Both must have
 * static storage duration. A transport that was compiled with other headers than this library is
 * not called, as its tables would not fit: its users get a message. So that this can be said, the
 * constructor stays as it is, and the object has no members.
 */
class AddTransport {
 public:
  AddTransport(const char* name, Transport& transport,
               const char* release = SHINAR_TRANSPORT_RELEASE);
  AddTransport(const AddTransport&) = delete;
  AddTransport& operator=(const AddTransport&) = delete;
};

}  // namespace shinar::wire
#endif
