/**
 * A byte stream through shared memory. The Unix-domain socket over which the memory was passed
 * remains: it ends when the peer does, and carries the signals that wake an end which waits on
 * descriptors. An end that is awake, or sleeps for nothing but the peer, costs no signal.
 */
#ifndef SHINAR_TRANSPORTS_SHM_STREAM_HPP
#define SHINAR_TRANSPORTS_SHM_STREAM_HPP

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "core/byte_stream.hpp"
#include "core/forking.hpp"
#include "shm_segment.hpp"

namespace shinar::wire::shm {

class ShmStream final : public ByteStream {
 public:
  /** `segment`: NULL at a server, which receives it before anything else. */
  ShmStream(Socket socket, std::unique_ptr<Segment> segment, std::string peer);

  ssize_t send(std::span<const iovec> pieces, bool waits) override;
  ssize_t send(std::span<const std::byte> bytes, bool waits) override;
  ssize_t receive(void* to, std::size_t size, bool waits) override;
  ssize_t poll(void* to, std::size_t size) override;

  int descriptor() const override { return socket_.fd(); }
  bool has_buffered() const override;
  pollfd writable_event() override;
  void set_patience(std::chrono::milliseconds receiving,
                    std::chrono::milliseconds sending) override;
  void finish_sending() override;
  void shut_down() override;
  void rest_sending() override;
  int unsent() const override { return 0; }
  std::string peer() const override { return peer_; }
  Identity identity() const override;

 private:
  bool attach();
  ssize_t take(void* to, std::size_t size);
  std::size_t put(std::span<const iovec> pieces);
  void publish();
  bool sleep_for_bytes();
  bool spin_for_space(std::size_t wanted);
  bool sleep_for_space();
  bool is_peer_gone() const;
  bool has_gone_unread();

  const Socket socket_;
  const std::string peer_;
  const Generation made_by_;
  std::unique_ptr<Segment> owned_;
  std::atomic<Segment*> segment_;
  std::atomic_flag is_attaching_ = ATOMIC_FLAG_INIT;
  std::atomic<bool> is_shut_down_{false};
  std::uint32_t sent_unread_ = 0;  ///< sender's: times since the peer had read all
  std::chrono::milliseconds receiving_{1000}, sending_{1000};
};

}  // namespace shinar::wire::shm
#endif
