/**
 * What a process lends in one message, and what it keeps alive for it.
 *
 * References to its objects are booked to the receiver's session, and taken back unless the message
 * is sent. References to objects of third processes are only held: until the loan is destroyed, or
 * longer by a call that waits for its answer or by a stand-in.
 */
#ifndef SHINAR_GLUE_LOAN_HPP
#define SHINAR_GLUE_LOAN_HPP

#include <memory>
#include <utility>
#include <vector>

#include "core/lent.hpp"
#include "core/link.hpp"

namespace shinar::wire {

class Loan {
 public:
  /** The references. */
  Lent lent;

  /** Holds something until the receiver has unpacked the message. */
  void hold(std::shared_ptr<void> what) {
    hold_until_sent(std::move(what));
    held_->until_unpacked = true;
  }
  /** Holds something until the message has been sent, or longer. */
  void hold_until_sent(std::shared_ptr<void> what) {
    if (held_ == nullptr) held_ = std::make_shared<Things>();
    held_->all.push_back(std::move(what));
  }
  /** Says so in the request that takes them along. */
  void note_in(Request& request) {
    request.entry = lent.entry();
    request.lent_to = request.entry == nullptr ? nullptr : &lent.session();
  }
  bool lasts_until_unpacked() const { return held_ != nullptr && held_->until_unpacked; }
  bool empty() const { return held_ == nullptr && !lent.has_begun(); }
  /** Owner of all that is held; NULL: nothing. */
  std::shared_ptr<void> held() const { return held_; }
  void let_go() { held_.reset(); }

  /** The message was sent, or never will be. */
  void end() {
    lent.take_back();
    let_go();
  }

 private:
  struct Things {
    std::vector<std::shared_ptr<void>> all{};
    bool until_unpacked = false;
  };

  std::shared_ptr<Things> held_;
};

}  // namespace shinar::wire
#endif
