// In: type references and expressions of the IR.
// Out: their SIDL notation.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::ir {

// How to spell a user-defined type, given its absolute name.
using NameOf = std::function<std::string(const std::string&)>;

// "double"; "void" for what is no basic type
std::string_view basic_text(TypeRef::Kind kind);

// "demo.Norm", "array<double,2>", "array<int,1,row-major>", "rarray<int,2>", "void"
std::string type_text(const TypeRef& type, const NameOf& name_of);
std::string type_text(const TypeRef& type);  // with absolute names

// "a > 0 and size(b) == a", with only the necessary parentheses. `variables` are the arguments of
// the method, or the members of the struct, to which variable numbers refer.
std::string expression_text(const Expression& expression,
                            const std::vector<std::string_view>& variables);

// The declaration of an argument or a member: "double x", "rarray<double,2> a(n, 2 * m)".
std::string declared_text(const TypeRef& type, const std::string& name, const NameOf& name_of,
                          const std::vector<std::string_view>& variables);

// How tight an operator of contracts binds; 0: there is no such operator.
int precedence(std::string_view op);

// "\"value\"": a string literal for any text.
std::string string_literal(std::string_view text);

// A doc comment's text that ends no comment and holds no control characters.
std::string comment_text(std::string_view text);

// "in", "out", "inout"
std::string_view mode_text(Argument::Mode mode);

}  // namespace shinar::ir
