#include "plug_in.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

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
  if (::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) return "";
  const char* const why = ::dlerror();
  return why == nullptr ? "no reason given" : why;
}

}  // namespace shinar::wire
