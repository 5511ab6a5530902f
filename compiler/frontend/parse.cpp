#include "frontend/parse.hpp"

#include "frontend/ast_builder.hpp"
#include "frontend/item_parser.hpp"
#include "frontend/splicer_marks.hpp"
#include "frontend/syntax_errors.hpp"
#include "frontend/text_check.hpp"
#include "frontend/token_check.hpp"

namespace shinar {
namespace {

using antlr4::atn::PredictionMode;

void set_mode(ItemParser& parser, PredictionMode mode) {
  parser.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
}

// Fast path: SLL prediction without error handling. Gives up on any error, and on rare input that
// needs full LL; it then returns false, and `builder` is unusable.
bool parse_fast(const Source& source, AstBuilder& builder) {
  TokenWindow tokens(source);
  ItemParser parser(tokens, builder);
  set_mode(parser, PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    parser.run();
    return true;
  } catch (const antlr4::ParseCancellationException&) {
    return false;
  }
}

// Full LL with error handling.
void parse_thoroughly(const Source& source, AstBuilder& builder, Diagnostics& diagnostics) {
  TokenWindow tokens(source, balance_braces(source, diagnostics));
  ItemParser parser(tokens, builder);
  set_mode(parser, PredictionMode::LL);
  parser.setErrorHandler(std::make_shared<SyntaxErrors>(source, tokens, parser, diagnostics));
  try {
    parser.run();
  } catch (const antlr4::ParseCancellationException&) {
    builder.damage_file();  // too many errors to go on
  }
}

ast::File nothing(const Source& source) {
  ast::File file;
  file.source = source.id();
  file.is_damaged = true;
  return file;
}

}  // namespace

ast::File parse(const Source& source, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  if (!check_text(source, diagnostics) || !check_tokens(source, diagnostics)) {
    return nothing(source);
  }
  // The builder's diagnostics are repeated when a text is read again.
  if (diagnostics.error_count() == errors) {
    Diagnostics found;
    AstBuilder builder(source, found);
    if (parse_fast(source, builder)) {
      diagnostics.append(std::move(found));
      if (diagnostics.error_count() == errors) check_splicer_marks(source, diagnostics);
      return builder.take();
    }
  }
  AstBuilder builder(source, diagnostics);
  parse_thoroughly(source, builder, diagnostics);
  return builder.take();
}

}  // namespace shinar
