/**
 * How far the two streams of frames of a connection have come, and what is on its way in them.
 *
 * Both ends count the calls, answers and notices that they send over a connection, and those that
 * they have read. With that a release can say what has to be read before it (Streams::positions), a
 * peer how far it came with a connection that has ended (Stream::settle), and a sender which of the
 * references that it has handed out, and of its releases, were lost with it. Why that is right,
 * whatever overtakes what: docs/simhandle-protocol.md, section 7. Any thread.
 */
#ifndef SHINAR_CORE_STREAM_HPP
#define SHINAR_CORE_STREAM_HPP

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checked_mutex.hpp"

namespace shinar::wire {

/** References to an object. */
struct References {
  std::string object;
  std::uint64_t count;
};

/** How far a connection was read that has ended. */
struct Settled {
  std::uint64_t number;
  std::uint64_t position;
};

/** What a message did to the books. */
struct Entry {
  std::vector<std::string> lent;       ///< objects of this process: one reference each
  std::vector<References> given_back;  ///< of the peer's
  std::vector<Settled> settled;        ///< what the peer was told
  bool empty() const { return size() == 0; }
  std::size_t size() const { return lent.size() + given_back.size() + settled.size(); }
};

/** One connection. */
class Stream {
 public:
  /** By which the client names the connection; 0: it does not. Set before anything is sent. */
  std::uint64_t number = 0;

  /** Messages sent: those that could not be sent are counted, too. */
  std::uint64_t sent() const { return sent_.load(std::memory_order_acquire); }
  /** One more is about to be sent. By whoever holds the connection's write lock. */
  std::uint64_t count_sent() {
    const std::uint64_t position = sent_.load(std::memory_order_relaxed) + 1;
    sent_.store(position, std::memory_order_release);
    return position;
  }

  std::uint64_t read() const { return read_.load(); }
  /**
   * One more was read, and all that it refers to is held. By whoever reads. True: something waits
   * for it (see await).
   */
  bool count_read() {
    const std::uint64_t position = read_.load(std::memory_order_relaxed) + 1;
    read_.store(position);
    return position >= awaited_.load();
  }
  /** Nothing more will ever be read. True as above. */
  bool end() {
    ended_.store(true);
    return awaited_.load() != nothing;
  }
  bool has_ended() const { return ended_.load(); }

  /** True if so many were read, or no more ever will be. */
  bool has_passed(std::uint64_t position) const { return read_ >= position || ended_; }
  /** A position that is not awaited, and that no connection ever comes to. */
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  /**
   * From now on count_read tells from this position on, and end does. First this, then has_passed:
   * neither may miss the other.
   */
  void await(std::uint64_t position) { awaited_.store(position); }

  /** References of a connection that may be on their way, those of its newest messages aside. */
  static constexpr std::uint64_t most_unconfirmed = 1000000;
  /** Messages that may be on their way, however much they hold: as many as are made at a time. */
  static constexpr std::size_t newest = 128;

  /**
   * The message at `position` is being sent, one at a time, and then committed or withdrawn: until
   * then what it does to the books is its sender's business. False: it will not arrive, as the peer
   * said how far it has read; then `entry` is left as it is. Throws Error: the peer does not say
   * how far it has read.
   */
  bool note(std::uint64_t position, Entry& entry);
  /**
   * The message has gone, of which we do not know yet whether it arrives. False: it will not, as
   * the peer has said meanwhile how far it has read; then `entry` is again what was noted.
   */
  bool commit(Entry& entry);
  /** The message could not be sent: what was noted. */
  Entry withdraw();
  /** True now and then: the peer should be asked how far it has read (see confirm). */
  bool wants_confirmation();
  /** The peer has read so far. */
  void confirm(std::uint64_t position);
  /** The peer has read so far and will read nothing more: what was lost. A message that is being
   *  sent is left to its sender. */
  Entry settle(std::uint64_t position);
  /**
   * What the peer was told over this connection, which has ended, and has not confirmed: taken out.
   * It is told again at once, as it does no harm twice: else each end might wait for the other to
   * say of the connection over which it said so of the other's.
   */
  std::vector<Settled> take_settled();
  /** The peer has said how far it has read. */
  bool is_settled();
  /** Nothing that was sent is on its way, as far as is known. */
  bool is_clear();
  /** If so, nothing will be from now on, as if the peer had said how far it has read. */
  bool close_if_clear();

 private:
  struct Noted {
    std::uint64_t position;
    Entry entry;
    std::uint64_t total;  ///< references noted so far, with these
  };

  Entry take_newest();

  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> read_{0};
  std::atomic<std::uint64_t> awaited_{nothing};
  std::atomic<bool> ended_{false};

  CheckedMutex<"Stream"> mutex_;  ///< guards the following; a leaf: nothing is called under it
  std::deque<Noted> on_their_way_;
  std::size_t most_ = 0;         ///< how many may be on their way before the peer is asked again
  std::uint64_t noted_ = 0;      ///< references, ever
  std::uint64_t confirmed_ = 0;  ///< how many of them have arrived
  std::uint64_t asked_ = 0;      ///< how many there were when the peer was asked last
  bool settled_ = false;
  bool is_sending_ = false;  ///< the newest of those on their way
};

/** The connections of a session, as long as it matters what they carried. */
class Streams {
 public:
  /** A connection, and how many messages were sent over it. */
  using Position = std::pair<std::uint64_t, std::uint64_t>;

  /** Of a client before the server hears of it, which soon may speak of it; twice is no harm. */
  void add(const std::shared_ptr<Stream>& stream);
  /** Nothing was sent over it, nor ever will be. */
  void remove(const std::shared_ptr<Stream>& stream);
  /** NULL: nothing is known about it. */
  std::shared_ptr<Stream> find(std::uint64_t number);

  /** What has to be read of which connections. */
  using Places = std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>>;
  /** Those of the positions that have not been passed; what is not known any more has ended. */
  Places not_passed(std::vector<Position> positions);

  /** What may be on its way to the peer over other connections than `own`. */
  std::vector<Position> positions(const Stream* own);

  /**
   * The peer will read nothing more from a connection, of which it has read so far: what was lost.
   */
  Entry settle(std::uint64_t number, std::uint64_t position);
  /** What is over at both ends is forgotten. */
  void tidy();
  /** The peer is gone. */
  void clear();

 private:
  CheckedMutex<"Streams"> mutex_;
  std::vector<std::shared_ptr<Stream>> streams_;
};

}  // namespace shinar::wire
#endif
