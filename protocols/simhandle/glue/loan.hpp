/**
 * What a process lends in one message, and what it holds for it.
 *
 * References to its objects are booked to the receiver's session; they are taken back unless the
 * message leaves. What is merely held is let go with the loan.
 */
#ifndef SIMHANDLE_GLUE_LOAN_HPP
#define SIMHANDLE_GLUE_LOAN_HPP

#include <memory>
#include <utility>
#include <vector>

#include "core/lent.hpp"

namespace simhandle {

class Loan {
 public:
  /** The references. */
  Lent lent;

  /** Something to be kept until the message is answered. */
  void hold(std::shared_ptr<void> what) { held_.push_back(std::move(what)); }
  std::vector<std::shared_ptr<void>> release_held() { return std::exchange(held_, {}); }

  /** The message has left, or never will. */
  void end() {
    lent.take_back();
    if (!held_.empty()) held_.clear();
  }

 private:
  std::vector<std::shared_ptr<void>> held_;
};

}  // namespace simhandle
#endif
