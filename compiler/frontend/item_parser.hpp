// In: the tokens of a file.
// Out: calls of the AST builder, one for each type, method, struct member, enumerator, import and
// require (the items of a file), made as soon as the item is complete. Then its tree and its tokens
// are gone: what ANTLR keeps for a line of SIDL is several times as large as its AST.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "frontend/antlr.hpp"
#include "frontend/ast_builder.hpp"
#include "frontend/token_window.hpp"

namespace shinar {

class ItemParser final : public grammar::SidlParser {
 public:
  // `builder` may be null, if only errors are of interest. `syntax`: where the error handler
  // reports. After an error trees have holes, and nothing is built from them any more.
  ItemParser(TokenWindow& tokens, AstBuilder* builder, const Diagnostics& syntax);

  // All of the file. Throws ParseCancellationException if the error handler does.
  void run();

  void enterRule(antlr4::ParserRuleContext* tree, size_t state, size_t rule) override;

 private:
  // Trees that are of no use any more once this goes.
  class Nodes {
   public:
    // Takes over what the tracker has.
    explicit Nodes(antlr4::tree::ParseTreeTracker& tracker) { std::swap(tracker_, tracker); }
    Nodes(Nodes&& other) noexcept { std::swap(tracker_, other.tracker_); }
    Nodes& operator=(Nodes&& other) noexcept {
      std::swap(tracker_, other.tracker_);
      return *this;
    }
    ~Nodes() { tracker_.reset(); }

   private:
    antlr4::tree::ParseTreeTracker tracker_;
  };

  struct Item {
    antlr4::ParserRuleContext* tree = nullptr;
    antlr4::ParserRuleContext* body = nullptr;  // of a type: the tree of its kind
    bool has_begun = false;                     // of a type: the builder knows it
    std::vector<Nodes> nodes;
  };

  bool can_build() const { return builder_ != nullptr && syntax_.error_count() == errors_; }
  void begin_item(antlr4::ParserRuleContext* tree);
  void begin_type(Item& item);
  Item end_item();

  TokenWindow& tokens_;
  AstBuilder* builder_;
  const Diagnostics& syntax_;
  std::size_t errors_;        // known before
  std::vector<Nodes> nodes_;  // the file's own
  std::vector<Item> open_;    // outermost first
};

}  // namespace shinar
