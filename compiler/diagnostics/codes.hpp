// In: codes.def, the one table of all diagnostics of sidlc.
// Out: an enum to name a diagnostic in code, and its number, severity and summary at run time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace shinar {

enum class Severity : std::uint8_t { Error, Warning };

enum class Code : std::uint16_t {
#define SIDL_CODE(name, number, severity, summary) name = number,
#include "diagnostics/codes.def"
#undef SIDL_CODE
};

struct CodeInfo {
  Code code;
  std::uint16_t number;
  Severity severity;
  std::string_view name;     // "UnknownType"
  std::string_view summary;  // "A type is not known."
};

// All codes, sorted by number.
std::span<const CodeInfo> all_codes();
const CodeInfo& info(Code code);
std::string code_text(Code code);  // "SIDL0401"
std::string_view severity_text(Severity severity);

}  // namespace shinar
