/**
 * Progress of the two frame streams of a connection, and what is in transit on them.
 *
 * Both ends count the calls, answers and notices that they send over a connection, and those they
 * have read. So a release can state what has to be read before it (Streams::positions), a peer how
 * far it has read a connection that ended (Stream::settle), and a sender can tell which of the
 * references it handed out, and which of its releases, were lost with it. For why this is correct
 * under any reordering see docs/simhandle-protocol.md, section 7. Any thread.
 */
#ifndef SHINAR_CORE_STREAM_HPP
#define SHINAR_CORE_STREAM_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "account.hpp"
#include "checked_mutex.hpp"
#include "fifo.hpp"

namespace shinar::wire {

/** References to an object. */
struct References {
  std::string object;
  std::uint64_t count;
};

/** References to an object of the peer that a release gives back. */
struct Returned {
  std::string object;
  std::uint64_t count;
  Charge paid{};  ///< for what is kept of the release until the peer confirms it

  /** What that takes, about. */
  static constexpr std::uint64_t bytes_of(std::size_t name) { return 192 + name; }
};

/** How far an ended connection was read. */
struct Settled {
  std::uint64_t number;
  std::uint64_t position;
};

/** The effect of a message on reference counts. */
struct Entry {
  std::vector<std::string> lent;     ///< objects of this process: one reference each
  std::vector<Returned> given_back;  ///< references to objects of the peer
  std::vector<Settled> settled;      ///< notices of ended connections
  bool empty() const { return size() == 0; }
  std::size_t size() const { return lent.size() + given_back.size() + settled.size(); }
};

/** One connection. */
class Stream {
 public:
  /** The number the client has given the connection; 0: none. Set before anything is sent. */
  std::uint64_t number = 0;
  /** Pays for what is in transit; NULL: nobody does. Likewise. */
  std::shared_ptr<Account> account;

  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /** Messages sent, and one that is being sent. */
  std::uint64_t sent() const { return sent_.load(std::memory_order_acquire); }
  /** Another one is about to be sent. Under the connection's write lock. */
  std::uint64_t count_sent() {
    const std::uint64_t position = sent_.load(std::memory_order_relaxed) + 1;
    sent_.store(position, std::memory_order_release);
    return position;
  }
  /**
   * That one was not sent after all. A release that was made meanwhile may wait for it, and so for
   * the next one.
   */
  void uncount_sent() {
    sent_.store(sent_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  }

  std::uint64_t read() const { return read_.load(); }
  /**
   * Another one was read, and its references are pinned. Called by the reader. True if something
   * waits for it (see await).
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

  /** True if that many were read, or no more ever will be. */
  bool has_passed(std::uint64_t position) const { return read_ >= position || ended_; }
  /** Not a position: nothing is awaited. */
  static constexpr std::uint64_t nothing = ~std::uint64_t{0};
  /**
   * From now on count_read (from this position on) and end return true. To be called before
   * has_passed is checked, so that the position cannot be missed.
   */
  void await(std::uint64_t position) { awaited_.store(position); }

  /** Limit of references in transit on a connection, not counting its newest messages. */
  static constexpr std::uint64_t most_unconfirmed = 1000000;
  /** Limit of the bytes of names in releases in transit on a connection. */
  static constexpr std::uint64_t most_unconfirmed_bytes = std::uint64_t{64} << 20;
  /** Newest messages in transit that are not limited, however many references they hold. */
  static constexpr std::size_t newest = 128;

  /**
   * Takes over the entry of the message at `position`, which is about to be sent and must then be
   * committed or withdrawn; one at a time. False if it will not arrive, because the peer has
   * settled the connection; `entry` is then unchanged. Throws Error if the peer does not confirm
   * what it has read, or the account does not suffice.
   */
  bool note(std::uint64_t position, Entry& entry);
  /**
   * The message was sent. False if it will not arrive, because the peer has settled the connection
   * meanwhile; `entry` is then given back.
   */
  bool commit(Entry& entry);
  /** The message could not be sent: gives its entry back. */
  Entry withdraw();
  /** True if it is time to ask the peer how far it has read (see confirm). */
  bool wants_confirmation();
  /** The peer has read up to `position`. */
  void confirm(std::uint64_t position);
  /**
   * The peer has read up to `position` and will read nothing more: returns what was lost. A message
   * being sent is left to its sender.
   */
  Entry settle(std::uint64_t position);
  /**
   * Takes out the unconfirmed `settled` notices sent over this connection, which has ended. They
   * are sent again at once, which is harmless; otherwise each end might wait for the other one to
   * settle the connection that carried its own notice.
   */
  std::vector<Settled> take_settled();
  /** The peer has settled the connection. */
  bool is_settled();
  /** Nothing is known to be in transit. */
  bool is_clear();
  /** If is_clear(), marks the connection as settled. */
  bool close_if_clear();

 private:
  struct Noted {
    std::uint64_t position;
    Entry entry;
    std::uint64_t total;  ///< references noted so far, these included
    std::uint64_t cost;   ///< charged to the account, for what does not pay for itself
    std::uint64_t names;  ///< bytes of names in releases
  };

  void check_unconfirmed(std::uint64_t names) const;
  Entry take_newest();
  void give_back(const Noted& noted) {
    names_ -= noted.names;
    if (noted.cost != 0) account->give_back(noted.cost);
  }

  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> read_{0};
  std::atomic<std::uint64_t> awaited_{nothing};
  std::atomic<bool> ended_{false};

  CheckedMutex<"Stream"> mutex_;  ///< guards the following; a leaf: nothing is called under it
  Fifo<Noted, std::size_t{16} << 10> on_their_way_;  // as many as come before a confirmation
  std::size_t most_ = 0;         ///< how many may be in transit before the peer is asked again
  std::uint64_t noted_ = 0;      ///< all references ever noted
  std::uint64_t confirmed_ = 0;  ///< how many of them have arrived
  std::uint64_t names_ = 0;      ///< bytes of names in releases on their way
  std::uint64_t asked_ = 0;      ///< value of noted_ when the peer was last asked
  bool settled_ = false;
  bool is_sending_ = false;  ///< the newest entry is being sent
};

/** The connections of a session whose traffic still matters for reference counts. */
class Streams {
 public:
  /** Number of a connection, and how many messages were sent over it. */
  using Position = std::pair<std::uint64_t, std::uint64_t>;

  /**
   * On a client to be called before the server knows the connection, which it may then refer to at
   * once. Adding it twice is harmless.
   */
  void add(const std::shared_ptr<Stream>& stream);
  /** Nothing was or will be sent over it. */
  void remove(const std::shared_ptr<Stream>& stream);
  /** NULL if unknown. */
  std::shared_ptr<Stream> find(std::uint64_t number);

  /** Connections, and the positions up to which they have to be read. */
  using Places = std::vector<std::pair<std::shared_ptr<Stream>, std::uint64_t>>;
  /** The positions not passed yet; unknown connections have ended. */
  Places not_passed(std::vector<Position> positions);

  /** What may be in transit to the peer over connections other than `own`. */
  std::vector<Position> positions(const Stream* own);

  /**
   * The peer has read a connection up to `position` and will read nothing more: returns what was
   * lost.
   */
  Entry settle(std::uint64_t number, std::uint64_t position);
  /** Removes connections that are over at both ends. */
  void tidy();
  /** The peer is gone. */
  void clear();

 private:
  CheckedMutex<"Streams"> mutex_;
  std::vector<std::shared_ptr<Stream>> streams_;
};

}  // namespace shinar::wire
#endif
