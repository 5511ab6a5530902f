/**
 * What a process lends in one message, and what it holds for it.
 *
 * References to its objects are booked to the receiver's session; they are taken back unless the
 * message leaves. What is merely held, references to objects of third processes, goes with the loan
 * unless somebody else holds it: a call that waits for its answer, or a stand-in.
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

  /** Something to be kept until the receiver of the message has taken it apart. */
  void hold(std::shared_ptr<void> what) {
    if (held_ == nullptr) held_ = std::make_shared<Things>();
    held_->push_back(std::move(what));
  }
  /** Says so in the request that takes them along. */
  void note_in(Request& request) {
    request.entry = lent.entry();
    request.lent_to = request.entry == nullptr ? nullptr : &lent.session();
  }
  bool empty() const { return held_ == nullptr && !lent.has_begun(); }
  /** All that is held, as one; NULL: nothing. */
  std::shared_ptr<void> held() const { return held_; }
  void let_go() { held_.reset(); }

  /** The message has left, or never will. */
  void end() {
    lent.take_back();
    let_go();
  }

 private:
  using Things = std::vector<std::shared_ptr<void>>;

  std::shared_ptr<Things> held_;
};

}  // namespace shinar::wire
#endif
