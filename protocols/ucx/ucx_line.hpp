/**
 * A line to one peer over UCX: a worker and an endpoint of its own, and the bytes that travel as
 * active messages in both directions.
 *
 * Messages. Each carries the next bytes of the stream, at most `longest`, and says where in the
 * stream they begin (UCX may deliver messages in another order when it uses several networks) and
 * how many bytes of the other direction its sender has read. UCX sends short messages at once; long
 * ones stay with the sender until the receiver says where they go (a rendezvous), so they are sent
 * from where they lie to where they stay.
 *
 * Meeting. First each end says hello, and says so again when it has heard the other: then both ways
 * are open, and only then are bytes sent. UCX up to 1.13 ends a program that finds its peer gone,
 * or closes its worker, while it connects over TCP: then the worker is left alone, for good.
 *
 * Flow. A message may be sent while less than `window` bytes are unread by the peer; so a peer that
 * does not read costs the other end no memory beyond that. A peer that keeps to none of this breaks
 * the line.
 *
 * What is fetched from the peer's memory counts only if the peer was there afterwards: one that has
 * given up uses its memory for something else.
 *
 * A line is one worker: when it is destroyed, UCX uses nobody's memory any more. Not thread-safe.
 */
#ifndef SHINAR_UCX_LINE_HPP
#define SHINAR_UCX_LINE_HPP

#include <sys/uio.h>
#include <ucp/api/ucp.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace shinar::wire::ucx {

/** Bytes of one message. */
constexpr std::size_t longest = std::size_t{512} << 10;
/** Bytes that the peer may have left unread when another message begins. */
constexpr std::size_t window = std::size_t{1} << 20;
/** Pieces of at least this size are sent from where they are, if they stay there. */
constexpr std::size_t in_place = std::size_t{16} << 10;

/** True if the other end of a socket that carries nothing more has ended. */
bool is_over(int socket);

class Line {
 public:
  /** `life`: a socket that ends when the peer does, or gives up. Throws Error(connect). */
  explicit Line(int life);
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line();

  /** What the peer needs to reach this end. */
  std::vector<std::byte> address() const;
  /** The peer's, before anything is sent; this end begins. Throws Error(connect). */
  void connect(std::span<const std::byte> address);
  /** Becomes readable when something happens after arm() was true. */
  int descriptor() const;
  /** UCX's transports and devices: "tcp/eth0, tcp/lo". */
  std::string carriers() const;
  /** True if nothing has happened that progress() would deal with. */
  bool arm();
  /** Lets UCX work: messages are sent and received here. */
  void progress();
  /** True once both ways are open. Before that, progress() needs a peer that is there. */
  bool has_met() const { return has_met_; }
  /** The peer has gone. */
  void lose_peer() { breaks("the peer has gone"); }

  /**
   * Sends some of the bytes; 0 if the peer takes none now. What UCX has not passed on yet does not
   * count as sent and is to be offered again. `kept`: the memory, too, stays as it is until then.
   */
  std::size_t send(std::span<const iovec> pieces, bool kept);
  /** True if something has begun that does not count as sent yet. */
  bool has_begun() const { return begun_ != accepted_; }
  /**
   * The peer has gone, and may have got what had begun: that counts as sent from now on, unless UCX
   * may still read it from the caller's memory. Returns how many bytes.
   */
  std::size_t give_up_sending();
  /** True if send() would get on, as far as is known. */
  bool can_send();
  /** Announces the end of the stream. */
  void end();
  /** Bytes that may not have left this process yet. */
  std::uint64_t unsent();
  /** Tells the peer what has been read, if it does not know. */
  void acknowledge();

  /**
   * Copies bytes that have arrived; 0 if there are none now. `kept`: the memory is offered again
   * until it is full, so that long messages may be received straight into it.
   */
  std::size_t take(std::span<std::byte> to, bool kept);
  bool has_bytes() const;
  /** True if take() has begun to fetch what comes next: progress() may complete it. */
  bool is_fetching() const { return !incoming_.empty() && incoming_.front().request != nullptr; }
  /** The peer's stream is over, and all of it was taken. */
  bool has_ended() const { return end_ == read_ && !is_unreadable_; }
  /** Nothing is sent any more; what has come may still be taken. */
  bool is_broken() const { return !broken_.empty(); }
  /** Why. */
  const std::string& reason() const { return broken_; }

 private:
  struct Header {
    std::uint64_t position;
    std::uint64_t read;
  };
  enum MessageId : unsigned { data_id = 1, end_id = 2, hello_id = 3 };
  struct Incoming {
    std::uint64_t position = 0;
    std::size_t size = 0;
    std::size_t taken = 0;
    std::vector<std::byte> copied{};         ///< of short ones
    std::unique_ptr<std::byte[]> fetched{};  ///< of those that are received here
    void* held = nullptr;         ///< UCX's: the bytes, or what stands for those still there
    bool is_offered = false;      ///< the bytes are still with the peer
    std::byte* target = nullptr;  ///< where they are being received
    void* request = nullptr;      ///< UCX's; NULL: they are there
    bool is_good = false;         ///< the peer was there when they had been fetched
  };
  struct Outgoing {
    Header header{};
    void* request = nullptr;
    bool is_kept = false;  ///< by the caller
    std::vector<std::byte> copied{};
  };

  static ucs_status_t on_data(void* line, const void* header, std::size_t header_size, void* data,
                              std::size_t size, const ucp_am_recv_param_t* param);
  static ucs_status_t on_end(void* line, const void* header, std::size_t header_size, void* data,
                             std::size_t size, const ucp_am_recv_param_t* param);
  static ucs_status_t on_hello(void* line, const void* header, std::size_t header_size, void* data,
                               std::size_t size, const ucp_am_recv_param_t* param);
  static void on_error(void* line, ucp_ep_h endpoint, ucs_status_t status);
  bool read_header(const void* header, std::size_t size, Header& read);
  ucs_status_t receive(const Header& header, void* data, std::size_t size, bool is_offered,
                       bool may_hold);
  void keep(Incoming message);
  bool finish_copying();
  void breaks(std::string reason);
  void ends_reading(std::string reason);

  void say_hello();
  bool has_room() const { return has_met_ && begun_ - acknowledged_ < window; }
  std::size_t send_copied(std::span<const iovec>& pieces, std::size_t& skip);
  void send_message(MessageId id, const std::byte* data, std::size_t size, bool is_kept = false,
                    std::vector<std::byte> copied = {});
  std::uint64_t passed_on();
  bool may_be_held_up() const;
  std::uint64_t unflushed();
  void forget(Outgoing& message);
  void reap();
  bool is_there(Incoming& message);
  void check(Incoming& message);
  void begin(Incoming& message, std::byte* to);
  void begin_after(std::size_t first, std::span<std::byte> to);
  void let_go(Incoming& message);
  static const std::byte* bytes_of(const Incoming& message);
  void has_read(std::size_t size);

  const int life_;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  std::string broken_;
  bool is_unreadable_ = false;  ///< and nothing more is taken
  bool has_heard_ = false;      ///< the peer
  bool owes_hello_ = false;     ///< to say so
  bool has_met_ = false;        ///< the peer has heard this end
  // Sending: accepted_ <= begun_; what lies between is offered again by the caller.
  std::uint64_t begun_ = 0, accepted_ = 0, acknowledged_ = 0;
  std::deque<Outgoing> outgoing_;
  std::vector<std::byte> spare_;
  void* flush_ = nullptr;  ///< a request of UCX's, for what had begun at flushing_
  std::uint64_t flushing_ = 0, flushed_ = 0;
  // Receiving.
  std::uint64_t read_ = 0, told_ = 0;
  std::uint64_t end_ = ~std::uint64_t{0};
  std::deque<Incoming> incoming_;  ///< by position
};

}  // namespace shinar::wire::ucx
#endif
