#include "frontend/ast.hpp"

namespace shinar::ast {

std::string ScopedName::text() const {
  std::string text;
  for (const Name& part : parts) {
    if (absolute || !text.empty()) text += '.';
    text += part.text;
  }
  return text;
}

}  // namespace shinar::ast
