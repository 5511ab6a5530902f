// The yardstick of a call over UCX: active messages without a protocol to speak of. A message is a
// head and its doubles, sent from where they are; UCX decides which are sent at once and which stay
// with the sender until it is known where they go. Who waits polls and yields for a while, then
// sleeps, as Shinar does.
#pragma once

#include <poll.h>
#include <sched.h>
#include <ucp/api/ucp.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "raw_socket.hpp"

namespace raw {

/** As Connection, whose other end is one of these, too. */
class Ucx {
 public:
  /** The ends tell each other their addresses over a TCP connection. */
  explicit Ucx(int socket) : socket_(socket) {
    ucp_params_t params{};
    params.field_mask = UCP_PARAM_FIELD_FEATURES;
    params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
    check(ucp_init(&params, nullptr, &context_));
    ucp_worker_params_t single{};
    single.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    single.thread_mode = UCS_THREAD_MODE_SINGLE;
    check(ucp_worker_create(context_, &single, &worker_));
    check(ucp_worker_get_efd(worker_, &event_));
    ucp_am_handler_param_t handler{};
    handler.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                         UCP_AM_HANDLER_PARAM_FIELD_ARG | UCP_AM_HANDLER_PARAM_FIELD_FLAGS;
    handler.cb = &Ucx::came;
    handler.arg = this;
    handler.flags = UCP_AM_FLAG_WHOLE_MSG;
    check(ucp_worker_set_am_recv_handler(worker_, &handler));
    connect();
  }
  Ucx(const Ucx&) = delete;
  Ucx& operator=(const Ucx&) = delete;
  ~Ucx() {
    ucp_request_param_t param{};
    void* closing = ucp_ep_close_nbx(endpoint_, &param);
    wait([&] { return is_done(closing); });
    ucp_worker_destroy(worker_);
    ucp_cleanup(context_);
  }

  /** `values` stay as they are until receive() returns. */
  void send(const double* values, std::size_t count, std::uint64_t flags = 0) {
    sent_ = {count | flags};
    ucp_request_param_t param{};
    sending_ = ucp_am_send_nbx(endpoint_, 0, &sent_, sizeof sent_, values, 8 * count, &param);
  }

  bool receive(std::vector<double>& values, std::size_t& count, std::uint64_t* flags = nullptr) {
    values_ = &values;
    wait([&] { return has_come_ && is_done(sending_); });
    has_come_ = false;
    count = got_.count & ~all_flags;
    if (flags != nullptr) *flags = got_.count & all_flags;
    if (offered_ != nullptr) {
      ucp_request_param_t param{};
      void* receiving = ucp_am_recv_data_nbx(worker_, offered_, values.data(), 8 * count, &param);
      wait([&] { return is_done(receiving); });
      offered_ = nullptr;
    }
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static void check(ucs_status_t status) {
    if (status != UCS_OK) throw std::runtime_error(ucs_status_string(status));
  }

  /** Frees the request when it is. */
  static bool is_done(void*& request) {
    if (request == nullptr) return true;
    if (UCS_PTR_IS_ERR(request)) check(UCS_PTR_STATUS(request));
    const ucs_status_t status = ucp_request_check_status(request);
    if (status == UCS_INPROGRESS) return false;
    check(status);
    ucp_request_free(std::exchange(request, nullptr));
    return true;
  }

  void connect() {
    ucp_address_t* own = nullptr;
    std::size_t size = 0;
    check(ucp_worker_get_address(worker_, &own, &size));
    std::vector<double> address(1 + (size + 7) / 8);
    std::memcpy(address.data(), own, size);
    ucp_worker_release_address(worker_, own);
    socket_.send(address.data(), address.size());
    if (!socket_.receive(address, size)) throw std::runtime_error("the other end has gone");
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = reinterpret_cast<const ucp_address_t*>(address.data());
    check(ucp_ep_create(worker_, &params, &endpoint_));
  }

  static ucs_status_t came(void* self, const void* head, std::size_t, void* data, std::size_t size,
                           const ucp_am_recv_param_t* param) {
    auto& ucx = *static_cast<Ucx*>(self);
    std::memcpy(&ucx.got_, head, sizeof ucx.got_);
    if (ucx.values_->size() < size / 8) ucx.values_->resize(size / 8);
    ucx.has_come_ = true;
    if ((param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0) {
      ucx.offered_ = data;
      return UCS_INPROGRESS;
    }
    if (size != 0) std::memcpy(ucx.values_->data(), data, size);
    return UCS_OK;
  }

  template <class Condition>
  void wait(const Condition& is_met) {
    const auto until = Clock::now() + std::chrono::microseconds(100);
    while (!is_met()) {
      if (ucp_worker_progress(worker_) != 0) continue;
      if (Clock::now() < until) {
        sched_yield();
      } else if (ucp_worker_arm(worker_) == UCS_OK) {
        pollfd event{event_, POLLIN, 0};
        poll(&event, 1, -1);
      }
    }
  }

  Connection socket_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
  ucp_ep_h endpoint_ = nullptr;
  int event_ = -1;
  Head sent_{}, got_{};
  void* sending_ = nullptr;
  void* offered_ = nullptr;  // UCX's word for doubles that are still with the sender
  bool has_come_ = false;
  std::vector<double>* values_ = nullptr;  // where doubles are received
};

}  // namespace raw
