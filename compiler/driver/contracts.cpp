#include "driver/contracts.hpp"

#include <algorithm>
#include <vector>

#include "codegen/clause_facts.hpp"
#include "codegen/contract_plan.hpp"
#include "codegen/plan.hpp"
#include "ir/text.hpp"

namespace shinar::driver {
namespace {

using codegen::TypeIndex;
using Assertions = google::protobuf::RepeatedPtrField<ir::Assertion>;

// "require", "small", "constant", "by < 100", "dial.sidl:4"
using Row = std::vector<std::string>;

// A method, with its clauses; no name: invariants.
struct Section {
  std::string name;
  std::vector<Row> rows;
};

std::string cost_of(const codegen::ClauseFacts& facts) {
  return facts.cost ? codegen::cost_name(*facts.cost) : "calls";
}

class Page {
 public:
  explicit Page(const TypeIndex& index) : index_(index) {}

  std::string text() {
    std::string result;
    for (const ir::Type* type : index_.generated()) {
      if (!codegen::has_contracts(index_, *type)) continue;
      sections_.clear();
      collect(*type);
      result += (result.empty() ? "" : "\n") + type->name() + "\n" + page();
    }
    return result;
  }

 private:
  void collect(const ir::Type& type) {
    Section& invariants = sections_.emplace_back();
    for (const ir::Type* each : codegen::with_ancestors(index_, type)) {
      add(type, *each, nullptr, each->object().invariants(), "invariant", invariants);
    }
    const codegen::ObjectPlan plan = codegen::plan_object(index_, type);
    for (const codegen::PlannedMethod& planned : plan.methods) {
      Section section{planned.method->long_name(), {}};
      const auto add_all = [&](const ir::Type& declared_in, const ir::Method& method) {
        add(type, declared_in, &method, method.require(), "require", section);
        add(type, declared_in, &method, method.ensure(), "ensure", section);
      };
      if (planned.slot == nullptr) {
        add_all(type, *planned.method);
      } else {
        const int slot = static_cast<int>(planned.position);
        for (const codegen::DeclaredMethod& each : codegen::declarations_of(index_, type, slot)) {
          add_all(*each.type, *each.method);
        }
      }
      if (!section.rows.empty()) sections_.push_back(std::move(section));
    }
  }

  void add(const ir::Type& type, const ir::Type& declared_in, const ir::Method* method,
           const Assertions& assertions, const char* kind, Section& section) const {
    std::vector<std::string_view> names;
    if (method != nullptr) {
      for (const ir::Argument& argument : method->arguments()) names.push_back(argument.name());
    }
    for (const ir::Assertion& each : assertions) {
      std::string place =
          index_.source_file(declared_in) + ":" + std::to_string(each.span().line());
      if (&declared_in != &type) place += ", " + declared_in.name();
      section.rows.push_back({kind, each.name().empty() ? "-" : each.name(),
                              cost_of(codegen::clause_facts(each.expression(), method)),
                              ir::expression_text(each.expression(), names), place});
    }
  }

  // In columns, as wide as they have to be.
  std::string page() const {
    std::vector<std::size_t> widths(5);
    for (const Section& section : sections_) {
      for (const Row& row : section.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
      }
    }
    std::string result;
    for (const Section& section : sections_) {
      if (!section.name.empty()) result += "  " + section.name + "\n";
      for (const Row& row : section.rows) {
        std::string line = section.name.empty() ? "  " : "    ";
        for (std::size_t i = 0; i < row.size(); ++i) {
          line += row[i];
          if (i + 1 < row.size()) line += std::string(widths[i] - row[i].size() + 2, ' ');
        }
        result += line + "\n";
      }
    }
    return result;
  }

  const TypeIndex& index_;
  std::vector<Section> sections_;
};

}  // namespace

std::string contracts_text(const ir::Module& module) {
  const TypeIndex index(module);
  std::string text = Page(index).text();
  return text.empty() ? "No class has a clause.\n" : text;
}

}  // namespace shinar::driver
