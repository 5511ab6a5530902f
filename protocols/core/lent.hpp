/**
 * References to objects of this process that a message hands out: booked to the receiver's session
 * in advance, and taken back unless the message is sent. A forked child ignores what its parent has
 * lent. One thread at a time.
 */
#ifndef SHINAR_CORE_LENT_HPP
#define SHINAR_CORE_LENT_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "forking.hpp"
#include "stream.hpp"

namespace shinar::wire {

class Ledger;
class Session;

class Lent {
 public:
  Lent() = default;
  Lent(Lent&&) = default;
  Lent& operator=(Lent&& other) noexcept {
    booking_.swap(other.booking_);
    return *this;
  }
  ~Lent() {
    if (booking_ != nullptr) take_back();
  }

  /** Where the receiver's references are booked. */
  void begin(Ledger* ledger, std::shared_ptr<Session> session);
  bool has_begun() const { return booking_ != nullptr; }
  Ledger& ledger() const { return *booking_->ledger; }
  Session& session() const { return *booking_->session; }

  /** A reference was booked. Returns its name, valid until the next one is added. */
  const std::string& add(std::string object) {
    return booking_->entry.lent.emplace_back(std::move(object));
  }
  bool empty() const { return booking_ == nullptr || booking_->entry.lent.empty(); }
  /** The message is not sent: unbooks its references. May run destructors. */
  void take_back();
  class HandOver;

  /** The entry that belongs to the message; NULL if there is none. */
  Entry* entry() { return empty() ? nullptr : &booking_->entry; }

 private:
  struct Booking {
    Ledger* ledger;  ///< valid while the session is
    std::shared_ptr<Session> session;
    Entry entry{};
    Generation generation{};
  };

  /** Not inline, so that what lends nothing stays small. */
  struct BookingEnd {
    void operator()(Booking* booking) const;
  };

  std::unique_ptr<Booking, BookingEnd> booking_;  ///< usually NULL, which costs nothing
};

/**
 * Lives while an answer is sent at a position of a stream, which then keeps track of references
 * lost in transit.
 */
class Lent::HandOver {
 public:
  HandOver(Lent& lent, Stream& stream, std::uint64_t position) : lent_(lent), stream_(stream) {
    if (lends()) may_arrive_ = stream.note(position, lent.booking_->entry);
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;
  ~HandOver() {
    if (lends() && may_arrive_) stream_.commit(lent_.booking_->entry);
  }

  /** It is not sent: the references are those of `lent` again. */
  void take_back() {
    if (lends() && std::exchange(may_arrive_, false)) lent_.booking_->entry = stream_.withdraw();
  }

  /** False: it will not arrive. */
  bool may_arrive() const { return may_arrive_; }
  bool lends() const { return lends_; }

 private:
  Lent& lent_;
  Stream& stream_;
  const bool lends_ = !lent_.empty();
  bool may_arrive_ = true;
};

}  // namespace shinar::wire
#endif
