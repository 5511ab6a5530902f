// The frame decoder under libFuzzer. The first byte of an input says who gets the rest: the reader
// of frames alone, in pieces, which must make no difference; a server; a client; a server and a
// client that have the other end prove who it is. Whatever comes, nothing crashes, leaks or hangs,
// and the server serves its other client.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>

#include "core/authentication.hpp"
#include "core/client_connection.hpp"
#include "core/decoder.hpp"
#include "core/exports.hpp"
#include "core/peer.hpp"
#include "core/pending_call.hpp"
#include "core/server.hpp"
#include "transports/tcp.hpp"

namespace {

using namespace shinar::wire;
using std::chrono::milliseconds;
using Bytes = std::span<const std::uint8_t>;

void must(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

/** A byte of the input, which decides how the rest is used. */
std::uint8_t take(Bytes& input) {
  if (input.empty()) return 0;
  const std::uint8_t first = input.front();
  input = input.subspan(1);
  return first;
}

Limits small_limits() {
  Limits limits;
  limits.inline_bytes = 1u << 16;
  limits.message_bytes = 1u << 20;
  limits.memory_bytes = 1u << 20;
  limits.methods = 50;
  limits.session_references = 50;
  limits.calls_in_work = 4;
  limits.lease_ms = 0;
  limits.spin_us = 0;
  return limits;
}

/** Two objects, "a" and "b", whose methods take and give what their names say. */
class AnyHost : public Host {
 public:
  Instance create(std::string_view type, Answer&) override {
    if (type != "a") throw Error(Failure::protocol, "not exported");
    return {"a", "a"};
  }
  Instance find(std::string_view object) override {
    return object == "a" || object == "b" ? Instance{std::string(object), "a"} : Instance{};
  }
  Pin pin(std::string_view object) override {
    static char held;
    return find(object).id.empty() ? Pin() : Pin(&held, [](void*) {});
  }
  void call(IncomingCall& call, Answer& answer) override {
    const Method& method = *call.method;
    Decoder decoder(call.message);
    decoder.get_name();
    if (method.name == "s") {
      bool null = false;
      answer.body.put_string(decoder.get_string(null));
    } else if (method.name == "d") {
      const Decoder::Array array = decoder.get_array(Kind::double_);
      const std::byte* const data = array.block != nullptr ? array.block->data() : array.data;
      if (array.shape.dimension == 0) return;
      std::byte* const to = answer.body.put_array_inline(array.shape, array.count * 8);
      std::copy_n(data, array.count * 8, to);
    } else if (method.name == "c") {
      if (answer.caller != nullptr) call_back(*answer.caller, answer);
    } else if (method.name == "p") {
      const auto outer = decoder.enter_part();
      answer.body.put(decoder.get<std::int64_t>());
      decoder.leave_part(outer);
    }
  }
  std::shared_ptr<void> forget(const std::string&) override { return nullptr; }
  void log(const std::string&) override {}

 private:
  void call_back(Callee& caller, Answer& answer) {
    Encoder body;
    body.put_string("a");
    Request request;
    request.method = "s";
    request.encoder = &body;
    Message reply;
    caller.call(request, reply);
    answer.body.put(static_cast<std::uint32_t>(reply.body.size()));
  }
};

// ---- the reader alone
// ------------------------------------------------------------------------------

/** Hands the input out in pieces of up to `most` bytes; 0: as much as is wanted. */
class Pieces : public Receiver {
 public:
  Pieces(Bytes input, std::size_t most) : input_(input), most_(most) {}
  ssize_t receive(void* to, std::size_t size, bool) override {
    if (most_ != 0 && (pause_ = !pause_)) {
      errno = EAGAIN;
      return -1;
    }
    const std::size_t count = std::min({size, input_.size(), most_ == 0 ? size : most_});
    if (count != 0) std::memcpy(to, input_.data(), count);
    input_ = input_.subspan(count);
    return static_cast<ssize_t>(count);
  }

 private:
  Bytes input_;
  const std::size_t most_;
  bool pause_ = false;
};

/** Everything that the reader makes of the input, as text; errors, too. */
std::string read_all(Bytes input, std::size_t most) {
  const auto budget = std::make_shared<Budget>(small_limits().memory_bytes);
  std::string all;
  {
    FrameReader reader(small_limits(), budget);
    Pieces pieces(input, most);
    ReceiveBuffer buffer;
    Message message;
    try {
      for (;;) {
        const FrameReader::Status status = reader.next(pieces, buffer, message);
        if (status == FrameReader::Status::nothing) continue;
        if (status != FrameReader::Status::message) {
          all += "status " + std::to_string(static_cast<int>(status));
          break;
        }
        all.append(reinterpret_cast<const char*>(&message.header), header_bytes);
        if (message.body.size() != 0) {
          all.append(reinterpret_cast<const char*>(message.body.data()), message.body.size());
        }
        for (const Block& each : message.segments) {
          all.append(reinterpret_cast<const char*>(each.data()), each.size());
        }
      }
    } catch (const Error& error) {
      all += error.what();
    }
  }
  must(budget->used() == 0, "memory of messages was not given back");
  return all;
}

void try_reader(Bytes input) {
  const std::size_t piece = std::size_t{1} + take(input);
  must(read_all(input, 0) == read_all(input, piece), "the pieces make a difference");
}

// ---- a server
// --------------------------------------------------------------------------------------

void say(int fd, Bytes bytes, std::size_t piece) {
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), piece);
    if (::send(fd, bytes.data(), count, MSG_NOSIGNAL) <= 0) return;
    bytes = bytes.subspan(count);
  }
}

/** All that comes until the other end closes. */
void listen_to(int fd) {
  std::byte rubbish[4096];
  while (::recv(fd, rubbish, sizeof rubbish, 0) > 0) {
  }
}

/** A connection; ports may be scarce for a moment. */
Socket connect_patiently(const Endpoint& endpoint) {
  for (int i = 0; i < 1000; ++i) {
    try {
      return tcp::connect(endpoint, std::chrono::steady_clock::now() + milliseconds(60000));
    } catch (const Error&) {
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  must(false, "the server takes no connections");
  return {};
}

/** A proof that inputs can have: nonces are random, so that they can have no other one. */
class EasyProof : public Authenticator {
 public:
  std::string_view method() const override { return "easy"; }
  std::string_view what() const override { return "a proof"; }
  std::string_view setting() const override { return "FUZZ"; }
  std::size_t proof_bytes() const override { return 4; }
  std::vector<std::byte> prove(std::span<const std::byte>) const override {
    return std::vector<std::byte>(proof_bytes(), std::byte{1});
  }
  Checked check(Side, std::span<const std::byte>, std::span<const std::byte> p) const override {
    return p.front() == std::byte{1} ? Checked{{"name", "easy"}, ""} : Checked{{}, "no proof"};
  }
};

const std::shared_ptr<const Authenticator>& easy_proof() {
  static const auto* const instance =
      new std::shared_ptr<const Authenticator>(std::make_shared<EasyProof>());
  return *instance;
}

struct Target {
  Server* server;
  std::shared_ptr<const Authenticator> mine;
  Peer* other;
  std::uint32_t rounds = 0;
};

Target start_server(std::shared_ptr<const Authenticator> mine) {
  ServerOptions options;
  options.limits = small_limits();
  options.threads = 3;
  options.authenticator = mine;
  auto* const made = new Server(*new AnyHost, options);
  made->start();
  return {made, mine, new Peer(made->endpoint(), small_limits(), nullptr, mine)};
}

void try_server(Bytes input, Target& target) {
  const std::uint8_t how = take(input);
  {
    const Socket socket = connect_patiently(target.server->endpoint());
    if ((how & 1) == 0) {
      Hello hello;
      hello.session.fill(std::byte{how});
      hello.inline_bytes = 1u << 16;
      hello.message_bytes = 1u << 20;
      perform_handshake(*channel_over(Socket(::dup(socket.fd())), small_limits()), hello, 60000,
                        target.mine.get());
    }
    say(socket.fd(), input, (how & 2) == 0 ? input.size() : std::size_t{1} + how / 4);
    ::shutdown(socket.fd(), SHUT_WR);
    listen_to(socket.fd());
  }
  constexpr std::uint32_t now_and_then = 64;
  if (++target.rounds % now_and_then == 0) {
    must(target.other->create("a").id == "a", "the server does not serve its other client");
  }
}

// ---- a client
// --------------------------------------------------------------------------------------

void try_client(Bytes input, const Authenticator* mine) {
  static auto* const host = new AnyHost;
  static auto* const exports = new Exports(*host, small_limits().session_references);
  const std::uint8_t how = take(input);
  int ends[2];
  must(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no socket pair");
  const Socket far(ends[0]);
  Socket near(ends[1]);
  say(far.fd(), input, input.size());
  ::shutdown(far.fd(), SHUT_WR);
  Welcome welcome;
  welcome.version = 1;
  welcome.keepalive_ms = 20000;
  welcome.inline_bytes = 1u << 16;
  welcome.message_bytes = 1u << 20;
  try {
    auto channel = channel_over(std::move(near), small_limits());
    if ((how & 1) != 0) welcome = perform_handshake(*channel, Hello(), 60000, mine);
    const auto connection = std::make_shared<ClientConnection>(
        std::move(channel), welcome, small_limits(), nullptr, (how & 2) != 0 ? exports : nullptr);
    const auto session = exports->ledger().open(Id128{}, milliseconds(0));
    connection->set_session(session);
    Encoder body;
    body.put_string("a");
    Request request;
    request.method = "s";
    request.encoder = &body;
    try {
      connection->in_use.fetch_add(1);
      PendingCall first(connection, request, {"calling", "far", {}});
      Message answer;
      connection->call(request, answer);
      Decoder(answer).get_name();
      Decoder(first.answer()).get_name();
    } catch (const Error&) {
      // As most inputs want it.
    }
    static_cast<void>(exports->ledger().close(session));
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 60000;  // what sockets take without being read
  Bytes input(data, std::min(size, longest));
  static Target* const open = new Target(start_server(nullptr));
  static Target* const asking = new Target(start_server(easy_proof()));
  switch (take(input) % 5) {
    case 0:
      try_reader(input);
      break;
    case 1:
      try_server(input, *open);
      break;
    case 2:
      try_client(input, nullptr);
      break;
    case 3:
      try_server(input, *asking);
      break;
    default:
      try_client(input, easy_proof().get());
  }
  return 0;
}
