#include "pending_call.hpp"

#include "interruption.hpp"

namespace simhandle {

PendingCall::PendingCall(std::shared_ptr<Link> link, const Request& request, CallText text)
    : link_(std::move(link)), deadline_(request.deadline), text_(std::move(text)) {
  link_->begin(request, waiter_);
}

PendingCall::~PendingCall() {
  if (!is_of_this_process()) {
    leave_behind(link_);
    return;
  }
  link_->leave(waiter_);
  if (!settled_) link_->in_use.fetch_sub(1);
}

/** The thread that has the mutex may keep it as long as the call takes. */
std::unique_lock<std::timed_mutex> PendingCall::lock() {
  Interruption interruption;
  if (!interruption.may_come()) return std::unique_lock(mutex_);
  for (;;) {
    std::unique_lock lock(mutex_, std::chrono::system_clock::now() + Interruption::look);
    if (lock.owns_lock()) return lock;
    if (interruption.has_come()) throw Interrupted(Fate::may_have_executed);
  }
}

/** Under the mutex. */
void PendingCall::settle() {
  if (settled_) return;
  try {
    link_->await(waiter_, deadline_);
    if (message_.type() == FrameType::error) throw decode_error(message_);
  } catch (const Interrupted&) {
    throw;  // the wait is over, the call is not
  } catch (const Error& error) {
    error_ = text_.explain(error);
  }
  settled_ = true;
  link_->in_use.fetch_sub(1);
}

void PendingCall::wait() {
  if (!is_of_this_process()) return;
  const auto held = lock();
  settle();
}

bool PendingCall::is_over() {
  if (settled_ || waiter_.cancelled || !is_of_this_process()) return true;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return false;  // the thread that waits will say so
  if (!settled_ && !link_->is_over(waiter_, deadline_)) return false;
  settle();
  return true;
}

bool PendingCall::cancel() {
  return !settled_ && is_of_this_process() && link_->cancel(waiter_);
}

Message& PendingCall::answer() {
  wait();
  if (!settled_ && !waiter_.done) {
    throw text_.explain(Error(Failure::unexpected_close,
                              "it is a call of the parent process, to which its answer goes",
                              Fate::may_have_executed));
  }
  if (error_) throw *error_;
  return message_;
}

}  // namespace simhandle
