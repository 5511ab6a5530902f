// In: the tokens of a file.
// Out: calls of the AST builder, one for each type, method, struct member, enumerator, import and
// require (the items of a file), made as soon as the item is complete. Its tree and tokens are then
// freed: ANTLR's data for a line of SIDL is several times as large as its AST.
//
// The tree of an item with an error is incomplete. Such members and imports are left out, such
// types and everything that contains them are marked; trees with errors are not read.
#pragma once

#include <vector>

#include "frontend/antlr.hpp"
#include "frontend/ast_builder.hpp"
#include "frontend/token_window.hpp"

namespace shinar {

class ItemParser final : public grammar::SidlParser {
 public:
  ItemParser(TokenWindow& tokens, AstBuilder& builder);

  // All of the file. Throws ParseCancellationException if the error handler does.
  void run();

  // The error handler found an error in the rule that is being read.
  void damage();

  void enterRule(antlr4::ParserRuleContext* tree, size_t state, size_t rule) override;

 private:
  // Trees that are freed when this is destroyed.
  class Nodes {
   public:
    // Takes over the tracker's nodes.
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
    bool is_damaged = false;
    bool has_damaged_head = false;    // of a type
    bool has_lost_assertion = false;  // of a method
    std::vector<Nodes> nodes;
  };

  void begin_item(antlr4::ParserRuleContext* tree);
  void begin_type(Item& item);
  Item end_item();
  static void damage(Item& item, bool is_head);

  TokenWindow& tokens_;
  AstBuilder& builder_;
  std::vector<Nodes> nodes_;  // the file's own
  std::vector<Item> open_;    // outermost first
};

}  // namespace shinar
