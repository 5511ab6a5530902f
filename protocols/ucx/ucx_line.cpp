#include "ucx_line.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/socket.hpp"
#include "ucx_context.hpp"

namespace shinar::wire::ucx {
namespace {

/** Messages up to this size are copied as they arrive, so that UCX has its memory back. */
constexpr std::size_t copied_at_once = 4096;
/** Short messages one behind the other are put together up to this size. */
constexpr std::size_t copied_together = std::size_t{64} << 10;
/** Messages that wait for others or the reader; those in their order need far fewer. */
constexpr std::size_t most_waiting = 4096;
/** After this many bytes a peer is told that they were read. */
constexpr std::size_t worth_telling = window / 4;
/** Less fits into the buffers of every network. */
constexpr std::size_t much_unread = std::size_t{64} << 10;
/** Events that UCX deals with at a time. */
constexpr int steps = 64;
/** How long that may take which has to be done before a worker ends. */
constexpr std::chrono::milliseconds longest_farewell(200);

[[noreturn]] void fail(const std::string& what, ucs_status_t status) {
  throw Error(Failure::connect, what + ": " + text_of(status));
}

/** UCX ends the program if it finds none later, when it connects or takes leave. */
void ensure_descriptors(int any) {
  constexpr int most_needed = 16;
  std::vector<Socket> spare;
  for (int i = 0; i < most_needed; ++i) {
    const int fd = ::fcntl(any, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) {
      throw Error(Failure::connect,
                  std::string("too few descriptors for UCX: ") + std::strerror(errno),
                  Fate::not_sent, errno);
    }
    spare.emplace_back(fd);
  }
}

bool is_complete(void* request) {
  return request == nullptr || ::ucp_request_check_status(request) != UCS_INPROGRESS;
}

/** A worker that nobody calls any more uses nobody's memory either. */
void leave_alone(ucp_worker_h worker) {
  static std::mutex mutex;
  static auto* const all = new std::vector<ucp_worker_h>;  // so that tools see it is no leak
  const std::lock_guard lock(mutex);
  all->push_back(worker);
}

}  // namespace

bool is_over(int socket) {
  char next = 0;
  const ssize_t got = ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return got >= 0 || errno != EAGAIN;
}

Line::Line(int life) : life_(life) {
  ensure_descriptors(life);
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  const ucs_status_t made = ::ucp_worker_create(context(), &params, &worker_);
  if (made != UCS_OK) fail("UCX has no resources for a connection", made);
  const auto handle = [this](unsigned id, ucp_am_recv_callback_t callback) {
    ucp_am_handler_param_t handler{};
    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                         UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
    handler.id = id;
    handler.cb = callback;
    handler.arg = this;
    handler.flags = UCP_AM_FLAG_WHOLE_MSG;
    ::ucp_worker_set_am_recv_handler(worker_, &handler);
  };
  handle(data_id, &Line::on_data);
  handle(end_id, &Line::on_end);
  handle(hello_id, &Line::on_hello);
}

Line::~Line() {
  for (Incoming& each : incoming_) {
    if (each.request == nullptr) let_go(each);
  }
  is_unreadable_ = true;
  const Quiet about_transfers_that_are_given_up;
  const bool has_to_connect =
      endpoint_ != nullptr && !has_met_ && carriers().find("tcp") != std::string::npos;
  if (has_to_connect || !finish_copying()) {
    leave_alone(worker_);
  } else {
    ::ucp_worker_destroy(worker_);
  }
}

/**
 * What UCX is about to copy from or to the peer's memory has to be done before its worker ends, or
 * UCX ends the program. False if the peer sends without a pause.
 */
bool Line::finish_copying() {
  const auto until = std::chrono::steady_clock::now() + longest_farewell;
  while (::ucp_worker_progress(worker_) != 0) {
    if (std::chrono::steady_clock::now() >= until) return false;
  }
  return true;
}

std::vector<std::byte> Line::address() const {
  ucp_address_t* address = nullptr;
  std::size_t size = 0;
  const ucs_status_t got = ::ucp_worker_get_address(worker_, &address, &size);
  if (got != UCS_OK) fail("UCX has no address", got);
  const auto* const bytes = reinterpret_cast<const std::byte*>(address);
  std::vector<std::byte> copy(bytes, bytes + size);
  ::ucp_worker_release_address(worker_, address);
  return copy;
}

void Line::connect(std::span<const std::byte> address) {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address.data());
  // Its other mode excludes shared memory. Whether the peer lives, its socket shows: see UcxStream.
  params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
  params.err_handler = {&Line::on_error, this};
  const Quiet about_peers_that_have_gone;
  const ucs_status_t made = ::ucp_ep_create(worker_, &params, &endpoint_);
  if (made != UCS_OK) fail("UCX does not reach the peer", made);
  say_hello();
}

void Line::say_hello() {
  owes_hello_ = false;
  send_message(hello_id, nullptr, 0);
}

int Line::descriptor() const {
  int fd = -1;
  return ::ucp_worker_get_efd(worker_, &fd) == UCS_OK ? fd : -1;
}

std::string Line::carriers() const {
  // Of lines as "# lane[0]:  1:sysv/memory.0 md[1] -> …".
  std::istringstream text(
      text_printed([this](std::FILE* file) { ::ucp_ep_print_info(endpoint_, file); }));
  std::set<std::string> found;
  for (std::string word; text >> word;) {
    if (!word.starts_with("lane[") || !(text >> word)) continue;
    const std::size_t begin = word.find(':') + 1;
    found.insert(word.substr(begin, word.rfind('.') - begin));
  }
  std::string all;
  for (const std::string& each : found) all += (all.empty() ? "" : ", ") + each;
  return all;
}

bool Line::arm() {
  const ucs_status_t armed = ::ucp_worker_arm(worker_);
  if (armed != UCS_OK && armed != UCS_ERR_BUSY) breaks("UCX cannot wait: " + text_of(armed));
  return armed != UCS_ERR_BUSY;
}

void Line::progress() {
  for (int i = 0; i < steps && ::ucp_worker_progress(worker_) != 0; ++i) continue;
  for (Incoming& each : incoming_) check(each);
  if (owes_hello_ && endpoint_ != nullptr && !is_broken()) say_hello();
  reap();
}

void Line::breaks(std::string reason) {
  if (broken_.empty()) broken_ = std::move(reason);
}

/** The peer lies, or something that was sent will not come. */
void Line::ends_reading(std::string reason) {
  breaks(std::move(reason));
  is_unreadable_ = true;
}

// ---- sending
// -------------------------------------------------------------------------------------

/** Forgets messages that UCX is done with. */
void Line::reap() {
  while (!outgoing_.empty() && is_complete(outgoing_.front().request)) {
    Outgoing& first = outgoing_.front();
    const ucs_status_t status = ::ucp_request_check_status(first.request);
    if (status != UCS_OK) breaks("UCX cannot send: " + text_of(status));
    ::ucp_request_free(first.request);
    forget(first);
    outgoing_.pop_front();
  }
}

void Line::send_message(MessageId id, const std::byte* data, std::size_t size, bool is_kept,
                        std::vector<std::byte> copied) {
  // UCX needs the header as long as the bytes.
  const std::uint64_t position = id == hello_id ? (has_heard_ ? 1 : 0) : begun_;
  Outgoing& message = outgoing_.emplace_back(
      Outgoing{.header = {position, read_}, .is_kept = is_kept, .copied = std::move(copied)});
  told_ = read_;
  begun_ += size;
  ucp_request_param_t param{};
  if (!is_kept) {  // nobody has to ask for what is copied anyway
    param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_AM_SEND_FLAG_EAGER;
  }
  void* const request =
      ::ucp_am_send_nbx(endpoint_, id, &message.header, sizeof message.header, data, size, &param);
  if (UCS_PTR_IS_ERR(request)) {
    breaks("UCX cannot send: " + text_of(UCS_PTR_STATUS(request)));
  } else if (request != nullptr) {
    message.request = request;
    return;
  }
  forget(message);
  outgoing_.pop_back();
}

/** Keeps its memory for the next one. */
void Line::forget(Outgoing& message) {
  if (message.copied.capacity() > spare_.capacity()) spare_ = std::move(message.copied);
}

/** Sends short pieces, at most until a long one, as one message; `skip` bytes were sent before. */
std::size_t Line::send_copied(std::span<const iovec>& pieces, std::size_t& skip) {
  std::vector<std::byte> copied = std::exchange(spare_, {});
  copied.clear();
  while (!pieces.empty() && copied.size() < in_place) {
    const iovec& first = pieces.front();
    const std::size_t left = first.iov_len - skip;
    if (left >= in_place) break;
    const auto* const from = static_cast<const std::byte*>(first.iov_base) + skip;
    copied.insert(copied.end(), from, from + left);
    pieces = pieces.subspan(1);
    skip = 0;
  }
  const std::size_t size = copied.size();
  if (size == 0) return 0;
  const std::byte* const data = copied.data();
  send_message(data_id, data, size, false, std::move(copied));
  return size;
}

std::size_t Line::send(std::span<const iovec> pieces, bool kept) {
  reap();
  // What has begun before and is offered again.
  std::size_t skip = begun_ - accepted_;
  const bool goes_on = skip != 0;
  while (!pieces.empty() && skip >= pieces.front().iov_len) {
    skip -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  while (!pieces.empty() && has_room() && !is_broken()) {
    const std::size_t left = pieces.front().iov_len - skip;
    if (left < in_place) {
      send_copied(pieces, skip);
      continue;
    }
    if (!kept) break;
    const auto* const from = static_cast<const std::byte*>(pieces.front().iov_base) + skip;
    const std::size_t size = std::min(left, longest);
    send_message(data_id, from, size, true);
    skip += size;
    if (skip == pieces.front().iov_len) {
      pieces = pieces.subspan(1);
      skip = 0;
    }
  }
  std::uint64_t done = passed_on();
  // Who offers memory that does not stay, and hears that nothing was sent, may send something else.
  if (!kept && !goes_on && begun_ != accepted_) done = std::max(done, accepted_ + 1);
  return static_cast<std::size_t>(done - std::exchange(accepted_, done));
}

std::size_t Line::give_up_sending() {
  const bool is_used = std::ranges::any_of(
      outgoing_, [](const Outgoing& each) { return each.is_kept && !is_complete(each.request); });
  return is_used ? 0 : static_cast<std::size_t>(begun_ - std::exchange(accepted_, begun_));
}

/** How far UCX has got, which gets on only when it is called. */
std::uint64_t Line::passed_on() {
  const auto first = std::ranges::find_if(
      outgoing_, [](const Outgoing& each) { return !is_complete(each.request); });
  if (first != outgoing_.end()) return std::max(accepted_, first->header.position);
  if (begun_ == accepted_ || !may_be_held_up()) return begun_;
  return std::max(accepted_, begun_ - unflushed());
}

/** What UCX says it has sent may still be with it. */
bool Line::may_be_held_up() const {
  return begun_ - acknowledged_ >= much_unread;
}

std::uint64_t Line::unsent() {
  return outgoing_.empty() && !may_be_held_up() ? 0 : unflushed();
}

bool Line::can_send() {
  if (is_broken()) return true;
  // What is on its way comes first: send() has begun as much as it may.
  return begun_ == accepted_ ? has_room() : passed_on() != accepted_;
}

void Line::end() {
  send_message(end_id, nullptr, 0);
}

/** Over some networks only the peer's UCX knows, which does not tell while that process stands. */
std::uint64_t Line::unflushed() {
  if (flush_ != nullptr && is_complete(flush_)) {
    ::ucp_request_free(std::exchange(flush_, nullptr));
    flushed_ = flushing_;
  }
  if (flush_ == nullptr && flushed_ != begun_ && !is_broken()) {
    ucp_request_param_t param{};
    flushing_ = begun_;
    void* const request = ::ucp_ep_flush_nbx(endpoint_, &param);
    if (UCS_PTR_IS_ERR(request)) {
      breaks("UCX cannot send: " + text_of(UCS_PTR_STATUS(request)));
    } else if (request == nullptr) {
      flushed_ = flushing_;
    } else {
      flush_ = request;
    }
  }
  return begun_ - flushed_;
}

void Line::acknowledge() {
  if (told_ != read_ && !is_broken()) send_message(data_id, nullptr, 0);
}

// ---- receiving
// -----------------------------------------------------------------------------------

void Line::on_error(void* line, ucp_ep_h /*endpoint*/, ucs_status_t status) {
  static_cast<Line*>(line)->breaks("UCX lost the peer: " + text_of(status));
}

/** False, and the line is broken, if the peer lies. */
bool Line::read_header(const void* header, std::size_t size, Header& read) {
  if (size != sizeof read) {
    ends_reading("a message without position");
    return false;
  }
  std::memcpy(&read, header, sizeof read);
  if (read.read > begun_) {
    ends_reading("the peer has read what was not sent");
    return false;
  }
  acknowledged_ = std::max(acknowledged_, read.read);
  return true;
}

ucs_status_t Line::on_data(void* line, const void* header, std::size_t header_size, void* data,
                           std::size_t size, const ucp_am_recv_param_t* param) {
  Line& self = *static_cast<Line*>(line);
  Header read{};
  if (self.is_unreadable_ || !self.read_header(header, header_size, read) || size == 0) {
    return UCS_OK;
  }
  try {
    return self.receive(read, data, size, (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0,
                        (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) != 0);
  } catch (const std::bad_alloc&) {
    self.ends_reading("no memory for a message");  // UCX's frames are C
    return UCS_OK;
  }
}

ucs_status_t Line::on_end(void* line, const void* header, std::size_t header_size, void* /*data*/,
                          std::size_t /*size*/, const ucp_am_recv_param_t* /*param*/) {
  Line& self = *static_cast<Line*>(line);
  Header read{};
  if (!self.read_header(header, header_size, read)) return UCS_OK;
  if (read.position < self.read_) {
    self.ends_reading("the stream ended before what was sent");
  } else {
    self.end_ = std::min(self.end_, read.position);
  }
  return UCS_OK;
}

/** Its position: 1 if the peer has heard this end, else 0. */
ucs_status_t Line::on_hello(void* line, const void* header, std::size_t header_size, void* /*data*/,
                            std::size_t /*size*/, const ucp_am_recv_param_t* /*param*/) {
  Line& self = *static_cast<Line*>(line);
  Header read{};
  if (!self.read_header(header, header_size, read)) return UCS_OK;
  if (!std::exchange(self.has_heard_, true)) self.owes_hello_ = true;
  if (read.position != 0) self.has_met_ = true;
  return UCS_OK;
}

/** UCX keeps what it has received if this returns UCS_INPROGRESS. */
ucs_status_t Line::receive(const Header& header, void* data, std::size_t size, bool is_offered,
                           bool may_hold) {
  if (size > longest || header.position < read_ || header.position - told_ >= window ||
      incoming_.size() >= most_waiting) {
    ends_reading("a message that is not expected");
    return UCS_OK;
  }
  Incoming message{.position = header.position, .size = size};
  const bool holds = is_offered || (may_hold && size > copied_at_once);
  if (holds) {
    message.held = data;
    message.is_offered = is_offered;
  } else {
    const auto* const bytes = static_cast<const std::byte*>(data);
    Incoming* const last = incoming_.empty() ? nullptr : &incoming_.back();
    if (last != nullptr && last->held == nullptr && last->target == nullptr &&
        last->size < copied_together && last->position + last->size == message.position) {
      last->copied.insert(last->copied.end(), bytes, bytes + size);
      last->size += size;
      return UCS_OK;
    }
    message.copied.assign(bytes, bytes + size);
  }
  keep(std::move(message));
  return holds ? UCS_INPROGRESS : UCS_OK;
}

/** Messages usually come in their order. */
void Line::keep(Incoming message) {
  auto at = incoming_.end();
  while (at != incoming_.begin() && std::prev(at)->position > message.position) --at;
  const bool overlaps_before =
      at != incoming_.begin() && std::prev(at)->position + std::prev(at)->size > message.position;
  const bool overlaps_after =
      at != incoming_.end() && message.position + message.size > at->position;
  if (overlaps_before || overlaps_after) ends_reading("messages that overlap");
  incoming_.insert(at, std::move(message));
}

bool Line::has_bytes() const {
  if (incoming_.empty() || incoming_.front().position + incoming_.front().taken != read_) {
    return false;
  }
  return is_complete(incoming_.front().request);
}

/** Gives UCX's memory back. */
void Line::let_go(Incoming& message) {
  if (message.held != nullptr) ::ucp_am_data_release(worker_, message.held);
  message.held = nullptr;
}

/** Asks for the bytes of an offered message. */
void Line::begin(Incoming& message, std::byte* to) {
  ucp_request_param_t param{};
  message.target = to;
  void* const request = ::ucp_am_recv_data_nbx(worker_, std::exchange(message.held, nullptr), to,
                                               message.size, &param);
  if (UCS_PTR_IS_ERR(request)) {
    ends_reading("UCX cannot receive: " + text_of(UCS_PTR_STATUS(request)));
  } else {
    message.request = request;
  }
  message.is_offered = false;
}

/** Asks for offered messages behind the first one, too, as far as they fit. */
void Line::begin_after(std::size_t first, std::span<std::byte> to) {
  std::uint64_t next = incoming_[first].position + incoming_[first].size;
  std::size_t offset = incoming_[first].size;
  for (std::size_t i = first + 1; i < incoming_.size(); ++i) {
    Incoming& each = incoming_[i];
    const bool fits = each.position == next && each.size <= to.size() - offset;
    if (!fits || (!each.is_offered && each.target == nullptr)) return;
    if (each.is_offered) begin(each, to.data() + offset);
    next += each.size;
    offset += each.size;
  }
}

/** Once it has been fetched. */
void Line::check(Incoming& message) {
  if (message.target == nullptr || message.is_good || !is_complete(message.request)) return;
  message.is_good = !is_over(life_);
  if (!message.is_good) ends_reading("the peer gave up what was being fetched");
}

/** True if UCX has received the message. */
bool Line::is_there(Incoming& message) {
  check(message);
  if (message.request == nullptr) return !is_unreadable_;
  const ucs_status_t status = ::ucp_request_check_status(message.request);
  if (status == UCS_INPROGRESS) return false;
  ::ucp_request_free(std::exchange(message.request, nullptr));
  if (status != UCS_OK) ends_reading("UCX cannot receive: " + text_of(status));
  return status == UCS_OK && !is_unreadable_;
}

void Line::has_read(std::size_t size) {
  read_ += size;
  if (read_ > end_) ends_reading("bytes behind the end of the stream");
  if (read_ - told_ >= worth_telling) acknowledge();
}

/** Those of a message that is there. */
const std::byte* Line::bytes_of(const Incoming& message) {
  if (message.target != nullptr) return message.target;
  return message.held != nullptr ? static_cast<const std::byte*>(message.held)
                                 : message.copied.data();
}

std::size_t Line::take(std::span<std::byte> to, bool kept) {
  std::size_t total = 0;
  while (!incoming_.empty() && !to.empty() && !is_unreadable_) {
    Incoming& first = incoming_.front();
    if (first.position + first.taken != read_) break;
    if (first.is_offered) {
      // Who gets what came before it may know then where it stays.
      if (is_broken() || (!kept && total != 0)) break;
      const bool fits = kept && first.size <= to.size();
      if (!fits) first.fetched = std::make_unique_for_overwrite<std::byte[]>(first.size);
      begin(first, fits ? to.data() : first.fetched.get());
    }
    if (first.target != nullptr) {
      if (kept && first.target == to.data() && !is_broken()) begin_after(0, to);
      if (!is_there(first)) break;
    }
    const std::size_t size = std::min(to.size(), first.size - first.taken);
    if (first.target != to.data()) std::memcpy(to.data(), bytes_of(first) + first.taken, size);
    to = to.subspan(size);
    total += size;
    first.taken += size;
    if (first.taken == first.size) {
      let_go(first);
      incoming_.pop_front();
    }
    has_read(size);
  }
  return total;
}

}  // namespace shinar::wire::ucx
