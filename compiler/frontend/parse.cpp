#include "frontend/parse.hpp"

#include "frontend/antlr.hpp"
#include "frontend/ast_builder.hpp"
#include "frontend/char_stream.hpp"
#include "frontend/syntax_errors.hpp"
#include "frontend/text_check.hpp"
#include "frontend/token_check.hpp"
#include "frontend/word_lexer.hpp"

namespace shinar {
namespace {

using grammar::SidlParser;

// The fast way first: SLL prediction without error handling. It gives up on any error, and on the
// rare input that needs full LL; both are then parsed again with everything switched on.
SidlParser::FileContext* parse_tree(SidlParser& parser, antlr4::CommonTokenStream& tokens,
                                    const Source& source, Diagnostics& diagnostics) {
  auto* interpreter = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  parser.removeErrorListeners();
  interpreter->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  try {
    return parser.file();
  } catch (const antlr4::ParseCancellationException&) {
    tokens.seek(0);
    parser.reset();
    interpreter->setPredictionMode(antlr4::atn::PredictionMode::LL);
    parser.setErrorHandler(std::make_shared<SyntaxErrors>(source, diagnostics));
    return parser.file();
  }
}

}  // namespace

std::optional<ast::File> parse(const Source& source, Diagnostics& diagnostics) {
  if (!check_text(source, diagnostics)) return std::nullopt;
  ByteStream bytes(source.text());
  WordLexer lexer(bytes);
  lexer.removeErrorListeners();
  antlr4::CommonTokenStream tokens(&lexer);
  tokens.fill();
  const std::size_t errors = diagnostics.error_count();
  if (!check_tokens(source, tokens, diagnostics)) return std::nullopt;
  tokens.seek(0);
  SidlParser parser(&tokens);
  SidlParser::FileContext* tree = parse_tree(parser, tokens, source, diagnostics);
  // The tree of a text with errors has holes.
  if (diagnostics.error_count() > errors) return std::nullopt;
  ast::File file = build_ast(*tree, source, tokens, diagnostics);
  if (diagnostics.error_count() > errors) return std::nullopt;
  return file;
}

}  // namespace shinar
