#include "lent.hpp"

#include "ledger.hpp"

namespace simhandle {

void Lent::take_back() {
  if (!generation_.is_current()) {
    entry_.lent.clear();
    leave_behind(session_);
    return;
  }
  if (!empty()) ledger_->release(*session_, std::exchange(entry_.lent, {}));
  session_.reset();
}

}  // namespace simhandle
