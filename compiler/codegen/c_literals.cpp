#include "codegen/c_literals.hpp"

#include <string_view>

namespace shinar::codegen {
namespace {

using ir::TypeRef;

std::string without_suffix(std::string text, std::string_view suffixes) {
  while (!text.empty() && suffixes.find(text.back()) != std::string_view::npos) text.pop_back();
  return text;
}

// A part of "{re, im}", with its sign.
std::string part_of_complex(const std::string& text) {
  const bool is_negative = text.starts_with('-');
  const bool is_signed = is_negative || text.starts_with('+');
  return (is_negative ? "-" : "") + c_real_literal(is_signed ? text.substr(1) : text);
}

}  // namespace

std::string c_real_literal(const std::string& text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return without_suffix(text, "lL");
  const bool is_float = text.ends_with('f') || text.ends_with('F');
  const std::string digits = without_suffix(text, "fFdDlL");
  const bool is_integer = digits.find_first_of(".eE") == std::string::npos;
  if (is_float) return "(double)" + digits + (is_integer ? ".0f" : "f");
  return digits + (is_integer ? ".0" : "");
}

std::string c_literal(const ir::Expression& literal) {
  const std::string& text = literal.text();
  if (text == "null") return "NULL";
  if (text == "true") return "TRUE";
  if (text == "false") return "FALSE";
  switch (literal.type().kind()) {
    case TypeRef::INT:
      return without_suffix(text, "lL");
    case TypeRef::LONG:
      return "INT64_C(" + without_suffix(text, "lL") + ")";
    case TypeRef::FLOAT:
    case TypeRef::DOUBLE:
      return c_real_literal(text);
    case TypeRef::FCOMPLEX:
    case TypeRef::DCOMPLEX: {
      const std::size_t comma = text.find(", ");
      return "sidl_complex(" + part_of_complex(text.substr(1, comma - 1)) + ", " +
             part_of_complex(text.substr(comma + 2, text.size() - comma - 3)) + ")";
    }
    default:
      return text;
  }
}

std::string c_negated_literal(const ir::Expression& literal) {
  const std::string digits = without_suffix(literal.text(), "lL");
  return digits == "9223372036854775808" || digits == "0x8000000000000000"
             ? "INT64_MIN"
             : "-" + c_literal(literal);
}

}  // namespace shinar::codegen
