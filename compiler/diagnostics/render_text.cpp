#include <algorithm>

#include "diagnostics/render.hpp"
#include "diagnostics/utf8.hpp"

namespace shinar {
namespace {

// Long lines are cut around the marked place, so that a message never floods the screen.
constexpr std::size_t kLineLimit = 160;

// UTF-8 continuation bytes take no column on the screen.
bool takes_room(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

// Control characters and broken UTF-8 would confuse terminals; tabs stay.
std::string visible(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size();) {
    const bool is_tab = line[i] == '\t';
    const std::string shown = visible_at(line, i);
    text += is_tab ? "\t" : shown;
  }
  return text;
}

std::string header(const Sources& sources, const std::optional<Span>& span) {
  if (!span) return "sidlc: ";
  const Source& source = sources[span->file];
  const Position at = source.position(span->begin);
  return in_one_line(source.name()) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": ";
}

// The visible part of the line: its offset and its text.
std::pair<std::size_t, std::string_view> window(std::string_view line, std::size_t column) {
  if (line.size() <= kLineLimit) return {0, line};
  std::size_t start = column > kLineLimit / 2 ? column - kLineLimit / 2 : 0;
  while (start > 0 && !takes_room(line[start])) --start;
  std::size_t length = std::min(kLineLimit, line.size() - start);
  while (start + length < line.size() && !takes_room(line[start + length])) ++length;
  return {start, line.substr(start, length)};
}

// The source line and a second line that underlines the span in it.
std::string excerpt(const Sources& sources, const Span& span) {
  const Source& source = sources[span.file];
  const Position at = source.position(span.begin);
  const std::string_view whole = source.line(at.line);
  const std::size_t column = std::min<std::size_t>(at.column - 1, whole.size());
  const auto [start, line] = window(whole, column);

  std::string text = "  " + visible(line) + "\n  ";
  for (char c : visible(line.substr(0, column - start))) {
    if (takes_room(c)) text += c == '\t' ? '\t' : ' ';
  }
  text += '^';
  const std::size_t width = span.end > span.begin ? span.end - span.begin : 1;
  std::string marked;
  for (std::size_t i = column - start; i < line.size() && i < column - start + width;) {
    marked += visible_at(line, i);
  }
  for (std::size_t i = 1; i < marked.size(); ++i) {
    if (takes_room(marked[i])) text += '~';
  }
  return text + "\n";
}

void render(const Diagnostic& diagnostic, const Sources& sources, std::string& out) {
  out += header(sources, diagnostic.span);
  out += severity_text(diagnostic.severity());
  out += ": " + printable(diagnostic.message) + " [" + code_text(diagnostic.code) + "]\n";
  if (diagnostic.span) out += excerpt(sources, *diagnostic.span);
  for (const Note& note : diagnostic.notes) {
    out += header(sources, note.span) + "note: " + printable(note.message) + "\n";
    if (note.span) out += excerpt(sources, *note.span);
  }
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

std::string render_text(const Diagnostics& diagnostics, const Sources& sources, std::size_t limit) {
  std::string out;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const Diagnostic* diagnostic : diagnostics.sorted()) {
    const bool is_error = diagnostic->severity() == Severity::Error;
    if (is_error && errors == limit) continue;
    ++(is_error ? errors : warnings);
    render(*diagnostic, sources, out);
  }
  const std::string at_least = diagnostics.is_complete() ? "" : "at least ";
  if (diagnostics.error_count() > errors) {
    out += "sidlc: " + at_least + counted(diagnostics.error_count() - errors, "more error") +
           " not shown\n";
  }
  if (diagnostics.warning_count() > warnings) {
    out += "sidlc: " + counted(diagnostics.warning_count() - warnings, "more warning") +
           " not shown\n";
  }
  return out;
}

}  // namespace shinar
