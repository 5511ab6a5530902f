// In: ANTLR's parse tree of a text without syntax errors.
// Out: the AST, with doc comments attached and numbers read.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"
#include "frontend/ast.hpp"

namespace shinar {

ast::File build_ast(grammar::SidlParser::FileContext& tree, const Source& source,
                    antlr4::CommonTokenStream& tokens, Diagnostics& diagnostics);

}  // namespace shinar
