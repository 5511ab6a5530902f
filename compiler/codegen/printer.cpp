#include "codegen/printer.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace shinar::codegen {
namespace {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(' ') == std::string_view::npos;
}

// The template without its first newline, its last line's indentation and the common indentation.
std::vector<std::string_view> template_lines(std::string_view text) {
  if (text.starts_with('\n')) text.remove_prefix(1);
  std::vector<std::string_view> lines = split_lines(text);
  if (!lines.empty() && is_blank(lines.back()) && !text.ends_with('\n')) lines.pop_back();
  std::size_t common = std::string_view::npos;
  for (const std::string_view line : lines) {
    if (!is_blank(line)) common = std::min(common, line.find_first_not_of(' '));
  }
  for (std::string_view& line : lines) {
    line = is_blank(line) ? std::string_view() : line.substr(common);
  }
  return lines;
}

const Printer::Value& lookup(const Printer::Vars& vars, std::string_view name,
                             std::string_view line) {
  for (const auto& [key, value] : vars) {
    if (key == name) return value;
  }
  throw std::logic_error("unknown variable '" + std::string(name) +
                         "' in template line: " + std::string(line));
}

// The variable's name if the line holds one variable and nothing else; otherwise empty.
std::string_view sole_variable(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || line[first] != '$') return {};
  const std::size_t last = line.find('$', first + 1);
  if (last == std::string_view::npos || last + 1 != line.size()) return {};
  return line.substr(first + 1, last - first - 1);
}

std::string substitute(const Printer::Vars& vars, std::string_view line) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = line.find('$', at);
    result += line.substr(at, begin - at);
    if (begin == std::string_view::npos) return result;
    const std::size_t end = line.find('$', begin + 1);
    if (end == std::string_view::npos) {
      throw std::logic_error("unpaired '$' in template line: " + std::string(line));
    }
    const std::string_view name = line.substr(begin + 1, end - begin - 1);
    if (name.empty()) {
      result += '$';
    } else {
      const std::string* text = lookup(vars, name, line).text();
      if (text == nullptr) {
        throw std::logic_error("call-back '" + std::string(name) + "' not alone on its line");
      }
      result += *text;
    }
    at = end + 1;
  }
}

}  // namespace

void Printer::emit(Vars vars, std::string_view text) {
  for (const std::string_view line : template_lines(text)) emit_line(vars, line);
}

void Printer::emit_line(const Vars& vars, std::string_view line) {
  const std::string_view name = sole_variable(line);
  if (!name.empty()) {
    const Value& value = lookup(vars, name, line);
    const int deeper = static_cast<int>(line.find('$'));
    indent_ += deeper;
    if (const Callable* callable = value.callable()) {
      (*callable)();
    } else if (!value.text()->empty()) {
      this->line(*value.text());
    }
    indent_ -= deeper;
    return;
  }
  this->line(substitute(vars, line));
}

void Printer::line(std::string_view text) {
  if (text.empty()) return blank_line();
  for (const std::string_view line : split_lines(text)) write_line(line, wrap_);
}

void Printer::prose(std::string_view text) {
  for (const std::string_view line : split_lines(text)) write_line(line, wrap_prose);
}

void Printer::blank_line() {
  // Never two in a row, none at the beginning of a file or a block.
  if (out_.empty() || out_.ends_with("\n\n") || out_.ends_with("{\n")) return;
  out_ += '\n';
}

void Printer::end_line(std::string_view text) {
  if (out_.ends_with("\n\n")) out_.pop_back();
  line(text);
}

void Printer::write_line(std::string_view line, Wrap wrap) {
  if (is_blank(line)) return blank_line();
  const std::string indented =
      std::string(static_cast<std::size_t>(indent_), ' ') + std::string(line);
  const bool is_in_macro = out_.ends_with("\\\n");  // which ends where a line is broken
  out_ += is_in_macro ? indented : wrap(indented, kLineWidth);
  out_ += '\n';
}

}  // namespace shinar::codegen
