#include "codegen/hooks.hpp"

#include <algorithm>
#include <string>

#include "codegen/raw_arrays.hpp"

namespace shinar::codegen {
namespace {

ir::Method hook(const ir::Method& method, const std::string& suffix, const std::string& doc) {
  ir::Method result;
  result.set_name(method.name() + suffix);
  result.set_long_name(method.long_name() + suffix);
  result.set_is_static(method.is_static());
  result.mutable_result()->set_kind(ir::TypeRef::VOID);
  result.set_doc(doc);
  return result;
}

void add(ir::Method& hook, const ir::Argument& argument) {
  ir::Argument& added = *hook.add_arguments();
  added = argument;
  added.set_mode(ir::Argument::IN);
}

ir::Method before(const ir::Method& method) {
  ir::Method result =
      hook(method, "_pre", "Runs before " + method.long_name() + ", while hooks are switched on.");
  std::vector<int> numbers;
  for (const ir::Argument& argument : method.arguments()) {
    const bool is_out = argument.mode() == ir::Argument::OUT;
    numbers.push_back(is_out ? -1 : result.arguments_size());
    if (!is_out) add(result, argument);
  }
  renumber_extents(result, numbers);
  return result;
}

ir::Method after(const ir::Method& method) {
  ir::Method result = hook(method, "_post",
                           "Runs after " + method.long_name() +
                               ", unless that has thrown, while hooks are switched on.");
  for (const ir::Argument& argument : method.arguments()) add(result, argument);
  if (method.result().kind() == ir::TypeRef::VOID) return result;
  ir::Argument& value = *result.add_arguments();
  value.set_name(kHookResult);
  value.set_mode(ir::Argument::IN);
  *value.mutable_type() = method.result();
  return result;
}

const ir::Method* find_method(const ir::Object& object, const std::string& long_name) {
  const auto found = std::ranges::find_if(
      object.methods(), [&](const ir::Method& each) { return each.long_name() == long_name; });
  return found == object.methods().end() ? nullptr : &*found;
}

}  // namespace

Hooks hooks_of(const ir::Method& method) {
  return {before(method), after(method)};
}

std::vector<Problem> find_hook_clashes(const Request& request) {
  std::vector<Problem> problems;
  if (!request.hooks) return problems;
  for (const ir::Type& type : request.module.types()) {
    if (type.external() || !request.implements(type)) continue;
    for (const ir::Method& method : type.object().methods()) {
      for (const char* suffix : {"_pre", "_post"}) {
        const ir::Method* const other = find_method(type.object(), method.long_name() + suffix);
        if (other == nullptr) continue;
        problems.push_back({Code::HookName, other->span(),
                            "'" + other->long_name() + "' is the name of a hook of '" +
                                method.long_name() + "', which --generate-hooks would make"});
      }
    }
  }
  return problems;
}

}  // namespace shinar::codegen
