// In: the text of a file with errors.
// Out: superfluous and missing braces, each reported. With these changes all braces match, and a
// type ends before the next one begins, so that errors do not spread between types.
//
// Matching braces are never changed, whatever the layout. Otherwise the layout is used: a type
// keyword at the beginning of a line indented no more than the previous type, or a closing brace
// below the line of another opening one.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"

namespace shinar {

struct BraceChange {
  enum class Kind : std::uint8_t { Drop, Open, Close };
  Kind kind = Kind::Drop;
  std::uint32_t offset = 0;  // of the brace to drop, or of the token before which one is missing
};

// In text order.
std::vector<BraceChange> balance_braces(const Source& source, Diagnostics& diagnostics);

}  // namespace shinar
