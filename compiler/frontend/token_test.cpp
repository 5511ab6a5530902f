// token_test FILE…: compares the tokens of WordLexer with those of the generated lexer. Plain
// comments, which it drops, are ignored. Run by tests/compiler/test_tokens.py.

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

std::string line(std::size_t type, std::size_t begin, std::size_t end, const std::string& text) {
  return std::to_string(type) + " " + std::to_string(begin) + " " + std::to_string(end) + " " +
         text.substr(begin, end - begin);
}

std::vector<std::string> expected_tokens(const std::string& text) {
  shinar::ByteStream bytes(text);
  shinar::grammar::SidlLexer lexer(&bytes);
  lexer.removeErrorListeners();
  std::vector<std::string> list;
  while (true) {
    const std::unique_ptr<antlr4::Token> token = lexer.nextToken();
    if (token->getType() == antlr4::Token::EOF) return list;
    const bool hidden = token->getChannel() != antlr4::Token::DEFAULT_CHANNEL;
    if (hidden && !shinar::is_doc_comment(token->getText())) continue;
    list.push_back(line(token->getType(), token->getStartIndex(), token->getStopIndex() + 1, text));
  }
}

std::vector<std::string> found_tokens(const std::string& text) {
  shinar::WordLexer lexer(text);
  std::vector<std::string> list;
  while (true) {
    const shinar::Lexeme lexeme = lexer.next();
    if (lexeme.type == shinar::WordLexer::kEnd) return list;
    list.push_back(line(lexeme.type, lexeme.begin, lexeme.end, text));
  }
}

}  // namespace

int main(int argc, char** argv) {
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    std::ostringstream text;
    text << std::ifstream(argv[i], std::ios::binary).rdbuf();
    const auto expected = expected_tokens(text.str());
    const auto found = found_tokens(text.str());
    if (found == expected) continue;
    status = 1;
    const auto [a, b] = std::ranges::mismatch(expected, found);
    std::cerr << argv[i] << ": expected '" << (a == expected.end() ? "nothing" : *a) << "', found '"
              << (b == found.end() ? "nothing" : *b) << "'\n";
  }
  return status;
}
