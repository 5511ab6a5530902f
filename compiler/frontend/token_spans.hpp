// In: an ANTLR token.
// Out: its location in the source. The end-of-file token has zero width.
#pragma once

#include "diagnostics/source.hpp"
#include "frontend/antlr.hpp"

namespace shinar {

inline Span token_span(const Source& source, const antlr4::Token* token) {
  const auto size = static_cast<std::uint32_t>(source.text().size());
  if (token->getType() == antlr4::Token::EOF) return {source.id(), size, size};
  return {source.id(), static_cast<std::uint32_t>(token->getStartIndex()),
          static_cast<std::uint32_t>(token->getStopIndex() + 1)};
}

}  // namespace shinar
