#include "ucx_context.hpp"

#include <ucs/config/global_opts.h>

#include <mutex>

#include "core/error.hpp"
#include "core/forking.hpp"

namespace shinar::wire::ucx {
namespace {

constexpr char log_level[] = "LOG_LEVEL";

ucp_context_h make_context() {
  ucp_params_t params{};
  params.field_mask =
      UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 1;
  params.name = "shinar";
  ucp_context_h made = nullptr;
  const ucs_status_t status = ::ucp_init(&params, nullptr, &made);
  if (status == UCS_OK) return made;
  throw Error(Failure::connect, "UCX cannot be used: " + text_of(status) +
                                    " (UCX_LOG_LEVEL=info shows more; UCX_TLS chooses transports)");
}

}  // namespace

ucp_context_h context() {
  static std::mutex mutex;
  static ucp_context_h known = nullptr;
  static Generation made_by;
  // A child that is forked while another thread of its parent is in here has no use for the lock.
  const std::lock_guard lock(mutex);
  if (known == nullptr || !made_by.is_current()) {
    known = make_context();
    made_by.renew();
  }
  return known;
}

std::uint32_t release() {
  unsigned major = 0, minor = 0, patch = 0;
  ::ucp_get_version(&major, &minor, &patch);
  return major * 1000 + minor;
}

std::string text_of(ucs_status_t status) {
  return ::ucs_status_string(status);
}

Quiet::Quiet() {
  if (::ucs_global_opts_get_value(log_level, before_, sizeof before_) == UCS_OK) {
    ::ucs_global_opts_set_value(log_level, "error");
  }
}

Quiet::~Quiet() {
  if (before_[0] != '\0') ::ucs_global_opts_set_value(log_level, before_);
}

}  // namespace shinar::wire::ucx
