#include "lent.hpp"

#include "ledger.hpp"

namespace shinar::wire {

void Lent::begin(Ledger* ledger, std::shared_ptr<Session> session) {
  booking_.reset(new Booking{ledger, std::move(session)});
}

void Lent::BookingEnd::operator()(Booking* booking) const {
  delete booking;
}

void Lent::take_back() {
  if (booking_ == nullptr) return;
  if (!booking_->generation.is_current()) {
    leave_behind(booking_);
    return;
  }
  const auto booking = std::move(booking_);
  if (booking->entry.lent.empty()) return;
  booking->ledger->release(*booking->session, booking->entry.lent);
}

}  // namespace shinar::wire
