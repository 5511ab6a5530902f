/**
 * What a process lends in one message: references to its objects.
 *
 * The receiver takes over what was booked to its session; if it did not take the message apart,
 * the lender takes it back. What is merely held is let go with the loan.
 */
#ifndef SIMHANDLE_GLUE_LOAN_HPP
#define SIMHANDLE_GLUE_LOAN_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ledger.hpp"

namespace simhandle {

class Loan {
 public:
  /** Where the receiver's references are booked. The ledger must be there for take_back(). */
  void begin(Ledger* ledger, std::shared_ptr<Session> session) {
    ledger_ = ledger;
    session_ = std::move(session);
  }
  bool has_begun() const { return session_ != nullptr; }
  Ledger& ledger() const { return *ledger_; }
  Session& session() const { return *session_; }

  /** A reference was booked. */
  void add(std::string id) { ids_.push_back(std::move(id)); }
  /** Something to be kept until the message is answered. */
  void hold(std::shared_ptr<void> what) { held_.push_back(std::move(what)); }
  std::vector<std::shared_ptr<void>> release_held() { return std::exchange(held_, {}); }

  /** The receiver has not taken anything over. */
  void take_back() {
    for (const std::string& id : std::exchange(ids_, {})) ledger_->release(*session_, id, 1);
  }
  /** The same, if what happened to the message says so. */
  void failed(const Error& error) {
    if (error.fate() == Fate::not_sent) take_back();
  }
  void answered(const Message& answer) {
    const bool untaken =
        answer.type() == FrameType::exception && (answer.header.flags & flag_untaken) != 0;
    if (untaken) take_back();
  }

  /** The message is done with. */
  void end() {
    if (!ids_.empty()) ids_.clear();
    if (!held_.empty()) held_.clear();
    session_.reset();
  }

 private:
  Ledger* ledger_ = nullptr;
  std::shared_ptr<Session> session_;
  std::vector<std::string> ids_;
  std::vector<std::shared_ptr<void>> held_;
};

/** Gets an answer to a message with a loan; takes the loan back if nobody took it over. */
template <class Action>
Message& lending(Loan& loan, Action&& action) {
  try {
    Message& answer = action();
    loan.answered(answer);
    return answer;
  } catch (const Error& error) {
    loan.failed(error);
    throw;
  }
}

}  // namespace simhandle
#endif
