// Javadoc comments, and the heads of methods.
#include "backends/java/emit.hpp"
#include "backends/java/names.hpp"
#include "codegen/banner.hpp"
#include "codegen/c_types.hpp"
#include "codegen/doc_comment.hpp"

namespace shinar::backends::java {
namespace {

using codegen::Printer;

std::string without_ends(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

// A paragraph of SIDL's ends at an empty line; HTML has to be told.
std::string with_paragraphs(const std::string& text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t next = text.find_first_not_of(" \t\n", at);
    const bool ends = text[at] == '\n' && next != std::string::npos &&
                      text.substr(at, next - at).find('\n', 1) != std::string::npos;
    if (!ends) {
      result += text[at];
      continue;
    }
    result += "\n\n<p>";
    at = next - 1;
  }
  return result;
}

std::string mode_text(const ArgumentModel& argument) {
  switch (argument.mode) {
    case ir::Argument::OUT:
      return "out ";
    case ir::Argument::INOUT:
      return "inout ";
    default:
      return "in ";
  }
}

std::string code(const std::string& text) {
  return "{@code " + text + "}";
}

}  // namespace

std::string doc_of(const ir::Type& type) {
  return type.doc().empty() ? "`" + codegen::symbol_line(type) + "`" : type.doc();
}

std::string javadoc_text(std::string_view text) {
  std::string result;
  bool in_code = false;
  for (const char c : codegen::comment_text(text)) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '@':
        result += "&#64;";
        break;
      case '{':
        result += "&#123;";
        break;
      case '}':
        result += "&#125;";
        break;
      case '\\':  // it might begin a Unicode escape
        result += "&#92;";
        break;
      case '`':
        result += in_code ? "</code>" : "<code>";
        in_code = !in_code;
        break;
      default:
        result += c;
    }
  }
  if (in_code) result += "</code>";
  return result;
}

void emit_javadoc(Printer& printer, std::string_view doc, const std::vector<std::string>& tags) {
  std::string text = with_paragraphs(javadoc_text(without_ends(doc)));
  if (text.empty() && tags.empty()) return;
  if (tags.empty() && text.find('\n') == std::string::npos && text.size() <= 80) {
    printer.line("/** " + text + " */");
    return;
  }
  if (!text.empty() && !tags.empty()) text += "\n\n";
  text += codegen::join(tags, "\n");
  printer.line("/**");
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string content = without_ends(text.substr(at, end - at));
    printer.line(content.empty() ? " *" : " * " + content);
    at = end + 1;
  }
  printer.line(" */");
}

std::vector<std::string> tags_of(const MethodModel& method, Spelling& spelling) {
  std::vector<std::string> tags;
  for (const ArgumentModel& argument : method.arguments) {
    tags.push_back("@param " + argument.name + " " +
                   code(mode_text(argument) + codegen::sidl_type(argument.type)));
  }
  if (method.returns()) tags.push_back("@return " + code(codegen::sidl_type(method.result)));
  for (const std::string& each : method.throws) {
    tags.push_back("@throws " + spelling.named(each) + " as declared");
  }
  return tags;
}

void emit_javadoc(Printer& printer, const MethodModel& method, Spelling& spelling) {
  const std::string& doc = method.method->doc();
  emit_javadoc(printer, doc.empty() ? "`" + method.comment + "`" : doc, tags_of(method, spelling));
}

std::string parameters_of(const MethodModel& method, Spelling& spelling, bool with_indices) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < method.arguments.size(); ++i) {
    const bool is_index =
        std::ranges::find(method.indices, i, &IndexModel::argument) != method.indices.end();
    if (is_index && !with_indices) continue;
    const ArgumentModel& argument = method.arguments[i];
    const std::string type =
        argument.is_holder ? spelling.sidl("Holder") + "<" + spelling.boxed(argument.type) + ">"
                           : spelling.type(argument.type);
    all.push_back(type + " " + argument.name);
  }
  return codegen::join(all);
}

std::string throws_of(const MethodModel& method, Spelling& spelling) {
  std::vector<std::string> all;
  for (const std::string& each : method.throws) all.push_back(spelling.thrown(each));
  std::erase(all, "");
  return all.empty() ? "" : " throws " + codegen::join(all);
}

}  // namespace shinar::backends::java
