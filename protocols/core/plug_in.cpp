#include "plug_in.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

namespace shinar::wire {
namespace {

/**
 * The program's signal handlers, which are put back at the end of this one's life. UCX replaces
 * those of faults to print where they were; a Java in the process lives on its own.
 */
class KeptHandlers {
 public:
  KeptHandlers() {
    for (std::size_t i = 1; i < kept_.size(); ++i) {
      ::sigaction(static_cast<int>(i), nullptr, &kept_[i]);
    }
  }
  ~KeptHandlers() {
    for (std::size_t i = 1; i < kept_.size(); ++i) {
      struct sigaction now {};
      const int number = static_cast<int>(i);
      if (::sigaction(number, nullptr, &now) != 0) continue;
      if (now.sa_sigaction != kept_[i].sa_sigaction) ::sigaction(number, &kept_[i], nullptr);
    }
  }
  KeptHandlers(const KeptHandlers&) = delete;
  KeptHandlers& operator=(const KeptHandlers&) = delete;

 private:
  std::array<struct sigaction, 32> kept_{};
};

/**
 * While there is such an object UCX does not replace handlers even for a moment, if the program has
 * one for faults: a Java may need it at any time. (Its settings are variables only.)
 */
class NoFaultHandlers {
 public:
  NoFaultHandlers() {
    struct sigaction now {};
    const bool has_own = ::sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_handler != SIG_DFL &&
                         now.sa_handler != SIG_IGN;
    is_set_ = has_own && std::getenv(kVariable) == nullptr && ::setenv(kVariable, "", 0) == 0;
  }
  ~NoFaultHandlers() {
    if (is_set_) ::unsetenv(kVariable);
  }
  NoFaultHandlers(const NoFaultHandlers&) = delete;
  NoFaultHandlers& operator=(const NoFaultHandlers&) = delete;

 private:
  static constexpr const char* kVariable = "UCX_ERROR_SIGNALS";
  bool is_set_ = false;
};

}  // namespace

bool is_plug_in_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 32 && std::ranges::all_of(name, is_letter);
}

std::string plug_in_file(std::string_view name) {
  Dl_info info{};
  std::string folder;
  if (::dladdr(reinterpret_cast<const void*>(&plug_in_file), &info) != 0) {
    const std::string_view path = info.dli_fname;
    folder = path.substr(0, path.rfind('/') + 1);
  }
  return folder + "libsidlx_" + std::string(name) + ".so";
}

bool has_plug_in(const std::string& file) {
  return ::access(file.c_str(), F_OK) == 0;
}

std::string load_plug_in(const std::string& file) {
  const KeptHandlers handlers;
  const NoFaultHandlers none;
  if (::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* const why = ::dlerror();
  return why == nullptr ? "no reason given" : why;
}

}  // namespace shinar::wire
