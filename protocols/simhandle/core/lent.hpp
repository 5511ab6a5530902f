/**
 * References to objects of this process that a message hands out: booked to the receiver's session
 * already, and taken back unless the message is sent. A forked child has no part in what its parent
 * has lent. One thread at a time.
 */
#ifndef SIMHANDLE_LENT_HPP
#define SIMHANDLE_LENT_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "forking.hpp"
#include "stream.hpp"

namespace simhandle {

class Ledger;
class Session;

class Lent {
 public:
  Lent() = default;
  Lent(Lent&& other) noexcept { *this = std::move(other); }
  Lent& operator=(Lent&& other) noexcept {
    std::swap(generation_, other.generation_);
    std::swap(ledger_, other.ledger_);
    std::swap(session_, other.session_);
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~Lent() {
    if (session_ != nullptr) take_back();
  }

  /** Where the receiver's references are booked. */
  void begin(Ledger* ledger, std::shared_ptr<Session> session) {
    ledger_ = ledger;
    session_ = std::move(session);
    generation_.renew();
  }
  bool has_begun() const { return session_ != nullptr; }
  Ledger& ledger() const { return *ledger_; }
  Session& session() const { return *session_; }

  /** A reference was booked. */
  void add(std::string object) { entry_.lent.push_back(std::move(object)); }
  bool empty() const { return entry_.lent.empty(); }
  /** The message does not go: nobody has the references that are left. May run destructors. */
  void take_back();

  /** The message goes, at a position of the stream: what is lost with it is the stream's business.
   *  False: it will not arrive. */
  bool hand_over(Stream& stream, std::uint64_t position) {
    return empty() || stream.note(position, entry_);
  }
  /** What goes with the message; empty if nothing does. */
  Entry& entry() { return entry_; }

 private:
  Generation generation_;
  Ledger* ledger_ = nullptr;  ///< valid while the session is
  std::shared_ptr<Session> session_;
  Entry entry_;
};

}  // namespace simhandle
#endif
