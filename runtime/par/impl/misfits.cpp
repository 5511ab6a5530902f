#include "impl/misfits.hpp"

#include "sidl_par_DistributionException.hxx"
#include "sidl_printable.h"

namespace shinar::par {

void throw_misfit(const std::string& what) {
  ::sidl::par::DistributionException thrown = ::sidl::par::DistributionException::_create();
  thrown.setNote(what);
  throw thrown;
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  text.resize(most);
  return text;
}

std::string printable(const std::string& text, std::size_t most) {
  std::string result;
  for (std::size_t at = 0; at < text.size() && result.size() < most;) {
    char escape[SIDL_ESCAPE_SIZE];
    const std::size_t length = sidl_escape(text.data() + at, text.size() - at, escape);
    result += escape[0] == '\0' ? text.substr(at, length) : escape;
    at += length;
  }
  return shortened(std::move(result), most);
}

}  // namespace shinar::par
