#include "diagnostics/codes.hpp"

#include <algorithm>
#include <array>

namespace shinar {
namespace {

constexpr auto kCodes = std::to_array<CodeInfo>({
#define SIDL_CODE(name, number, severity, summary) \
  {Code::name, number, Severity::severity, #name, summary},
#include "diagnostics/codes.def"
#undef SIDL_CODE
});

static_assert(std::ranges::is_sorted(kCodes, {}, &CodeInfo::number));

}  // namespace

std::span<const CodeInfo> all_codes() {
  return kCodes;
}

const CodeInfo& info(Code code) {
  return *std::ranges::lower_bound(kCodes, static_cast<std::uint16_t>(code), {}, &CodeInfo::number);
}

std::string code_text(Code code) {
  const std::string digits = std::to_string(info(code).number);
  return "SIDL" + std::string(4 - digits.size(), '0') + digits;
}

std::string_view severity_text(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

}  // namespace shinar
