/**
 * Clients of a TestServer that take as much as they can.
 */
#ifndef GREEDY_CLIENTS_HPP
#define GREEDY_CLIENTS_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "raw_connection.hpp"
#include "test_host.hpp"

/** Begins calls that do not return, each over a connection of its own. */
class Greedy {
 public:
  Greedy(TestServer& server, std::size_t calls) : session_(shinar::wire::random_id()) {
    for (std::size_t i = 0; i < calls; ++i) {
      connections_.push_back(
          std::make_unique<RawConnection>(server, session_, static_cast<std::uint64_t>(i + 1)));
      connections_.back()->name("hold");
      shinar::wire::Encoder body;
      body.put_string("public");
      connections_.back()->send(shinar::wire::FrameType::request, body, 1, 0, 1);
    }
  }
  RawConnection& connection(std::size_t i) { return *connections_[i]; }

 private:
  const shinar::wire::Id128 session_;
  std::vector<std::unique_ptr<RawConnection>> connections_;
};

/** Opens a connection at each interval, for as long as it exists, and sends nothing over any. */
class SilentClients {
 public:
  SilentClients(const shinar::wire::Endpoint& server, std::chrono::milliseconds interval)
      : thread_([this, server, interval] {
          while (!ends_) {
            try {
              all_.push_back(shinar::wire::connect_to(server, std::chrono::milliseconds(1000)));
            } catch (const shinar::wire::Error&) {
              // There is no place for it.
            }
            std::this_thread::sleep_for(interval);
          }
        }) {}
  ~SilentClients() {
    ends_ = true;
    thread_.join();
  }

 private:
  std::atomic<bool> ends_{false};
  std::vector<shinar::wire::Socket> all_;
  std::thread thread_;
};

/** Calls, without waiting for their answers, that leave a note after some milliseconds. */
inline void send_notes(RawConnection& connection, std::int32_t note, std::uint64_t calls,
                       shinar::wire::FrameType type = shinar::wire::FrameType::request,
                       std::uint16_t strand = 0, std::int32_t ms = 0) {
  using namespace shinar::wire;
  connection.name("note");
  for (std::uint64_t id = 1; id <= calls; ++id) {
    Encoder body;
    body.put_string("public");
    body.put(ms);
    body.put(note);
    connection.send(type, body, 1, strand, type == FrameType::request ? id : 0);
  }
}

/** Sends messages that exceed the memory of a connection: each time the client hears why not. */
inline void expect_reasons_heard(shinar::wire::ServerOptions options) {
  using namespace shinar::wire;
  options.limits.memory_bytes = 1 << 20;
  TestServer server(options);
  for (std::size_t i = 1; i <= 60; ++i) {
    const auto peer = server.peer();
    const std::vector<double> too_many((i % 12 + 2) << 17);
    Call noop("public", "noop");
    put_doubles(noop.encoder, too_many);
    try {
      noop.run(*peer);
      ADD_FAILURE() << "it was no message too large";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("SIDL_RMI_MEMORY"), std::string::npos)
          << too_many.size() << ": " << error.what();
    }
  }
}

#endif
