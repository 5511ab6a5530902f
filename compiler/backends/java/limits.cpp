// What the Java virtual machine limits: a method has 255 words of arguments.
#include <algorithm>
#include <set>

#include "backends/java/lower.hpp"
#include "backends/java/values.hpp"

namespace shinar::backends::java {
namespace {

constexpr int kMost = 255;

int words_of(const std::string& java_type) {
  return java_type == "long" || java_type == "double" ? 2 : 1;
}

int words_of(const MethodModel& method, Spelling& spelling) {
  int words = method.is_static ? 0 : 1;
  for (const ArgumentModel& each : method.arguments) {
    words += each.is_holder ? 1 : words_of(spelling.type(each.type));
  }
  return words;
}

// The most that one of those needs that Java has for the method.
int most_words_of(const MethodModel& method, Spelling& spelling) {
  int most = words_of(method, spelling);
  // The frame, and two that calls of lambdas cost.
  if (method.is_nonblocking) most = words_of(method, spelling) + (method.is_static ? 3 : 2);
  for (const MethodModel& hook : method.hooks) {
    most = std::max(most, words_of(hook, spelling));
  }
  if (!method.is_quick) return most;
  int native = method.is_static ? 0 : 3;  // the object, and its address
  for (const ArgumentModel& each : method.arguments) {
    native += words_of(Spelling::native(each.type));
  }
  return std::max(most, native);
}

std::string need(int words) {
  return std::to_string(words) + " words of arguments in Java, which has " + std::to_string(kMost) +
         " for a method, the object included (a long, double or opaque takes two): ";
}

}  // namespace

void find_long_lists(const codegen::TypeIndex& index, const ir::Type& type, bool has_hooks,
                     std::vector<codegen::Problem>& problems) {
  Spelling spelling(index, type.package());
  if (type.has_structure()) {
    int words = 1;
    for (const ir::Member& each : type.structure().members()) {
      words += words_of(spelling.type(each.type()));
    }
    if (words <= kMost) return;
    problems.push_back({Code::JavaSize, type.span(),
                        "the constructor of '" + type.name() + "' would need " + need(words) +
                            "put some members into a struct within it"});
    return;
  }
  if (!type.has_object()) return;
  const ObjectModel model = lower_object(index, type, has_hooks);
  std::set<std::string> reported;
  for (const std::vector<MethodModel>* methods : {&model.declared, &model.stubs, &model.impl}) {
    for (const MethodModel& each : *methods) {
      const int words = most_words_of(each, spelling);
      if (words <= kMost || !reported.insert(each.slot).second) continue;
      problems.push_back({Code::JavaSize, each.method->span(),
                          "'" + type.name() + "." + each.slot + "' would need " + need(words) +
                              "put some arguments into a struct"});
    }
  }
}

}  // namespace shinar::backends::java
