#include "frontend/syntax_hints.hpp"

#include <algorithm>
#include <array>

namespace shinar {
namespace {

using P = grammar::SidlParser;

struct Word {
  std::string_view word;
  std::string_view hint;
};

constexpr std::string_view kInteger =
    "there are no unsigned integers; use int (32 bits) or long (64)";
constexpr std::string_view kPublic = "everything in a class or interface is public";
constexpr std::string_view kList = "write a list of values as array<type,1>";
constexpr std::string_view kProperty = "write a method to get the value and a method to set it";
constexpr std::string_view kMethod = "a method is written like 'double f(in int n);'";
constexpr std::string_view kParents =
    "write 'extends' before a parent class, 'implements' before interfaces";
constexpr std::string_view kInside = "this is decided by the implementation of the method";
constexpr std::string_view kMember =
    "struct members are always present; write only the type and name";

constexpr auto kWords = std::to_array<Word>({
    // C, C++
    {"auto", "write the type"},
    {"const", "'in' arguments are never changed; for constants, use an enum"},
    {"explicit", kInside},
    {"extern", kInside},
    {"friend", kPublic},
    {"inline", kInside},
    {"namespace", "write 'package name version 1.0 { … }'"},
    {"operator", "operators cannot be defined; use a named method"},
    {"private", kPublic},
    {"protected", kPublic},
    {"public", kPublic},
    {"signed", "int (32 bits) and long (64) are signed"},
    {"std", "SIDL has its own types; write string, array<type,1> and so on"},
    {"template", "there are no templates; array<type,dimension> is the only type with parameters"},
    {"typedef", "there are no type aliases; write the type itself"},
    {"union", "use a struct with all the members"},
    {"unsigned", kInteger},
    {"using", "write 'import name;' to use the names of another package"},
    {"vector", kList},
    {"virtual", "all methods are virtual; declare a method without implementation 'abstract'"},
    // CORBA's IDL
    {"attribute", kProperty},
    {"exception", "an exception is a class that extends sidl.SIDLException"},
    {"module", "write 'package name version 1.0 { … }'"},
    {"raises", "list exceptions after 'throws', without parentheses"},
    {"readonly", kProperty},
    {"sequence", kList},
    {"valuetype", "use a struct"},
    // protobuf, Thrift
    {"message", "use a struct"},
    {"optional", kMember},
    {"repeated", kList},
    {"required", kMember},
    {"returns", kMethod},
    {"rpc", kMethod},
    {"service", "use an interface"},
    {"syntax", "nothing is needed before the first package"},
    // Python, Java, C#
    {"def", kMethod},
    {"func", kMethod},
    {"function", kMethod},
    {"list", kList},
    {"map", "there are no maps; use two arrays, or an interface with methods"},
    {"override", "a method overrides the inherited method of the same name without a keyword"},
    {"property", kProperty},
    {"record", "use a struct"},
    {"ref", "write 'inout', or 'out' if the value is only returned"},
    {"synchronized", kInside},
    // Guesses
    {"derives", kParents},
    {"inherits", kParents},
    {"subclass", kParents},
});

struct Place {
  size_t rule;    // the context of the error, or an enclosing one
  size_t before;  // the type of the token before; 0: any
  size_t found;   // 0: any, but only if the rule is the context itself
  std::string_view hint;
  size_t after = 0;     // the type of the token behind; 0: any
  bool is_own = false;  // only if the rule is the context itself
};

constexpr bool kOwn = true;

constexpr std::string_view kPointer =
    "there are no pointers or references; use array<type,1> for many values, 'out' or 'inout' for "
    "a value that the method changes";
constexpr std::string_view kLogical = "conditions are joined with the words 'and', 'or' and 'xor'";
constexpr std::string_view kClassParent =
    "list the parents after 'extends' (a class) and 'implements' (interfaces)";
constexpr std::string_view kInterfaceParent = "list the parents after 'extends'";
constexpr std::string_view kNoTemplates =
    "there are no templates; array<type,dimension> is the only type with parameters";
constexpr std::string_view kNotInside = "types cannot be nested; is a '}' missing before this one?";
constexpr std::string_view kBrackets =
    "brackets are for the extension of an overload; write an array as array<type,1>, or a raw "
    "array as rarray<type,1> name(n)";
constexpr std::string_view kRawElement =
    "the elements of a raw array are char or numbers; for others write array<type,1>";
constexpr std::string_view kData =
    "classes and interfaces have methods only; data belongs to the implementation";
constexpr std::string_view kOneMember = "write each member with its own type and ';'";
constexpr std::string_view kDefault =
    "there are no default or initial values; to make an argument optional, add an overload such as "
    "'void f[Short]();'";
constexpr std::string_view kValue = "the value of an enumerator must be a single integer";
constexpr std::string_view kResult =
    "a method begins with its result type, or 'void'; constructors belong to the "
    "implementation";
constexpr std::string_view kBody =
    "methods are only declared in SIDL; end the declaration with ';'";
constexpr std::string_view kOneResult =
    "a method has one result; return further values as 'out' arguments";
constexpr std::string_view kNoParents =
    "structs do not inherit; declare a member of the other struct's type";
constexpr std::string_view kArgumentName = "each argument has a name: 'in int count'";
constexpr std::string_view kMode = "an argument begins with 'in', 'out' or 'inout'";
constexpr std::string_view kNoDot =
    "clauses cannot name enumerators, nor members or methods of other values; compare an enum with "
    "the enumerator's number";
constexpr std::string_view kPackageBody =
    "write the types of a package in braces: 'package p version 1.0 { … }'";
constexpr std::string_view kVersion = "a version consists of numbers and dots, like 'version 1.0'";
constexpr std::string_view kName = "a name consists of letters, digits and '_'";
constexpr std::string_view kTypeName =
    "the name of a type or package consists of letters and digits only";
constexpr std::string_view kCommas = "separate arguments with ','";

constexpr auto kPlaces = std::to_array<Place>({
    {P::RuleAssertion, 0, P::ASSIGN, "write '>='", P::GT},
    {P::RuleAssertion, 0, P::ASSIGN, "write '<='", P::LT},
    {P::RuleAssertion, 0, P::ASSIGN, "values are compared with '=='"},
    {P::RuleAssertion, 0, P::COLON, "an assertion has at most one name, before its condition"},
    {P::RuleAssertion, P::ID, P::DOT, kNoDot},
    {P::RuleBitExpression, P::AMP, P::AMP, kLogical},
    {P::RuleBitExpression, P::BAR, P::BAR, kLogical},
    {P::RuleArgument, 0, P::STAR, kPointer},
    {P::RuleArgument, 0, P::AMP, kPointer},
    {P::RuleMethod, 0, P::STAR, kPointer},
    {P::RuleMethod, 0, P::AMP, kPointer},
    {P::RuleStructMember, 0, P::STAR, kPointer},
    {P::RuleArgument, P::IN, P::OUT, "write 'inout' as one word"},
    {P::RuleArgument, 0, P::COLON, "the type comes before the name: 'in int x'"},
    {P::RuleArgument, P::ID, P::LT, kNoTemplates},
    {P::RuleMethod, P::RPAREN, P::LBRACE, kBody},
    {P::RuleMethod, P::RPAREN, P::ASSIGN, "declare a method without implementation 'abstract'"},
    {P::RuleMethod, P::RPAREN, P::MINUS, kResult},
    {P::RuleMethod, P::ID, P::SEMI, kCommas, P::IN},
    {P::RuleMethod, P::ID, P::SEMI, kCommas, P::OUT},
    {P::RuleMethod, P::ID, P::SEMI, kCommas, P::INOUT},
    {P::RuleMethod, P::ID, P::SEMI, kData},
    {P::RuleMethod, P::ID, P::MINUS, kName},
    {P::RuleMethod, P::STATIC, P::CLASS, kNotInside},
    {P::RuleMethod, P::FINAL, P::CLASS, kNotInside},
    {P::RuleMethod, P::ABSTRACT, P::CLASS, kNotInside},
    {P::RuleMethod, P::LPAREN, P::VOID, "write an empty argument list as '()'"},
    {P::RuleMethod, 0, P::EXTENSION, kBrackets},
    {P::RuleMethod, 0, P::DOT, kMode},
    {P::RuleMethod, 0, P::COMMA, kOneResult},
    {P::RuleMethod, P::ID, P::ASSIGN, kDefault},
    {P::RuleMethod, P::ID, P::LBRACE, kData},
    {P::RuleMethod, P::ID, P::LPAREN, kResult},
    {P::RuleMethod, 0, P::TILDE, kResult},
    {P::RuleMethod, P::THROWS, P::LPAREN, "write exceptions without parentheses"},
    {P::RuleMethod, P::LONG, P::LONG, "long has 64 bits; write it once"},
    {P::RuleMethod, P::LONG, P::INT, "long has 64 bits; write just 'long'"},
    {P::RuleMethod, P::LPAREN, 0, kMode},
    {P::RuleArgument, P::COMMA, P::RPAREN, "a ',' is only allowed between two arguments"},
    {P::RuleArgument, P::COMMA, 0, kMode},
    {P::RuleArgument, 0, P::COMMA, kArgumentName},
    {P::RuleArgument, 0, P::RPAREN, kArgumentName},
    {P::RuleEnumerator, 0, P::STRING, kValue},
    {P::RuleEnumerator, 0, P::FLOAT, kValue},
    {P::RuleEnumType, 0, P::LT, kValue},
    {P::RuleEnumType, 0, P::PLUS, kValue},
    {P::RuleEnumType, 0, P::BAR, kValue},
    {P::RuleStructMember, P::LONG, P::LONG, "long has 64 bits; write it once"},
    {P::RuleStructMember, P::ID, P::MINUS, kName},
    {P::RuleStructMember, 0, P::COMMA, kOneMember},
    {P::RuleStructMember, 0, P::EXTENSION, kBrackets},
    {P::RuleStructMember, 0, P::ASSIGN, "members cannot have initial values"},
    {P::RuleStructType, P::ID, P::EXTENDS, kNoParents},
    {P::RuleStructType, P::ID, P::COLON, kNoParents, 0, kOwn},
    {P::RuleStructType, P::ID, P::MINUS, kTypeName, 0, kOwn},
    {P::RuleStructType, 0, P::VOID, "a struct has members only; methods belong to classes"},
    {P::RuleClassType, P::ID, P::COLON, kClassParent, 0, kOwn},
    {P::RuleClassType, P::ID, P::MINUS, kTypeName, 0, kOwn},
    {P::RuleClassType, 0, P::EXTENDS, "write 'extends' once, before 'implements'", 0, kOwn},
    {P::RuleClassType, P::ID, P::LPAREN, kClassParent},
    {P::RuleClassType, 0, P::LPAREN, kOneResult},
    {P::RuleClassType, 0, P::LT, kNoTemplates},
    {P::RuleClassType, 0, P::TILDE, kResult},
    {P::RuleClassType, 0, P::CLASS, kNotInside, 0, kOwn},
    {P::RuleClassType, 0, P::INTERFACE, kNotInside, 0, kOwn},
    {P::RuleClassType, 0, P::ENUM, kNotInside, 0, kOwn},
    {P::RuleClassType, 0, P::STRUCT, kNotInside, 0, kOwn},
    {P::RuleClassType, 0, P::RARRAY,
     "raw arrays can only be arguments and members; return array<type,1> instead"},
    {P::RuleInterfaceType, P::ID, P::COLON, kInterfaceParent, 0, kOwn},
    {P::RuleInterfaceType, P::ID, P::MINUS, kTypeName, 0, kOwn},
    {P::RuleInterfaceType, 0, P::LPAREN, kInterfaceParent},
    {P::RuleInterfaceType, 0, P::LT, kNoTemplates},
    {P::RuleInterfaceType, 0, P::CLASS, kNotInside, 0, kOwn},
    {P::RuleInterfaceType, 0, P::INTERFACE, kNotInside, 0, kOwn},
    {P::RuleInterfaceType, 0, P::ENUM, kNotInside, 0, kOwn},
    {P::RuleInterfaceType, 0, P::STRUCT, kNotInside, 0, kOwn},
    {P::RuleEnumType, P::ID, P::MINUS, "a name consists of letters and digits"},
    {P::RuleEnumType, 0, P::SEMI, "separate enumerators with ','"},
    {P::RuleEnumType, 0, P::CLASS, "write just 'enum'"},
    {P::RuleArrayType, 0, P::EXTENSION, "write the element type as array<type>"},
    {P::RuleArrayType, 0, P::LPAREN, "write the element type as array<type>"},
    {P::RuleArrayType, P::LT, P::INTEGER, "the type comes before the dimension: array<double,2>"},
    {P::RuleArrayType, P::ARRAY, P::ID, "write an array of any type as array<>"},
    {P::RuleRarray, P::LT, P::ID, kRawElement},
    {P::RuleRarray, P::ID, P::RPAREN, "a raw array must name its extents: rarray<double,2> a(n,m)"},
    {P::RuleRarray, P::ID, P::COMMA, "a raw array must name its extents: rarray<double,2> a(n,m)"},
    {P::RuleImportStatement, P::IMPORT, P::STRING,
     "import packages by name; pass files to sidlc with -I other.sidl"},
    {P::RuleImportStatement, P::DOT, P::STAR,
     "a package can only be imported as a whole: 'import a;'"},
    {P::RulePackageType, 0, P::SEMI, kPackageBody},
    {P::RulePackageType, P::ID, P::MINUS, kTypeName, 0, kOwn},
    {P::RulePackageType, 0, P::STRING, "write a version like 'version 1.0', without quotes"},
    {P::RulePackageType, P::VERSION, P::ASSIGN, "write a version like 'version 1.0', without '='"},
    {P::RulePackageType, P::VERSION, P::ID, kVersion},
    {P::RulePackageType, P::ID, P::FLOAT, "write 'version' before the number"},
    {P::RulePackageType, P::FLOAT, P::MINUS, kVersion},
    {P::RuleFile, 0, P::FROM, "a package can only be imported as a whole: 'import a;'"},
    {P::RuleFile, 0, P::MINUS, "a comment begins with //"},
});

}  // namespace

std::string_view foreign_word(std::string_view word) {
  const auto* found = std::ranges::find(kWords, word, &Word::word);
  return found == kWords.end() ? std::string_view{} : found->hint;
}

std::string_view syntax_hint(antlr4::ParserRuleContext* context, const Surroundings& at) {
  for (auto* rule = context; rule != nullptr;
       rule = dynamic_cast<antlr4::ParserRuleContext*>(rule->parent)) {
    const size_t index = rule->getRuleIndex();
    const auto* method = dynamic_cast<P::MethodContext*>(rule);
    const bool has_arguments = method != nullptr && !method->arguments.empty();
    for (const Place& place : kPlaces) {
      const bool is_own = place.found == 0 || place.is_own;
      const bool fits = (place.found == 0 || place.found == at.found) &&
                        (place.before == 0 || place.before == at.before) &&
                        (place.after == 0 || place.after == at.after);
      const bool is_data = place.hint == kData;
      if (place.rule != index || !fits || (is_own && rule != context)) continue;
      if (!is_data || !has_arguments) return place.hint;
    }
    if (index == P::RuleUserType) break;  // rules around the type do not count
  }
  return {};
}

}  // namespace shinar
