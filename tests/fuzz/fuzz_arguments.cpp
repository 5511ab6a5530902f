// The decoder of arguments under libFuzzer: a generated skeleton and a generated stub with a
// parameter of every type (nonsense.sidl) get the bytes of a call, and of the answer to one. The
// first byte of an input chooses the method, and which of the two it is.

#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/client_connection.hpp"
#include "core/ledger.hpp"
#include "core/notice.hpp"
#include "glue/orb_host.hpp"
#include "glue/sim_objects.hpp"
#include "nonsense_Full.hxx"
#include "nonsense_Item.hxx"
#include "nonsense_Pair.hxx"
#include "nonsense_Sink.hxx"
#include "nonsense_Value.hxx"
#include "sidl_protocol.h"
#include "sidl_rmi_InstanceRegistry.hxx"
#include "sidl_rmi_ProtocolFactory.hxx"
#include "transports/sockets.hpp"

namespace {

using namespace shinar::wire;
using Bytes = std::span<const std::uint8_t>;

void must(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

std::size_t take(Bytes& input, std::size_t bytes) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < bytes && !input.empty(); ++i) {
    value |= std::size_t{input.front()} << (8 * i);
    input = input.subspan(1);
  }
  return value;
}

/** A number of segments, their sizes, the body, then the segments, all from the input. */
Message message_of(Bytes& input, std::string_view object) {
  constexpr std::size_t most = 6;
  Message message;
  std::vector<std::size_t> sizes(take(input, 1) % most);
  std::size_t all = 0;
  for (std::size_t& size : sizes) all += size = take(input, 2);
  if (!object.empty()) {
    Encoder name;
    name.put_string(object);
    std::memcpy(message.body.extend(name.body_size()), name.body(), name.body_size());
  }
  const std::size_t body = input.size() - std::min(input.size(), all);
  if (body != 0) std::memcpy(message.body.extend(body), input.data(), body);
  input = input.subspan(body);
  for (const std::size_t size : sizes) {
    if (size == 0 || size > input.size()) break;
    message.segments.push_back(Block::allocate(size));
    std::memcpy(message.segments.back().data(), input.data(), size);
    input = input.subspan(size);
  }
  return message;
}

/** A peer that has hung up, or says one thing before it does. */
class Hostile : public Callee {
 public:
  void tell(Notice) noexcept override {}
  void inherit(const std::string&) override {}
  std::string place() const override { return "nowhere"; }
  bool has_own_place() const override { return false; }
  std::string url(const std::string&) const override { return {}; }
  Lender lender() override { return lends; }
  bool has_order_of_links() const override { return false; }

  Lender lends;
  std::shared_ptr<Link> link;  ///< for the next call

 protected:
  std::shared_ptr<Link> acquire(const CallsOfThread&, Clock::time_point, Deadline, bool&) override {
    if (link == nullptr) throw Error(Failure::unexpected_close, "nobody is there");
    link->in_use.fetch_add(1);
    return std::move(link);
  }
};

/** What lives as long as the process. */
struct World {
  OrbHost host;
  Ledger ledger{host, 1000};
  std::shared_ptr<Hostile> peer = std::make_shared<Hostile>();
  nonsense::Sink sink = nonsense::Sink::_create();
  nonsense::Item item = nonsense::Item::_create();
  std::vector<const sidl_method_info*> methods;

  World() {
    // Nothing that an input names shall be connected to.
    must(sidl::rmi::ProtocolFactory::deleteProtocol("simhandle"), "there is no simhandle");
    sidl::rmi::InstanceRegistry::registerInstance(sink, "sink");
    sidl::rmi::InstanceRegistry::registerInstance(item, "item");
    const sidl_type_info* const type = sidl_object_type(sink._get_ior());
    for (int i = 0; i < type->slot_count; ++i) {
      const sidl_method_info* const method = type->slots[i];
      if (method != nullptr && method->type == type) methods.push_back(method);
    }
    must(methods.size() > 20, "the methods are missing");
  }
  static World& instance() {
    static World* const world = new World;
    return *world;
  }
};

/** A session of the peer, to which references are booked, for as long as one input takes. */
class Visit {
 public:
  explicit Visit(World& world)
      : session(world.ledger.open(Id128{}, std::chrono::milliseconds(0))), world_(world) {
    world_.peer->lends = {&world_.ledger, session};
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() {
    world_.peer->lends = {};
    world_.ledger.say_goodbye(*session);
    static_cast<void>(world_.ledger.close(session));
    must(world_.ledger.reference_count() == 0, "references are left");
  }

  const std::shared_ptr<Session> session;

 private:
  World& world_;
};

/** What the host does with a request. */
void try_skeleton(std::size_t choice, Bytes input) {
  World& world = World::instance();
  const sidl_method_info* const info = world.methods[choice % world.methods.size()];
  const Visit visit(world);
  Encoder encoder;
  Answer answer{encoder, FrameType::reply, world.peer.get()};
  const Method method{info->name, info->digest};
  IncomingCall call{message_of(input, "sink"), world.host.pin("sink"), &method};
  try {
    static_cast<void>(world.host.strand(call));  // which comes before
    world.host.call(call, answer);
  } catch (const Error&) {
    // As most inputs want it.
  }
}

/** A generated stub, called. */
using Stub = std::function<void(const nonsense::Sink&)>;

template <class Result, class In, class InOut>
Stub stub(Result (nonsense::Sink::*method)(const In&, InOut&) const) {
  return [method](const nonsense::Sink& sink) {
    InOut io{};
    (sink.*method)(In{}, io);
  };
}

void basics(const nonsense::Sink& sink) {
  bool b = false;
  char c = 'c';
  std::int32_t i = 0;
  std::int64_t l = 0;
  float f = 0;
  double d = 0;
  std::complex<float> fc;
  std::complex<double> dc;
  std::string s;
  nonsense::Color e = nonsense::Color_red;
  sink.basics(b, c, i, l, f, d, fc, dc, s, e, b, c, i, l, f, d, fc, dc, s, e);
}

/** Room for what comes back must suffice, whatever it claims to be. */
void scale(const nonsense::Sink& sink) {
  std::vector<std::complex<double>> a(4 * 5);
  sink.scale(a.data(), 3, 3);
}

void call_stub(std::size_t choice, const nonsense::Sink& sink) {
  using nonsense::Sink;
  static const std::vector<Stub>& stubs = *new std::vector<Stub>{
      basics,
      scale,
      stub(&Sink::bools),
      stub(&Sink::chars),
      stub(&Sink::ints),
      stub(&Sink::longs),
      stub(&Sink::floats),
      stub(&Sink::doubles),
      stub(&Sink::fcomplexes),
      stub(&Sink::dcomplexes),
      stub(&Sink::strings),
      stub(&Sink::colors),
      stub(&Sink::ordered),
      stub(&Sink::any),
      stub(&Sink::item),
      stub(&Sink::items),
      stub(&Sink::value),
      stub(&Sink::every),
      stub(&Sink::mesh),
      stub(&Sink::structs),
  };
  try {
    stubs[choice % stubs.size()](sink);
  } catch (const sidl::BaseException& exception) {
    must(exception._isLocal(), "an exception is not here");
    exception.getNote();
  }
}

/** What a stub does with a reply, or with an exception. */
void try_stub(std::size_t choice, bool is_exception, Bytes input) {
  World& world = World::instance();
  Message message = message_of(input, "");
  FrameHeader header;
  header.type = static_cast<std::uint8_t>(is_exception ? FrameType::exception : FrameType::reply);
  header.request = 1;
  header.body = static_cast<std::uint32_t>(message.body.size());
  header.segments = static_cast<std::uint16_t>(message.segments.size());
  for (const Block& each : message.segments) header.bulk += each.size();

  int ends[2];
  must(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no socket pair");
  const Socket far(ends[0]);
  Socket near(ends[1]);
  const auto say = [&](const void* data, std::size_t size) {
    if (size != 0) must(::send(far.fd(), data, size, MSG_NOSIGNAL) >= 0, "the socket is full");
  };
  say(&header, sizeof header);
  for (const Block& each : message.segments) {
    const std::uint64_t size = each.size();
    say(&size, sizeof size);
  }
  say(message.body.data(), message.body.size());
  for (const Block& each : message.segments) say(each.data(), each.size());
  ::shutdown(far.fd(), SHUT_WR);

  Welcome welcome;
  welcome.version = 1;
  welcome.keepalive_ms = 20000;
  welcome.inline_bytes = 1u << 20;
  welcome.message_bytes = 1u << 30;
  Limits limits;
  limits.spin_us = 0;
  const Visit visit(world);
  world.peer->link =
      std::make_shared<ClientConnection>(channel_over(std::move(near), limits), welcome, limits);
  call_stub(choice,
            sidl::babel_cast<nonsense::Sink>(make_proxy(world.peer, "far", "nonsense.Sink")));
  world.peer->link.reset();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t longest = 60000;  // what a socket takes without being read
  Bytes input(data, std::min(size, longest));
  const std::size_t choice = take(input, 1);
  constexpr std::size_t stub = 128, exception = 64;
  if ((choice & stub) == 0) {
    try_skeleton(choice, input);
  } else {
    try_stub(choice % exception, (choice & exception) != 0, input);
  }
  return 0;
}
