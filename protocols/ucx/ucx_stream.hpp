/**
 * A byte stream over UCX.
 *
 * The TCP connection over which the ends exchange UCX's addresses remains: it ends when the peer
 * does, which UCX does not always notice, and carries nothing else. UCX has to be called for
 * anything to happen; that is done by the threads that send, receive and wait, none of which keeps
 * the lock meanwhile.
 */
#ifndef SHINAR_UCX_STREAM_HPP
#define SHINAR_UCX_STREAM_HPP

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/byte_stream.hpp"
#include "core/checked_mutex.hpp"
#include "core/forking.hpp"
#include "core/library_users.hpp"
#include "core/socket.hpp"
#include "ucx_line.hpp"

namespace shinar::wire::ucx {

class UcxStream final : public ByteStream, public LibraryUser {
 public:
  /** The client begins: its address goes to the server, whose answer comes later. Throws Error. */
  UcxStream(Socket socket, std::string peer, bool is_client);
  UcxStream(const UcxStream&) = delete;
  UcxStream& operator=(const UcxStream&) = delete;
  ~UcxStream() override;

  /** Of the client: waits for the server's answer. Throws Error(no_server), and as wait_for. */
  void shake_hands(std::chrono::steady_clock::time_point until);

  ssize_t send(std::span<const iovec> pieces, bool waits) override {
    return send(pieces, false, waits);
  }
  ssize_t send(std::span<const std::byte> bytes, bool waits) override;
  ssize_t send_kept(std::span<const iovec> pieces, bool waits) override {
    return send(pieces, true, waits);
  }
  bool prefers_kept() const override { return true; }
  ssize_t receive(void* to, std::size_t size, bool waits) override {
    return receive({static_cast<std::byte*>(to), size}, false, waits);
  }
  ssize_t receive_kept(void* to, std::size_t size, bool waits) override {
    return receive({static_cast<std::byte*>(to), size}, true, waits);
  }
  ssize_t poll(void* to, std::size_t size) override;

  int descriptor() const override { return for_reader_.epoll.fd(); }
  bool has_buffered() const override;
  pollfd writable_event() override;
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override {
    receiving_ = receiving;
    sending_ = sending;
  }
  void finish_sending() override;
  void shut_down() override;
  int unsent() const override;
  std::string peer() const override { return peer_; }
  std::string carriers() const override;

  /** All streams. */
  static LibraryUsers& users();
  std::shared_ptr<void> leave_library() override;

 private:
  class Turn;
  using Until = std::optional<std::chrono::steady_clock::time_point>;
  /** What one of the two who may wait watches: the socket, UCX, and what others find for him. */
  struct Bell {
    Bell();
    static int made(int fd);
    void watch(int fd) const;
    void set(bool wanted);
    void set_in(std::chrono::milliseconds later);
    void wait_no_more();

    const Socket epoll;
    const Socket signal;
    std::optional<Socket> timer;  ///< made when it is first needed
    bool is_set = false;
    bool is_timed = false;
  };
  void open_line();
  bool attach();
  bool answer();
  ssize_t send(std::span<const iovec> pieces, bool kept, bool waits);
  ssize_t receive(std::span<std::byte> to, bool kept, bool waits);
  ssize_t attempt(std::span<const iovec> pieces, bool kept);
  std::size_t offer(std::span<const iovec> pieces, bool kept);
  ssize_t look(std::span<std::byte> to, bool kept);
  static bool await(pollfd something, Until& until, std::chrono::milliseconds patience);
  void say_why();
  [[noreturn]] static void throw_half_sent();
  bool is_peer_gone() const;
  void announce() const;
  bool arm() const;
  void progress() const;

  LibraryUse use_;  ///< ends after all the rest
  const Socket socket_;
  const std::string peer_;
  const Generation made_by_;
  const bool is_client_;
  std::vector<std::byte> note_;  ///< as much of the peer's as has come
  std::chrono::milliseconds receiving_{1000}, sending_{1000};
  std::atomic<bool> is_shut_down_{false};
  mutable std::atomic<int> wanting_{0};      ///< threads that want the lock for more than a look
  mutable CheckedMutex<"UcxStream"> mutex_;  ///< guards the following, and all use of UCX
  std::unique_ptr<Line> line_;
  bool is_attached_ = false;  ///< both ends know each other
  bool is_refused_ = false;   ///< one does not want the other
  bool has_said_why_ = false;
  bool had_begun_ = false;  ///< to send, when it was shut down; until the sender knows
  mutable Bell for_reader_;
  std::unique_ptr<Bell> for_writer_;  ///< made when one waits for the first time
  mutable bool reader_waits_ = false;
  bool connects_ = false;        ///< the reader waits until both ends have heard each other
  mutable Until held_up_since_;  ///< UCX has to be called though nothing shows
  bool writer_waits_ = false;
  bool writer_watches_line_ = false;  ///< UCX's descriptor is among those of for_writer_
  std::uint32_t sent_blindly_ = 0;    ///< times, since the peer was heard of
};

}  // namespace shinar::wire::ucx
#endif
