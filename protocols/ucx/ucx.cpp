/**
 * UCX as a transport: ucx://host:port, where a TCP socket listens over which the ends exchange
 * UCX's addresses.
 */
#include <chrono>
#include <memory>
#include <string>

#include "core/error.hpp"
#include "core/peer.hpp"
#include "core/stream_channel.hpp"
#include "core/transport.hpp"
#include "transports/sockets.hpp"
#include "transports/tcp.hpp"
#include "ucx_context.hpp"
#include "ucx_stream.hpp"

namespace shinar::wire::ucx {
namespace {

using Clock = std::chrono::steady_clock;

class UcxListener final : public SocketListener {
 public:
  using SocketListener::SocketListener;

 protected:
  std::unique_ptr<ByteStream> stream_over(Socket socket, std::string& peer) override {
    tcp::prepare(socket.fd());
    peer += " (UCX)";
    return std::make_unique<UcxStream>(std::move(socket), peer, false);
  }
};

class Ucx final : public Transport {
 public:
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, std::chrono::milliseconds patience,
                                   const Limits& limits) override {
    const auto until = Clock::now() + patience;
    Socket socket = tcp::connect(endpoint, until);
    tcp::prepare(socket.fd());
    auto stream = std::make_unique<UcxStream>(std::move(socket), endpoint.text() + " (UCX)", true);
    stream->shake_hands(until);
    return std::make_unique<StreamChannel>(std::move(stream), limits);
  }

  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    context();  // a server without UCX says so when it starts
    Endpoint bound = endpoint;
    Socket socket = tcp::listen(bound);
    return std::make_unique<UcxListener>(std::move(bound), std::move(socket));
  }

  bool lacks_hardware() const override { return !has_fast_network(); }
};

Ucx transport;
const AddTransport added("ucx", transport);

/**
 * UCX ends before the library that has the peers does, where something else in the program, MPI
 * perhaps, had loaded it before; but always after this one, which needs it. Threads of a server
 * still run meanwhile.
 */
[[gnu::destructor]] void end() {
  say_goodbye_over("ucx");
  UcxStream::users().leave_all();
}

}  // namespace
}  // namespace shinar::wire::ucx
