#include "limits.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sidl_settings.h"

namespace sidl_tool {
namespace {

void set_limit(sidl_setting setting, const std::string& text) {
  const sidl_setting_info& info = *sidl_setting_get_info(setting);
  std::uint64_t value = 0;
  std::array<char, 160> wanted{};
  if (!sidl_setting_parse(setting, text.c_str(), &value, wanted.data(), wanted.size())) {
    throw CLI::ValidationError(info.option, "'" + text + "' must be " + wanted.data());
  }
  ::setenv(info.name, std::to_string(value).c_str(), 1);
}

}  // namespace

void add_limits(CLI::App& command) {
  for (int i = 0; i < sidl_setting_number; ++i) {
    const auto setting = static_cast<sidl_setting>(i);
    const sidl_setting_info& info = *sidl_setting_get_info(setting);
    if (info.option == nullptr) continue;
    const auto set = [setting](const std::string& text) { set_limit(setting, text); };
    command
        .add_option_function<std::string>(info.option, set,
                                          std::string(info.about) + " (" + info.name + ")")
        ->type_name(info.unit == sidl_setting_bytes ? "BYTES" : "N")
        ->group("Limits");
  }
}

}  // namespace sidl_tool
