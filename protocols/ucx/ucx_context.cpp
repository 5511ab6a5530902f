#include "ucx_context.hpp"

#include <ucs/config/global_opts.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/forking.hpp"

namespace shinar::wire::ucx {
namespace {

constexpr char log_level[] = "LOG_LEVEL";
/**
 * What the user has not set. The receiver fetches long messages: a sender that wrote into its
 * memory would go on after it has given up. One network at a time: what two ends have to tell each
 * other first is then sent before what depends on it. Shared memory of the kind posix is found by
 * the number of a descriptor, under which a peer that comes late may find another connection's
 * memory, or a file; or by a name, which outlives a process that is killed. sysv's is neither.
 */
constexpr struct {
  const char* variable;  ///< by which a user sets it
  const char* name;      ///< UCX's, within the part that reads it
  const char* value;
} settings[] = {{"UCX_RNDV_SCHEME", "RNDV_SCHEME", "get_zcopy"},
                {"UCX_MAX_RNDV_LANES", "MAX_RNDV_LANES", "1"},
                {"UCX_MAX_EAGER_LANES", "MAX_EAGER_LANES", "1"},
                {"UCX_TLS", "TLS", "^posix"},
                {"UCX_POSIX_USE_PROC_LINK", "USE_PROC_LINK", "n"}};
/** How the names of those begin that need more than an Ethernet card. */
constexpr std::string_view fast_transports[] = {"rc_",   "dc_",  "ud_", "gdr_",
                                                "ugni_", "gga_", "srd"};

/** This process was forked by one that had used UCX. */
std::atomic<bool> is_child{false};

/** Who wants UCX to be quiet, and what it logs otherwise. */
struct {
  std::mutex mutex;
  int count = 0;
  std::string level{};
} quiet;

/**
 * UCX makes connections over TCP in a thread that a child does not have. What is left of the user's
 * choice of transports, or of ours; throws Error(connect) if that is nothing.
 */
std::string transports_of_child() {
  const char* const chosen = std::getenv("UCX_TLS");
  if (chosen == nullptr) return "^posix,tcp";
  std::string all(chosen);
  if (all == "all") return "^tcp";
  if (all.starts_with("^")) return all + ",tcp";
  std::string left;
  bool connects = false;
  std::istringstream names(all);
  for (std::string name; std::getline(names, name, ',');) {
    if (name == "tcp") continue;
    connects = connects || name != "self";
    left += (left.empty() ? "" : ",") + name;
  }
  if (connects) return left;
  throw Error(Failure::connect, "UCX cannot be used with UCX_TLS=" + all + note_for_child());
}

ucp_context_h make_context() {
  ucp_params_t params{};
  params.field_mask =
      UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME;
  params.features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP;
  params.mt_workers_shared = 1;
  params.name = "shinar";
  ucp_config_t* config = nullptr;
  ucs_status_t status = ::ucp_config_read(nullptr, nullptr, &config);
  ucp_context_h made = nullptr;
  if (status == UCS_OK) {
    for (const auto& each : settings) {
      if (std::getenv(each.variable) == nullptr) {
        ::ucp_config_modify(config, each.name, each.value);
      }
    }
    if (is_child) ::ucp_config_modify(config, "TLS", transports_of_child().c_str());
    status = ::ucp_init(&params, config, &made);
    ::ucp_config_release(config);
  }
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
    is_child = is_child || known != nullptr;
    known = make_context();
    made_by.renew();
  }
  return known;
}

bool has_fast_network() {
  static const bool known = [] {
    // Lines as "resource 3 : md 2 dev 1 flags -- rc_verbs/mlx5_0:1".
    const std::string text =
        text_printed([](std::FILE* file) { ::ucp_context_print_info(context(), file); });
    return std::ranges::any_of(fast_transports, [&](std::string_view name) {
      return text.find(" " + std::string(name)) != std::string::npos;
    });
  }();
  return known;
}

const char* note_for_child() {
  return is_child ? " (a child of a process that has used UCX has not its TCP)" : "";
}

std::uint32_t release() {
  unsigned major = 0, minor = 0, patch = 0;
  ::ucp_get_version(&major, &minor, &patch);
  return major * 1000 + minor;
}

std::string text_printed(const std::function<void(std::FILE*)>& print) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* const file = ::open_memstream(&text, &size);
  if (file == nullptr) return "";
  print(file);
  std::fclose(file);
  const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
  return {text, size};
}

std::string text_of(ucs_status_t status) {
  return ::ucs_status_string(status);
}

Quiet::Quiet() {
  const std::lock_guard lock(quiet.mutex);
  if (quiet.count++ != 0) return;
  quiet.level = "";
  char level[16] = "";
  if (::ucs_global_opts_get_value(log_level, level, sizeof level) != UCS_OK) return;
  quiet.level = level;
  ::ucs_global_opts_set_value(log_level, "fatal");
}

Quiet::~Quiet() {
  const std::lock_guard lock(quiet.mutex);
  if (--quiet.count == 0 && !quiet.level.empty()) {
    ::ucs_global_opts_set_value(log_level, quiet.level.c_str());
  }
}

}  // namespace shinar::wire::ucx
