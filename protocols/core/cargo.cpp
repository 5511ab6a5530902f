#include "cargo.hpp"

#include <algorithm>

#include "callee.hpp"
#include "checked_mutex.hpp"
#include "decoder.hpp"
#include "host.hpp"

namespace shinar::wire {

void CargoEnd::operator()(Cargo* cargo) const {
  delete cargo;
}

void Cargo::unload(Message& message, Host* host, const std::shared_ptr<Callee>& sender) {
  if (!is_in(message)) return;
  message.cargo.reset(new Cargo);
  message.cargo->sender_ = sender;
  try {
    message.cargo->read(message, host);
  } catch (...) {
    message.cargo->disown();
    throw;
  }
}

/** The message will not count as read: the sender takes back what it has handed out in it. */
void Cargo::disown() noexcept {
  for (Item& each : items_) {
    if (each.is_home || sender_ == nullptr) continue;
    sender_->let_go(each.id, 1);
    each.taken = true;
  }
}

void Cargo::pay_for_return() {
  if (sender_ == nullptr) return;
  std::uint64_t bytes = 0;
  for (const Item& each : items_) {
    if (!each.is_home) bytes += Returned::bytes_of(each.id.size());
  }
  try {
    paid_ = sender_->pay_for_unclaimed(bytes);
  } catch (...) {
    disown();
    throw;
  }
}

/**
 * The list, offsets and then their number, ends the body, except that chain and parent follow it.
 */
void Cargo::read(Message& message, Host* host) {
  constexpr std::size_t entry = sizeof(std::uint64_t);
  const FrameHeader& header = message.header;
  const std::size_t behind = (has_chain(header) ? 2 : 0) + (has_parent(header) ? 1 : 0);
  const std::size_t tail = (behind + 1) * entry;
  std::size_t end = message.body.size();
  std::uint64_t count = 0;
  if (end % entry != 0 || end < tail) throw malformed("no list of references");
  end -= tail;
  std::memcpy(&count, message.body.data() + end, entry);
  if (count > end / entry) throw malformed("a list of references is longer than its message");
  const std::size_t begin = end - static_cast<std::size_t>(count) * entry;
  items_.reserve(static_cast<std::size_t>(count));
  for (std::size_t at = begin; at < end; at += entry) {
    std::uint64_t place = 0;
    std::memcpy(&place, message.body.data() + at, entry);
    if (place >= begin || (!items_.empty() && place <= items_.back().place)) {
      throw malformed("a list of references is out of order");
    }
    Decoder decoder(message);
    decoder.go_to(static_cast<std::size_t>(place));
    const auto tag = static_cast<ObjectTag>(decoder.get<std::uint8_t>());
    const std::string_view id = decoder.get_name();
    if (tag == ObjectTag::at_receiver) {
      items_.push_back(
          {static_cast<std::size_t>(place), true, false, host ? host->pin(id) : Pin(), {}});
    } else if (tag == ObjectTag::at_sender) {
      Item item{static_cast<std::size_t>(place), false, false, Pin(), std::string(id)};
      if (sender_ != nullptr) sender_->hold(id);
      items_.push_back(std::move(item));  // there is room for it
    } else {
      throw malformed("a list of references points to something else");
    }
  }
}

Cargo::Item* Cargo::find(std::size_t place, bool is_home) {
  const auto at = std::ranges::lower_bound(items_, place, {}, &Item::place);
  const bool found = at != items_.end() && at->place == place && at->is_home == is_home;
  return found ? &*at : nullptr;
}

bool Cargo::take_home(std::size_t place, Pin& object) {
  Item* const item = find(place, true);
  if (item == nullptr) return false;
  object = std::move(item->object);
  return true;
}

void Cargo::take_over(std::size_t place) {
  Item* const item = find(place, false);
  if (item == nullptr || item->taken) throw malformed("a reference that was never handed out");
  item->taken = true;
}

Cargo::~Cargo() {
  if (!generation_.is_current()) return;
  if (!items_.empty()) assert_no_lock_held("releasing what a message refers to");
  for (const Item& each : items_) {
    if (each.is_home || each.taken || sender_ == nullptr) continue;
    Charge paid = paid_ ? paid_.split(Returned::bytes_of(each.id.size())) : Charge();
    sender_->release(each.id, 1, std::move(paid));
  }
}

}  // namespace shinar::wire
