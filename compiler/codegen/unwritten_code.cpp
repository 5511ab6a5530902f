#include "codegen/unwritten_code.hpp"

#include <algorithm>
#include <regex>
#include <string>

namespace shinar::codegen {
namespace {

constexpr std::string_view kWhiteSpace = " \t\r\n";

std::string code_of(std::string_view text) {
  std::string result(text);
  std::erase_if(result, [](char c) { return kWhiteSpace.find(c) != std::string_view::npos; });
  return result;
}

// Long statements, and long strings in them, go on on the next line in Fortran.
std::string without_continuations(std::string code) {
  static const std::regex continuation("'//&'|&");
  return std::regex_replace(code, continuation, "");
}

// What of a generated body does not depend on the signature; empty if `text` is anything else.
std::string stem_of(std::string_view text) {
  static const std::regex patterns[] = {
      std::regex(R"re((?:\(void\)\w+;)*(SIDL_THROW\(\*_ex,sidl_NotImplementedException,)re"
                 R"re("Thismethodhasnotbeenimplemented"\);EXIT:return))re"
                 R"re((?:0|0\.0F?|NULL|\((?:struct|enum)\w+\)(?:0|\{0\}))?;)re"),
      std::regex(R"re((\(void\))\w+;(?:\(void\)\w+;)*)re"),
      std::regex(
          R"re((::sidl::not_implemented\(__FILE__,__LINE__,"[\w.]+")(?:,[A-Za-z]\w*)*\);)re"),
      std::regex(R"re((::sidl::unused\()\w+(?:,\w+)*\);)re"),
      std::regex(R"re((thrownewsidl\.NotImplementedException\("[\w.]+"\);))re"),
      std::regex(R"re((raiseNotImplementedError\("[\w.]+"\)|pass))re"),
      std::regex(R"re(type\(sidl_NotImplementedException\)::thrown_)re"
                 R"re((?:retval=(?:0|\.false\.|''|c_null_ptr))?)re"
                 R"re((callsidl_throw\(exception,thrown_,'Thismethodhasnotbeenimplemented',)re"
                 R"re('[\w.]+'\)))re"),
  };
  constexpr std::size_t kLongest = 10000;  // the matcher recurses
  std::string code = code_of(text);
  if (code.size() > kLongest) return {};
  if (code.starts_with("type(")) code = without_continuations(std::move(code));
  std::smatch found;
  const bool is_it = std::ranges::any_of(
      patterns, [&](const std::regex& pattern) { return std::regex_match(code, found, pattern); });
  return is_it ? found[1].str() : std::string();
}

}  // namespace

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(kWhiteSpace) == std::string_view::npos;
}

bool is_same_code(std::string_view a, std::string_view b) {
  return code_of(a) == code_of(b);
}

bool is_unwritten(std::string_view text) {
  return is_blank_text(text) || !stem_of(text).empty();
}

bool is_outdated(std::string_view text, std::string_view fresh) {
  const std::string stem = stem_of(text);
  return !stem.empty() && stem == stem_of(fresh) && !is_same_code(text, fresh);
}

}  // namespace shinar::codegen
