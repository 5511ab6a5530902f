/**
 * Connections over TLS: simhandle+tls://host:port.
 */
#include <openssl/crypto.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/stream_channel.hpp"
#include "core/transport.hpp"
#include "tls_context.hpp"
#include "tls_stream.hpp"
#include "transports/sockets.hpp"
#include "transports/tcp.hpp"

namespace shinar::wire::tls {
namespace {

using Clock = std::chrono::steady_clock;

class TlsListener final : public SocketListener {
 public:
  using SocketListener::SocketListener;

 protected:
  std::unique_ptr<ByteStream> stream_over(Socket socket, std::string& peer) override {
    tcp::prepare(socket.fd());
    peer += " (TLS)";
    return std::make_unique<TlsStream>(std::move(socket), peer, server_context());
  }
};

class Tls final : public Transport {
 public:
  std::unique_ptr<Channel> connect(const Endpoint& endpoint, std::chrono::milliseconds patience,
                                   const Limits& limits) override {
    const auto until = Clock::now() + patience;
    const Context context = client_context();
    Socket socket = tcp::connect(endpoint, until);
    tcp::prepare(socket.fd());
    auto stream = std::make_unique<TlsStream>(std::move(socket), endpoint.text() + " (TLS)",
                                              context, endpoint.host);
    stream->shake_hands(until);
    return std::make_unique<StreamChannel>(std::move(stream), limits);
  }

  std::unique_ptr<Listener> listen(const Endpoint& endpoint) override {
    server_context();  // a server without a certificate says so when it starts
    Endpoint bound = endpoint;
    Socket socket = tcp::listen(bound);
    return std::make_unique<TlsListener>(std::move(bound), std::move(socket));
  }

  bool is_private() const override { return true; }
};

Tls transport;
const AddTransport added("tls", transport);

/** OpenSSL ends in an exit handler, unless this library is the first one in the process to use it.
 */
[[gnu::constructor]] void expect_end() {
  ::OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);
  ::OPENSSL_atexit([] { TlsStream::users().leave_all(); });
}

}  // namespace
}  // namespace shinar::wire::tls
