/**
 * References to objects of this process that a message hands out: booked to the receiver's session
 * already, and taken back unless the message is sent. A forked child has no part in what its parent
 * has lent. One thread at a time.
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

  /** A reference was booked. Returns the name, which is there until the next one is added. */
  const std::string& add(std::string object) {
    return booking_->entry.lent.emplace_back(std::move(object));
  }
  bool empty() const { return booking_ == nullptr || booking_->entry.lent.empty(); }
  /** The message does not go: nobody has the references that are left. May run destructors. */
  void take_back();
  class HandOver;

  /** What goes with the message; NULL if nothing does. */
  Entry* entry() { return empty() ? nullptr : &booking_->entry; }

 private:
  struct Booking {
    Ledger* ledger;  ///< valid while the session is
    std::shared_ptr<Session> session;
    Entry entry{};
    Generation generation{};
  };

  std::unique_ptr<Booking> booking_;  ///< NULL as a rule, which costs nothing
};

/** While an answer is sent, at a position of a stream; what is lost with it is the stream's
 *  business then. */
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
