#include "frontend/item_parser.hpp"

#include <algorithm>
#include <utility>

#include "frontend/rules.hpp"

namespace shinar {
ItemParser::ItemParser(TokenWindow& tokens, AstBuilder& builder)
    : SidlParser(&tokens), tokens_(tokens), builder_(builder) {
  removeErrorListeners();
}

void ItemParser::run() {
  file();
  while (!open_.empty()) end_item();
}

void ItemParser::enterRule(antlr4::ParserRuleContext* tree, size_t state, size_t rule) {
  if (is_item(rule)) begin_item(tree);
  if (rule != RuleInteger) _buildParseTrees = is_expression(rule);
  SidlParser::enterRule(tree, state, rule);
  if (is_body(rule)) open_.back().body = tree;
}

// An item has ended when the next one that is not part of it begins. No tree that is read is made
// between the last item of a body and the next item, so nodes made since then, the new item's
// included, can be freed with the new item.
void ItemParser::begin_item(antlr4::ParserRuleContext* tree) {
  std::vector<Item> ended;
  while (!open_.empty() && open_.back().body != _ctx) ended.push_back(end_item());
  Item* around = open_.empty() ? nullptr : &open_.back();
  if (around != nullptr && !around->has_begun) begin_type(*around);
  Item item;
  item.tree = tree;
  if (tokens_.current().range().begin == tokens_.current().range().end) {
    item.is_damaged = item.has_damaged_head = true;  // its first word is missing
  }
  std::vector<Nodes>& owner = !ended.empty()      ? item.nodes
                              : around != nullptr ? around->nodes
                                                  : nodes_;
  owner.emplace_back(_tracker);
  open_.push_back(std::move(item));
  // Error messages use only the token before the current one.
  if (tokens_.index() > 0) tokens_.forget_before(tokens_.index() - 1);
}

void ItemParser::begin_type(Item& item) {
  item.has_begun = true;
  if (item.body == nullptr) {
    builder_.lose_type();
  } else {
    builder_.begin_type(item.tree, item.body, item.has_damaged_head);
  }
}

ItemParser::Item ItemParser::end_item() {
  Item item = std::move(open_.back());
  open_.pop_back();
  if (item.tree->getRuleIndex() == RuleUserType) {
    if (!item.has_begun) begin_type(item);
    if (item.is_damaged) builder_.damage();
    if (item.body != nullptr) builder_.end_type();
  } else if (item.is_damaged) {
    builder_.damage();
  } else {
    if (item.has_lost_assertion) builder_.damage();
    builder_.add(item.tree);
  }
  return item;
}

// An assertion is dropped alone, and what is between the items of a type is not part of them.
void ItemParser::damage() {
  bool is_head = true;
  for (antlr4::RuleContext* rule = _ctx; rule != nullptr;
       rule = static_cast<antlr4::RuleContext*>(rule->parent)) {
    const size_t index = rule->getRuleIndex();
    if (index == RuleAssertion) {
      static_cast<AssertionContext*>(rule)->exception =
          std::make_exception_ptr(antlr4::ParseCancellationException("damaged"));
    }
    const bool is_clause =
        index == RuleInvariantClause || index == RuleRequireClause || index == RuleEnsureClause;
    if (index == RuleAssertion || is_clause) is_head = false;
    if (is_body(index) && rule == _ctx) {
      is_head = !getATN().nextTokens(getATN().states[getState()]).contains(size_t{RBRACE});
    }
    if (!is_item(index)) continue;
    const auto item = std::ranges::find(open_, rule, &Item::tree);
    if (item != open_.end()) return damage(*item, is_head);
  }
  builder_.damage_file();
}

void ItemParser::damage(Item& item, bool is_head) {
  const bool is_type = item.tree->getRuleIndex() == RuleUserType;
  if (!is_type && !is_head) {
    // The method has lost an assertion, on which its type may rely.
    item.has_lost_assertion = true;
    return;
  }
  item.is_damaged = true;
  item.has_damaged_head = item.has_damaged_head || (is_type && is_head);
}

}  // namespace shinar
