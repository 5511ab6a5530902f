#include "lent.hpp"

#include "ledger.hpp"

namespace shinar::wire {

void Lent::begin(Ledger* ledger, std::shared_ptr<Session> session) {
  booking_ = std::make_unique<Booking>(Booking{ledger, std::move(session)});
}

void Lent::take_back() {
  if (booking_ == nullptr) return;
  if (!booking_->generation.is_current()) {
    leave_behind(booking_);
    return;
  }
  const std::unique_ptr<Booking> booking = std::move(booking_);
  if (booking->entry.lent.empty()) return;
  booking->ledger->release(*booking->session, booking->entry.lent);
}

}  // namespace shinar::wire
