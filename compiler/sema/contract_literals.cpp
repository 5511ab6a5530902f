#include "sema/contract_literals.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace shinar::sema {
namespace {

using model::Kind;
using model::TypeRef;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

bool is_hexadecimal(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X");
}

bool is_integer_text(std::string_view text) {
  return is_hexadecimal(text) || text.find_first_not_of("0123456789lL") == std::string_view::npos;
}

class LiteralReader {
 public:
  LiteralReader(Span span, bool negated, Diagnostics& diagnostics)
      : span_(span), negated_(negated), diagnostics_(diagnostics) {}

  TypeRef number(std::string_view text) {
    return is_integer_text(text) ? integer(text) : floating(text);
  }
  TypeRef complex(std::string_view text);
  bool check_escapes(std::string_view text);

 private:
  TypeRef integer(std::string_view text);
  TypeRef floating(std::string_view text);
  TypeRef refuse(std::string_view text, std::string_view why) {
    diagnostics_.report(Code::NumberRange, span_,
                        "'" + std::string(text) + "' " + std::string(why));
    return {};
  }

  Span span_;
  bool negated_;
  Diagnostics& diagnostics_;
};

TypeRef LiteralReader::integer(std::string_view text) {
  std::string_view digits = text;
  const bool is_long = digits.ends_with('l') || digits.ends_with('L');
  if (is_long) digits.remove_suffix(1);
  int base = 10;
  if (is_hexadecimal(digits)) {
    base = 16;
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits.front() == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const std::from_chars_result parsed = std::from_chars(digits.data(), end, value, base);
  if (parsed.ec == std::errc() && parsed.ptr != end) {
    return refuse(text, "begins with 0 but is not an octal number");
  }
  const std::uint64_t extra = negated_ ? 1 : 0;
  const auto fits = [&](auto largest) {
    return parsed.ec == std::errc() && value <= static_cast<std::uint64_t>(largest) + extra;
  };
  if (!fits(std::numeric_limits<std::int64_t>::max())) {
    return refuse(text, "does not fit into 64 bits");
  }
  const bool is_int = !is_long && fits(std::numeric_limits<std::int32_t>::max());
  return {.kind = is_int ? Kind::Int : Kind::Long};
}

TypeRef LiteralReader::floating(std::string_view text) {
  const bool is_float = text.ends_with('f') || text.ends_with('F');
  const std::string copy(text);
  const bool fits = is_float ? std::isfinite(std::strtof(copy.c_str(), nullptr))
                             : std::isfinite(std::strtod(copy.c_str(), nullptr));
  if (!fits) return refuse(text, is_float ? "is too large for a float" : "is too large");
  return {.kind = is_float ? Kind::Float : Kind::Double};
}

// "{re, im}", each with its sign: fcomplex if its floating-point parts are written as float.
TypeRef LiteralReader::complex(std::string_view text) {
  const std::size_t comma = text.find(", ");
  bool is_float = false;
  bool is_double = false;
  for (std::string_view part :
       {text.substr(1, comma - 1), text.substr(comma + 2, text.size() - comma - 3)}) {
    negated_ = part.starts_with('-');
    if (negated_ || part.starts_with('+')) part.remove_prefix(1);
    const TypeRef type = number(part);
    if (type.kind == Kind::Error) return type;
    is_float = is_float || type.kind == Kind::Float;
    is_double = is_double || type.kind == Kind::Double;
  }
  return {.kind = is_float && !is_double ? Kind::Fcomplex : Kind::Dcomplex};
}

// Only escapes that mean the same in all target languages.
bool LiteralReader::check_escapes(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') continue;
    std::size_t length = 1;
    while (length < 4 && i + length < text.size() && is_octal(text[i + length])) ++length;
    const bool too_large = length == 4 && text[i + 1] > '3';
    if (length == 1) length = 2;
    const std::string_view escape = text.substr(i, length);
    const bool known = escape.find_first_of("01234567ntbrf\\'\"", 1) == 1;
    if (!known || too_large) {
      const auto begin = span_.begin + static_cast<std::uint32_t>(i);
      diagnostics_.report(
          Code::BadEscape, Span{span_.file, begin, begin + static_cast<std::uint32_t>(length)},
          too_large ? std::string(escape) + " is too large for a char; the maximum is \\377"
                    : std::string(escape) +
                          " is not a valid escape; the escapes are \\n \\t \\b \\r \\f \\\\ "
                          "\\' \\\" and octal escapes like \\101");
      return false;
    }
    i += length - 1;
  }
  return true;
}

}  // namespace

TypeRef literal_type(const ast::Expression& literal, bool negated, Diagnostics& diagnostics) {
  LiteralReader reader(literal.span, negated, diagnostics);
  const std::string& text = literal.text;
  if (literal.kind == ast::Expression::Kind::Complex) return reader.complex(text);
  if (text == "true" || text == "false") return {.kind = Kind::Bool};
  const bool is_string = text.starts_with('"');
  if (is_string || text.starts_with('\'')) {
    if (!reader.check_escapes(text)) return {};
    return {.kind = is_string ? Kind::String : Kind::Char};
  }
  return is_digit(text.front()) || text.front() == '.' ? reader.number(text) : TypeRef{};
}

}  // namespace shinar::sema
