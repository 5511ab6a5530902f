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
constexpr std::string_view kList = "a list of values is array<type,1>";
constexpr std::string_view kProperty = "write one method that gets the value and one that sets it";
constexpr std::string_view kMethod = "a method is written like 'double f(in int n);'";
constexpr std::string_view kParents =
    "write 'extends' before a parent class, 'implements' before interfaces";
constexpr std::string_view kInside = "how a method works is up to its implementation";
constexpr std::string_view kMember =
    "a member of a struct is always there; write its type and name";

constexpr auto kWords = std::to_array<Word>({
    // C, C++
    {"auto", "write the type"},
    {"const", "'in' arguments are never changed, and constants can be an enum"},
    {"explicit", kInside},
    {"extern", kInside},
    {"friend", kPublic},
    {"inline", kInside},
    {"namespace", "write 'package name version 1.0 { … }'"},
    {"operator", "operators have no methods; give the method a name"},
    {"private", kPublic},
    {"protected", kPublic},
    {"public", kPublic},
    {"signed", "int (32 bits) and long (64) are signed"},
    {"std", "types of other languages are unknown; write string, array<type,1> and so on"},
    {"template", "there are no templates; array<type,dimension> is the only type with parameters"},
    {"typedef", "a type has one name; write it where it is needed"},
    {"union", "use a struct that holds all of the members"},
    {"unsigned", kInteger},
    {"using", "names of another package are made known by 'import name;'"},
    {"vector", kList},
    {"virtual", "all methods are virtual; one that is not implemented is 'abstract'"},
    // CORBA's IDL
    {"attribute", kProperty},
    {"exception", "an exception is a class that extends sidl.SIDLException"},
    {"module", "write 'package name version 1.0 { … }'"},
    {"raises", "exceptions are named after 'throws', without parentheses"},
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
    {"syntax", "nothing needs to stand before the first package"},
    // Python, Java, C#
    {"def", kMethod},
    {"func", kMethod},
    {"function", kMethod},
    {"list", kList},
    {"map", "there are no maps; use two arrays, or an interface with methods"},
    {"override", "a method overrides the inherited one of the same name without a word"},
    {"property", kProperty},
    {"record", "use a struct"},
    {"ref", "write 'inout', or 'out' if the value goes one way only"},
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
};

constexpr std::string_view kPointer =
    "there are no pointers and references; use array<type,1> for many values, 'out' or 'inout' for "
    "a value that changes";
constexpr std::string_view kClassParent =
    "parents are named after 'extends' (a class) and 'implements' (interfaces)";
constexpr std::string_view kInterfaceParent = "parents are named after 'extends'";
constexpr std::string_view kNoTemplates =
    "there are no templates; array<type,dimension> is the only type with parameters";
constexpr std::string_view kNotInside =
    "a type cannot stand inside of another; is a '}' missing before it?";
constexpr std::string_view kBrackets =
    "brackets hold the extension of an overload; an array is array<type,1>, or raw: "
    "rarray<type,1> name(n)";
constexpr std::string_view kData =
    "classes and interfaces have methods only; what is stored is up to the implementation";
constexpr std::string_view kOneMember = "write each member with its own type and ';'";
constexpr std::string_view kDefault =
    "there are no default or initial values; arguments are left out by an overload, as in 'void "
    "f[Short]();'";
constexpr std::string_view kValue = "the value of an enumerator is one whole number";
constexpr std::string_view kResult =
    "a method begins with the type of its result, or 'void'; constructors are up to the "
    "implementation";
constexpr std::string_view kBody =
    "a method is declared here and implemented elsewhere; end it with ';'";
constexpr std::string_view kMode = "an argument begins with 'in', 'out' or 'inout'";
constexpr std::string_view kPackageBody =
    "a package holds its types in braces: 'package p version 1.0 { … }'";
constexpr std::string_view kVersion = "a version is written like 'version 1.0', without quotes";

constexpr auto kPlaces = std::to_array<Place>({
    {P::RuleArgument, 0, P::STAR, kPointer},
    {P::RuleArgument, 0, P::AMP, kPointer},
    {P::RuleMethod, 0, P::STAR, kPointer},
    {P::RuleMethod, 0, P::AMP, kPointer},
    {P::RuleStructMember, 0, P::STAR, kPointer},
    {P::RuleArgument, P::IN, P::OUT, "one word, 'inout', says that a value goes both ways"},
    {P::RuleArgument, 0, P::COLON, "the type comes before the name: 'in int x'"},
    {P::RuleArgument, P::ID, P::LT, kNoTemplates},
    {P::RuleMethod, P::RPAREN, P::LBRACE, kBody},
    {P::RuleMethod, P::RPAREN, P::ASSIGN, "a method without implementation is declared 'abstract'"},
    {P::RuleMethod, P::RPAREN, P::MINUS, kResult},
    {P::RuleMethod, P::ID, P::SEMI, kData},
    {P::RuleMethod, P::LPAREN, P::VOID, "no arguments are written as '()'"},
    {P::RuleMethod, 0, P::EXTENSION, kBrackets},
    {P::RuleMethod, 0, P::DOT, kMode},
    {P::RuleMethod, P::ID, P::ASSIGN, kDefault},
    {P::RuleMethod, P::ID, P::LBRACE, kData},
    {P::RuleMethod, P::ID, P::LPAREN, kResult},
    {P::RuleMethod, 0, P::TILDE, kResult},
    {P::RuleMethod, P::THROWS, P::LPAREN, "exceptions are named without parentheses"},
    {P::RuleMethod, P::LONG, P::LONG, "long has 64 bits; write it once"},
    {P::RuleMethod, P::LONG, P::INT, "long has 64 bits; write 'long' alone"},
    {P::RuleMethod, P::LPAREN, 0, kMode},
    {P::RuleArgument, P::COMMA, P::RPAREN, "a ',' stands between two arguments only"},
    {P::RuleArgument, P::COMMA, 0, kMode},
    {P::RuleEnumerator, 0, P::STRING, kValue},
    {P::RuleEnumerator, 0, P::FLOAT, kValue},
    {P::RuleEnumType, 0, P::LT, kValue},
    {P::RuleEnumType, 0, P::PLUS, kValue},
    {P::RuleEnumType, 0, P::BAR, kValue},
    {P::RuleStructMember, P::LONG, P::LONG, "long has 64 bits; write it once"},
    {P::RuleStructMember, 0, P::COMMA, kOneMember},
    {P::RuleStructMember, 0, P::EXTENSION, kBrackets},
    {P::RuleStructMember, 0, P::ASSIGN, "members have no initial values"},
    {P::RuleStructType, 0, P::VOID, "a struct has members only; methods belong to classes"},
    {P::RuleClassType, 0, P::COLON, kClassParent},
    {P::RuleClassType, 0, P::LPAREN, kClassParent},
    {P::RuleClassType, 0, P::LT, kNoTemplates},
    {P::RuleClassType, 0, P::TILDE, kResult},
    {P::RuleClassType, 0, P::CLASS, kNotInside},
    {P::RuleClassType, 0, P::INTERFACE, kNotInside},
    {P::RuleClassType, 0, P::ENUM, kNotInside},
    {P::RuleClassType, 0, P::STRUCT, kNotInside},
    {P::RuleClassType, 0, P::RARRAY,
     "raw arrays are arguments and members; a result is array<type,1>"},
    {P::RuleInterfaceType, 0, P::COLON, kInterfaceParent},
    {P::RuleInterfaceType, 0, P::LPAREN, kInterfaceParent},
    {P::RuleInterfaceType, 0, P::LT, kNoTemplates},
    {P::RuleInterfaceType, 0, P::CLASS, kNotInside},
    {P::RuleInterfaceType, 0, P::INTERFACE, kNotInside},
    {P::RuleInterfaceType, 0, P::ENUM, kNotInside},
    {P::RuleInterfaceType, 0, P::STRUCT, kNotInside},
    {P::RuleEnumType, 0, P::SEMI, "enumerators are separated by ','"},
    {P::RuleEnumType, 0, P::CLASS, "write 'enum' alone"},
    {P::RuleArrayType, 0, P::EXTENSION, "the type of the elements is written array<type>"},
    {P::RuleArrayType, 0, P::LPAREN, "the type of the elements is written array<type>"},
    {P::RuleArrayType, P::LT, P::INTEGER, "the type comes before the dimension: array<double,2>"},
    {P::RuleArrayType, P::ARRAY, P::ID, "an array of any type is written array<>"},
    {P::RuleRarray, P::ID, P::RPAREN, "a raw array names its extents: rarray<double,2> a(n,m)"},
    {P::RuleRarray, P::ID, P::COMMA, "a raw array names its extents: rarray<double,2> a(n,m)"},
    {P::RuleImportStatement, P::IMPORT, P::STRING,
     "a package is imported by its name; files are given to sidlc: sidlc -I other.sidl"},
    {P::RuleImportStatement, P::DOT, P::STAR, "a package is imported as a whole: 'import a;'"},
    {P::RulePackageType, 0, P::SEMI, kPackageBody},
    {P::RulePackageType, 0, P::STRING, kVersion},
    {P::RulePackageType, P::VERSION, P::ASSIGN, kVersion},
    {P::RulePackageType, P::VERSION, P::ID, kVersion},
    {P::RulePackageType, P::ID, P::FLOAT, "write 'version' before the number"},
    {P::RulePackageType, P::FLOAT, P::MINUS, "a version has numbers and dots only"},
    {P::RuleFile, 0, P::FROM, "a package is imported as a whole: 'import a;'"},
    {P::RuleFile, 0, P::MINUS, "a comment begins with //"},
});

}  // namespace

std::string_view foreign_word(std::string_view word) {
  const auto* found = std::ranges::find(kWords, word, &Word::word);
  return found == kWords.end() ? std::string_view{} : found->hint;
}

std::string_view syntax_hint(antlr4::ParserRuleContext* context, size_t before, size_t found) {
  for (auto* rule = context; rule != nullptr;
       rule = dynamic_cast<antlr4::ParserRuleContext*>(rule->parent)) {
    const size_t index = rule->getRuleIndex();
    for (const Place& place : kPlaces) {
      const bool is_found = place.found == 0 ? rule == context : place.found == found;
      const bool fits = is_found && (place.before == 0 || place.before == before);
      if (place.rule == index && fits) return place.hint;
    }
    if (index == P::RuleUserType) break;  // rules around the type do not count
  }
  return {};
}

}  // namespace shinar
