#include "policy_roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace shinar::wire {
namespace {

/** More is no number that anybody means, and would be none of a double any more. */
constexpr double highest_amount = 1e15;
constexpr unsigned highest_weight = 1000;

/** How many letters have to be changed to get one from the other. */
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/** " (did you mean 'attach'?)", or what there is. */
std::string meant(std::string_view key, std::span<const std::string_view> known) {
  std::string all;
  for (const std::string_view each : known) {
    if (key.size() < 40 && distance(key, each) <= 2) {
      return " (did you mean '" + std::string(each) + "'?)";
    }
    all += (all.empty() ? "" : ", ") + std::string(each);
  }
  return ": the keys are " + all;
}

class Reading {
 public:
  explicit Reading(const std::string& file) : file_(file) {}

  std::vector<std::shared_ptr<const Role>> roles(const toml::table& document);

 private:
  Error wrong(const toml::node& where, const std::string& what) const {
    return Error(Failure::protocol,
                 file_ + ":" + std::to_string(where.source().begin.line) + ": " + what);
  }
  void check_keys(const toml::table& table, const std::string& what,
                  std::span<const std::string_view> known) const;
  Role role(const toml::table& table) const;
  std::string text(const toml::node& node, const std::string& what) const;
  Patterns patterns(const toml::table& table, std::string_view key) const;
  Patterns who(const toml::table& table, const std::string& role) const;
  Quota quota(const toml::table& table, const std::string& role) const;
  double amount(const toml::node& node, const std::string& what, bool is_whole) const;
  void check_order(const toml::table& table, const Role& role,
                   const std::vector<std::shared_ptr<const Role>>& before) const;

  const std::string& file_;
};

void Reading::check_keys(const toml::table& table, const std::string& what,
                         std::span<const std::string_view> known) const {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    throw wrong(value, "unknown key '" + in_one_line(std::string(key.str())) + "' in " + what +
                           meant(key.str(), known));
  }
}

std::string Reading::text(const toml::node& node, const std::string& what) const {
  const auto found = node.value_exact<std::string>();
  if (!found || found->empty()) throw wrong(node, what + " must be a text: \"…\"");
  if (in_one_line(*found) != *found) {
    throw wrong(node, what + " has characters that cannot be printed");
  }
  return *found;
}

Patterns Reading::patterns(const toml::table& table, std::string_view key) const {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return {};
  const toml::array* const list = node->as_array();
  const std::string name = "'" + std::string(key) + "'";
  if (list == nullptr) throw wrong(*node, name + " must be a list of texts: [\"…\", \"!…\"]");
  std::vector<std::string> all;
  for (const toml::node& each : *list) {
    all.push_back(text(each, "each entry of " + name));
    if (all.back() == "!") throw wrong(each, "nothing follows the '!' of an exception in " + name);
  }
  Patterns patterns(std::move(all));
  if (!list->empty() && patterns.texts().front().starts_with('!')) {
    throw wrong(*node, name +
                           " has exceptions alone, to which there is no rule: it allows nothing. "
                           "Add a pattern, such as " +
                           (key == "who" ? "\"tls:*\"" : "\"*\""));
  }
  return patterns;
}

/** Each says how it was proved, so that nobody of one kind is taken for one of another. */
Patterns Reading::who(const toml::table& table, const std::string& role) const {
  const toml::node* const node = table.get("who");
  if (node == nullptr) {
    throw wrong(table, "role '" + role + "' does not say whom it is for: add who = [\"tls:NAME\"]");
  }
  const Patterns found = patterns(table, "who");
  const std::vector<std::string> all = found.texts();
  if (all.empty()) {
    throw wrong(*node, "'who' of role '" + role +
                           "' is empty: name those whom it is for, or delete "
                           "the role");
  }
  for (const std::string& each : all) {
    const std::string_view bare = std::string_view(each).substr(each.front() == '!' ? 1 : 0);
    if (bare.ends_with(':')) {
      throw wrong(*node, "'" + each + "' in 'who' names nobody: write " + std::string(bare) +
                             "NAME, or " + std::string(bare) + "* for all");
    }
    const bool is_user = bare.starts_with("uid:");
    if (is_user && bare.find_first_not_of("0123456789*", 4) != std::string_view::npos) {
      throw wrong(*node, "'" + each + "' in 'who' names nobody: users are named by their number");
    }
    if (each == anyone || bare.find(':') != std::string_view::npos) continue;
    throw wrong(*node, "'" + each +
                           "' in 'who' does not say how it is proved: write tls:NAME, "
                           "secret:FILE, munge:USER, uid:NUMBER, or anyone");
  }
  if (found.is_for_nothing()) {
    throw wrong(*node, "nobody ever has role '" + role + "': its exceptions in 'who' leave nobody");
  }
  return found;
}

double Reading::amount(const toml::node& node, const std::string& what, bool is_whole) const {
  const std::string wanted = what + " must be a number above 0" +
                             (is_whole ? "" : ", or a text like \"10M\"") +
                             "; leave it out where there is no limit";
  double value = 0;
  if (const auto number = node.value_exact<std::int64_t>()) {
    value = static_cast<double>(*number);
  } else if (const auto fraction = node.value_exact<double>(); fraction && !is_whole) {
    value = *fraction;
  } else if (const auto sized = node.value_exact<std::string>(); sized && !is_whole) {
    constexpr std::string_view units = "kMGT";
    const std::size_t digits = sized->find_first_not_of("0123456789");
    if (digits == 0 || sized->empty() || sized->size() > 15) throw wrong(node, wanted);
    value = std::stod(sized->substr(0, digits));
    if (digits != std::string::npos) {
      const std::size_t unit = units.find((*sized)[digits]);
      if (unit == std::string_view::npos || digits + 1 != sized->size()) throw wrong(node, wanted);
      value *= std::pow(1024.0, static_cast<double>(unit + 1));
    }
  } else {
    throw wrong(node, wanted);
  }
  if (!(value > 0)) throw wrong(node, wanted);
  if (!(value <= highest_amount)) throw wrong(node, what + " is more than can be: leave it out");
  return value;
}

Quota Reading::quota(const toml::table& table, const std::string& role) const {
  Quota quota;
  const toml::node* const node = table.get("quota");
  if (node == nullptr) return quota;
  const toml::table* const limits = node->as_table();
  if (limits == nullptr) throw wrong(*node, "'quota' must be a table: [role.quota]");
  constexpr std::array<std::string_view, 6> known{
      "connections", "objects", "calls-in-work", "calls-per-second", "bytes-per-second", "weight"};
  check_keys(*limits, "the quota of role '" + role + "'", known);
  const auto read = [&](std::string_view key, bool is_whole, auto& to) {
    using Number = std::remove_reference_t<decltype(to)>;
    if (const toml::node* const found = limits->get(key)) {
      to = static_cast<Number>(amount(*found, "'" + std::string(key) + "'", is_whole));
    }
  };
  read("connections", true, quota.connections);
  read("objects", true, quota.objects);
  read("calls-in-work", true, quota.calls_in_work);
  read("calls-per-second", false, quota.calls_per_second);
  read("bytes-per-second", false, quota.bytes_per_second);
  if (const toml::node* const weight = limits->get("weight")) {
    const auto number = weight->value_exact<std::int64_t>();
    if (!number || *number < 1 || *number > highest_weight) {
      throw wrong(*weight, "'weight' must be a number from 1 to " + std::to_string(highest_weight) +
                               ": who has the weight 2 gets twice as much as who has 1");
    }
    quota.weight = static_cast<unsigned>(*number);
  }
  return quota;
}

Role Reading::role(const toml::table& table) const {
  constexpr std::array<std::string_view, 7> known{"name", "who",   "create", "attach",
                                                  "call", "refer", "quota"};
  check_keys(table, "a role", known);
  const toml::node* const name = table.get("name");
  if (name == nullptr) throw wrong(table, "a role without a name: add name = \"…\"");
  Role role;
  role.name = text(*name, "'name'");
  role.who = who(table, role.name);
  role.create = patterns(table, "create");
  role.attach = patterns(table, "attach");
  role.call = patterns(table, "call");
  role.refer = patterns(table, "refer");
  role.quota = quota(table, role.name);
  return role;
}

void Reading::check_order(const toml::table& table, const Role& role,
                          const std::vector<std::shared_ptr<const Role>>& before) const {
  for (const auto& each : before) {
    if (each->name == role.name) {
      throw wrong(table, "there are two roles '" + role.name + "': rename one, or make them one");
    }
    if (each->who.has(anyone) && !each->who.has_exceptions()) {
      throw wrong(table, "nobody ever has role '" + role.name + "', as role '" + each->name +
                             "' before it is for anyone: move it before that one");
    }
  }
}

std::vector<std::shared_ptr<const Role>> Reading::roles(const toml::table& document) {
  constexpr std::array<std::string_view, 1> known{"role"};
  check_keys(document, "the policy", known);
  const toml::node* const node = document.get("role");
  if (node == nullptr) {
    throw Error(Failure::protocol, file_ +
                                       ": there is no role, so that nobody could do anything: "
                                       "add [[role]] with name and who");
  }
  const toml::array* const list = node->as_array();
  if (list == nullptr) throw wrong(*node, "'role' must be a list of tables: [[role]]");
  std::vector<std::shared_ptr<const Role>> roles;
  for (const toml::node& each : *list) {
    const toml::table* const table = each.as_table();
    if (table == nullptr) throw wrong(each, "each 'role' must be a table: [[role]]");
    auto made = std::make_shared<const Role>(role(*table));
    check_order(*table, *made, roles);
    roles.push_back(std::move(made));
  }
  if (roles.empty()) throw wrong(*node, "there is no role, so that nobody could do anything");
  return roles;
}

}  // namespace

std::vector<std::shared_ptr<const Role>> roles_of(const std::string& file,
                                                  const toml::table& document) {
  return Reading(file).roles(document);
}

}  // namespace shinar::wire
