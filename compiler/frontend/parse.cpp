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

// The fast way: SLL prediction without error handling. It gives up on any error, and on the rare
// input that needs full LL; the answer is then false, and `builder` of no use.
bool parse_fast(const Source& source, AstBuilder& builder) {
  const Diagnostics silent;
  TokenWindow tokens(source);
  ItemParser parser(tokens, &builder, silent);
  set_mode(parser, PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    parser.run();
    return true;
  } catch (const antlr4::ParseCancellationException&) {
    return false;
  }
}

// With everything switched on. False: there were errors.
bool parse_thoroughly(const Source& source, AstBuilder* builder, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  TokenWindow tokens(source);
  ItemParser parser(tokens, builder, diagnostics);
  set_mode(parser, PredictionMode::LL);
  parser.setErrorHandler(std::make_shared<SyntaxErrors>(source, tokens, diagnostics));
  try {
    parser.run();
  } catch (const antlr4::ParseCancellationException&) {
    return false;  // too many errors to go on
  }
  return diagnostics.error_count() == errors;
}

// What the builder has to say counts only if the text has no syntax errors.
std::optional<ast::File> finish(AstBuilder& builder, const Source& source, Diagnostics& found,
                                Diagnostics& diagnostics) {
  const bool ok = !found.has_errors();
  diagnostics.append(std::move(found));
  if (!ok) return std::nullopt;
  check_splicer_marks(source, diagnostics);  // wrong ones are errors, but the types are known
  return builder.take();
}

}  // namespace

std::optional<ast::File> parse(const Source& source, Diagnostics& diagnostics) {
  if (!check_text(source, diagnostics)) return std::nullopt;
  const std::size_t errors = diagnostics.error_count();
  if (!check_tokens(source, diagnostics)) return std::nullopt;
  if (diagnostics.error_count() > errors) {
    parse_thoroughly(source, nullptr, diagnostics);
    return std::nullopt;
  }
  {
    Diagnostics found;
    AstBuilder builder(source, found);
    if (parse_fast(source, builder)) return finish(builder, source, found, diagnostics);
  }
  Diagnostics found;
  AstBuilder builder(source, found);
  if (!parse_thoroughly(source, &builder, diagnostics)) return std::nullopt;
  return finish(builder, source, found, diagnostics);
}

}  // namespace shinar
