// In: the text of a file that has errors.
// Out: which of its braces are too many and where some are missing, each reported. With these
// changes every '{' has its '}', and a type ends where the next one begins: an error in one of them
// stays there.
//
// Braces that match are never touched, whatever the layout. Where they do not, the layout says what
// was meant: a type keyword at the beginning of a line that is not indented more than the type
// before it, a closing brace under the line of another opening one.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"

namespace shinar {

struct BraceChange {
  enum class Kind : std::uint8_t { Drop, Open, Close };
  Kind kind = Kind::Drop;
  std::uint32_t offset =
      0;  // of the brace to drop, or of the token in front of which one is missing
};

// In the order of the text.
std::vector<BraceChange> balance_braces(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
