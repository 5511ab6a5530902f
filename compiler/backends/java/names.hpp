// In: SIDL names.
// Out: what they are called in Java.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "codegen/type_index.hpp"

namespace shinar::backends::java {

// Packages of the runtime: what users see, and what generated code needs.
inline constexpr std::string_view kSidl = "sidl";
inline constexpr std::string_view kBinding = "sidl.binding";

// "var" > "var_": words of Java.
std::string java_name(std::string_view name);

// "demo.record" > "demo.record_".
std::string java_package(std::string_view package);

// "demo.Solver" > "demo/Solver", of files and in the JVM.
std::string java_path(const ir::Type& type);

// "demo.Solver", absolute.
std::string java_type(const ir::Type& type);

// The words that variables beside values of these types must not be called: those in front of the
// dot where generated code spells the types, as seen from `self`.
using Hidden = std::set<std::string>;
Hidden hidden_by_variables(const codegen::TypeIndex& index, const ir::Type& self,
                           const codegen::TypeMentions& mentioned);

// The name of an argument or of a struct's member.
std::string variable_name(std::string_view name, const Hidden& hidden);

// The name of a method. One with an extension is an overload (draw[At] is draw) if its arguments
// alone tell it from the others: where Java has fewer types than SIDL it is called by its long
// name.
std::string method_name(const ir::Method& method);

}  // namespace shinar::backends::java
