// token_test FILE…: does WordLexer give the tokens of the generated lexer? Plain comments, which it
// drops, do not count. Run by tests/compiler/test_tokens.py.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/doc_comment.hpp"
#include "frontend/word_lexer.hpp"

namespace {

template <typename Lexer>
std::vector<std::string> tokens_of(const std::string& text) {
  shinar::ByteStream bytes(text);
  Lexer lexer(bytes);
  lexer.removeErrorListeners();
  std::vector<std::string> list;
  while (true) {
    const std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    const bool hidden = token->getChannel() != antlr4::Token::DEFAULT_CHANNEL;
    if (!hidden || shinar::is_doc_comment(token->getText())) {
      list.push_back(std::to_string(token->getType()) + " " + std::to_string(hidden) + " " +
                     std::to_string(token->getStartIndex()) + " " +
                     std::to_string(token->getStopIndex()) + " " + token->getText());
    }
    if (token->getType() == antlr4::Token::EOF) return list;
  }
}

struct PlainLexer : shinar::grammar::SidlLexer {
  explicit PlainLexer(shinar::ByteStream& bytes) : SidlLexer(&bytes) {}
};

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    std::ostringstream text;
    text << std::ifstream(argv[i], std::ios::binary).rdbuf();
    const auto expected = tokens_of<PlainLexer>(text.str());
    const auto found = tokens_of<shinar::WordLexer>(text.str());
    if (found == expected) continue;
    status = 1;
    const auto [a, b] = std::ranges::mismatch(expected, found);
    std::cerr << argv[i] << ": expected '" << (a == expected.end() ? "nothing" : *a) << "', found '"
              << (b == found.end() ? "nothing" : *b) << "'\n";
  }
  return status;
}
